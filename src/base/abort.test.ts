import { expect, test } from "bun:test";
import { sleep } from "./abort.ts";

test("a sleep ends by itself", async () => {
  await sleep(1, new AbortController().signal);
});

test("an abort ends a sleep with its reason", async () => {
  const controller = new AbortController();
  const sleeping = sleep(60_000, controller.signal);
  controller.abort("enough");
  expect(await sleeping.catch((reason) => reason)).toBe("enough");
});

test("after an abort there is no sleep", async () => {
  expect(await sleep(60_000, AbortSignal.abort("before")).catch((reason) => reason)).toBe("before");
});
