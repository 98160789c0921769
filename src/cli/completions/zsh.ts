// Completions for zsh.
import { shellQuoted } from "../../base/shell-program.ts";
import type { Flag } from "../flags.ts";
import { CANDIDATES, type Candidates, completedValue, type ValueCompletion } from "./candidates.ts";

export function zshCompletions(): string {
  const commands = CANDIDATES.filter(({ command }) => command !== "app");
  return `#compdef tunacode
_tunacode() {
  local -a commands
  commands=(
${commands.map(({ command, summary }) => `    ${shellQuoted(`${command}:${summary}`)}`).join("\n")}
  )
  local command=app
  if ((CURRENT > 2 && \${commands[(I)\${words[2]}:*]})); then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
${CANDIDATES.map(commandCase).join("\n")}
  esac
}
# Loaded from fpath, the file is the function's body; sourced, it registers the function.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _tunacode "$@"
else
  compdef _tunacode tunacode
fi
`;
}

function commandCase({ command, words, flags, takesFile }: Candidates): string {
  const first = command === "app" ? "'1: :{_describe command commands}'" : firstWord(words, takesFile);
  const specifications = [
    ...flags.map(([name, flag]) => specification(name, flag)),
    ...(first === "" ? [] : [first]),
  ];
  return `    ${command})
      _arguments -S \\
${specifications.map((text) => `        ${text}`).join(" \\\n")} ;;`;
}

function firstWord(words: readonly string[], takesFile: boolean): string {
  if (words.length > 0) return shellQuoted(`1:what:(${words.join(" ")})`);
  return takesFile ? "'1:file:_files'" : "";
}

/** \`(-m --model)\`: giving one form removes the other from the list. */
function specification(name: string, flag: Flag): string {
  const help = `[${flag.help.replace(/[[\]:\\]/g, "\\$&")}]`;
  const value = completedValue(flag, VALUES) ?? "";
  if (flag.short === undefined) {
    const again = flag.value.kind === "text" && flag.value.repeatable === true ? "*" : "";
    return shellQuoted(`${again}--${name}${help}${value}`);
  }
  return `${shellQuoted(`(-${flag.short} --${name})`)}{-${flag.short},--${name}}${shellQuoted(`${help}${value}`)}`;
}

const VALUES: ValueCompletion = {
  choices: (choices) => `:value:(${choices.join(" ")})`,
  folder: ":folder:_files -/",
  file: ":file:_files",
  free: (label) => `:${label.replaceAll(":", "\\:")}:`,
};
