// Judges any act, those of shell commands too.
import { type Judge, judgeDirect } from "./judge.ts";
import { judgeCommand, judgeDoubt } from "./judge-command.ts";

export const judgeAct: Judge = (act, context) => {
  if (act.type === "command") return judgeCommand(act, context);
  return act.type === "doubt" ? judgeDoubt(act, context) : judgeDirect(act, context);
};
