// Extracts the sandbox's programs, which are embedded in our binary. The sandbox library doesn't find them there: it
// would run without the one that blocks unix sockets, and would ask npm for the other.
import { extractEmbedded } from "../base/embedded-file.ts";

/** Blocks unix sockets for commands. Only Linux needs it. */
export async function seccompProgram(): Promise<string | null> {
  if (process.platform !== "linux") return null;
  const path =
    process.arch === "x64"
      ? import("@anthropic-ai/sandbox-runtime/vendor/seccomp/x64/apply-seccomp", { with: { type: "file" } })
      : process.arch === "arm64"
        ? import("@anthropic-ai/sandbox-runtime/vendor/seccomp/arm64/apply-seccomp", {
            with: { type: "file" },
          })
        : null;
  return path === null ? null : await extractEmbedded("apply-seccomp", (await path).default);
}

/** Points Java programs at the proxy. */
export async function javaAgent(): Promise<string> {
  const { default: path } = await import(
    "@anthropic-ai/sandbox-runtime/vendor/java-proxy-agent/srt-proxy-agent.jar",
    { with: { type: "file" } }
  );
  return await extractEmbedded("srt-proxy-agent.jar", path);
}
