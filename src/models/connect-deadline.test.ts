import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { type ConnectDeadline, connectDeadline, isReachable, usesProxy } from "./connect-deadline.ts";

async function listening<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  try {
    return await use(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`);
  } finally {
    server.close();
  }
}

const outcome = ({ missed }: ConnectDeadline, withinMs: number) =>
  Promise.race([missed.catch((error: Error) => error.message), Bun.sleep(withinMs).then(() => "quiet")]);

test("a server that takes connections is reachable, however long it thinks", async () => {
  await listening(async (url) => {
    expect(await isReachable(url, 1_000)).toBe(true);
    const deadline = connectDeadline(url, 40, () => new Error("gone"));
    expect(await outcome(deadline, 200)).toBe("quiet");
  });
});

test("a server that takes no connections is given up in time", async () => {
  const deadline = connectDeadline("http://127.0.0.1:1/", 40, () => new Error("gone"));
  expect(await outcome(deadline, 1_500)).toBe("gone");
});

test("an answer ends the watch", async () => {
  const deadline = connectDeadline("http://127.0.0.1:1/", 60, () => new Error("gone"));
  deadline.lift();
  expect(await outcome(deadline, 150)).toBe("quiet");
});

test("a proxy is known by its variables", () => {
  expect([usesProxy({}), usesProxy({ https_proxy: "http://p" }), usesProxy({ HTTP_PROXY: "" })]).toEqual([
    false,
    true,
    false,
  ]);
});
