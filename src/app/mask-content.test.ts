import { expect, test } from "bun:test";
import { tool } from "../../test/support/scenario.ts";
import { toolContext } from "../../test/support/tool-context.ts";
import { createMask } from "../base/secrets.ts";
import { maskContent, maskedTool } from "./mask-content.ts";

const mask = createMask(["sk-very-secret-1"]);

test("a key is hidden in prompts, tool output and progress; images are left alone", async () => {
  const shown: string[] = [];
  const leaky = tool("leaky", "read", (_args, { progress }) => {
    progress("reading sk-very-secret-1");
    return {
      content: [
        { type: "text", text: "key: sk-very-secret-1" },
        { type: "image", mediaType: "image/png", data: "AA==" },
      ],
      details: { type: "data", value: { keys: ["sk-very-secret-1"] } },
    };
  });
  const context = toolContext({ progress: (text) => shown.push(text) });
  expect(await maskedTool(leaky, mask).execute({}, context)).toEqual({
    content: [
      { type: "text", text: "key: [key hidden]" },
      { type: "image", mediaType: "image/png", data: "AA==" },
    ],
    details: { type: "data", value: { keys: ["[key hidden]"] } },
  });
  expect(shown).toEqual(["reading [key hidden]"]);
  expect(maskContent("use sk-very-secret-1", mask)).toBe("use [key hidden]");
});
