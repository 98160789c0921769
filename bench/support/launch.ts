// Starts a program, waits for its end and writes down what it used. A small process of its own, because on Linux a
// child's peak memory begins with that of the process which started it.
import { readFileSync, writeFileSync } from "node:fs";

const [reportPath = "", count = "1", ...argv] = process.argv.slice(2);

const startedAt = performance.timeOrigin + performance.now();
const children = Array.from({ length: Number(count) }, () =>
  Bun.spawn(argv, { stdin: "ignore", stdout: "inherit", stderr: "inherit" }),
);
// The deadline is ours; what was started must not outlive it.
process.once("SIGTERM", () => {
  for (const child of children) child.kill("SIGKILL");
});
let sharedMb = 0;
const sampling =
  children.length > 1
    ? setInterval(() => {
        sharedMb = Math.max(
          sharedMb,
          children.map(({ pid }) => proportionalMb(pid)).reduce((a, b) => a + b),
        );
      }, 50)
    : undefined;
const codes = await Promise.all(children.map((child) => child.exited));
const wallMs = performance.timeOrigin + performance.now() - startedAt;
clearInterval(sampling);
const usages = children.map((child) => child.resourceUsage());
writeFileSync(
  reportPath,
  JSON.stringify({
    code: Math.max(...codes),
    startedAt,
    wallMs,
    cpuMs: usages.reduce((sum, usage) => sum + Number(usage?.cpuTime.total ?? 0) / 1_000, 0),
    peakMb: Math.max(...usages.map((usage) => (usage?.maxRSS ?? 0) / 1e6)),
    sharedMb,
  }),
);

/** A process's share of the memory: what several use together is split between them. 0 where Linux can't be asked. */
function proportionalMb(pid: number): number {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) / 1_000;
  } catch {
    return 0; // Ended meanwhile.
  }
}
