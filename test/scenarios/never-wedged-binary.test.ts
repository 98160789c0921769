// The built program: `run`, then `run -c` against a vendor that no longer takes what the conversation holds.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { piecesOf } from "../support/body-pieces.ts";
import { configureWires, FOUR_WIRES } from "../support/four-wires.ts";
import { type CliLab, openCliLab } from "../support/running-binary.ts";
import { PNG } from "../support/small-images.ts";
import { answer, call, refuse, thought } from "../support/strict-llm-server/turn.ts";

const BAD = PNG.toString("base64");

let lab: CliLab;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  lab = await openCliLab();
  env = configureWires(lab);
}, 60_000);
afterAll(() => lab.close());

for (const { api } of FOUR_WIRES)
  test(`${api}: an image that the vendor stops taking costs one request more, once`, async () => {
    const folder = join(lab.folder, api);
    mkdirSync(folder);
    writeFileSync(join(folder, "bad.png"), PNG);
    writeFileSync(join(folder, "good.png"), Buffer.concat([PNG, Buffer.from("more")]));
    const run = async (...words: readonly string[]) => {
      const first = lab.server.requests.length;
      const ended = await lab.run(["run", ...words, "--model", `${api}:some-model`], {
        cwd: folder,
        env,
      });
      return { ...ended, requests: lab.server.requests.slice(first) };
    };
    lab.script([answer(call("read_file", { filepath: "bad.png" })), answer("Seen.")]);
    expect(await run("Look.")).toMatchObject({ code: 0, stdout: "Seen.\n" });

    let answers = [answer(thought("Hm."), "On.")];
    lab.script(({ wire, body }) =>
      piecesOf(wire, body).some((piece) => piece.text === BAD)
        ? refuse(400, { message: "Could not process image" })
        : (answers.shift() ?? refuse(500)),
    );
    const next = await run("-c", "Go on.");
    expect(next).toMatchObject({ code: 0, stdout: "On.\n" });
    expect(next.requests).toHaveLength(2);
    expect(next.stderr).toContain('It says: "Could not process image". Trying again with 1 image left out.');

    answers = [answer("On and on.")];
    const later = await run("-c", "And on.");
    expect(later).toMatchObject({ code: 0, stdout: "On and on.\n" });
    expect([later.requests.length, later.stderr.includes("left out")]).toEqual([1, false]);

    answers = [answer(call("read_file", { filepath: "good.png" })), answer("Fine.")];
    const good = await run("-c", "Look at the other one.");
    expect([good.stdout, good.requests.length]).toEqual(["Fine.\n", 2]);
    const images = piecesOf(api, good.requests[1]?.body ?? {}).filter(({ kind }) => kind === "image");
    expect(images).toHaveLength(1);

    lab.script(() => refuse(400, { message: "temperature: range: 0..1" }));
    const parameter = await run("-c", "And now?");
    expect([parameter.code, parameter.requests.length]).toEqual([4, 1]);
    lab.script(() => refuse(401, { message: "Incorrect API key provided." }));
    const key = await run("-c", "And now?");
    expect([key.code, key.requests.length]).toEqual([3, 1]);
  }, 60_000);
