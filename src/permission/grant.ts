// What a decision allows, as data that travels with the call.
import { realPath } from "../base/real-path.ts";
import type { Demand, Grant } from "../domain/grant.ts";
import type { PermissionContext } from "./context.ts";
import { judgePath } from "./judge-path.ts";

/** `context`: as it was when the decision was made. Without demands nothing but the call itself was judged. */
export function grantFor(
  demands: readonly Demand[] | undefined,
  sandboxed: boolean,
  context: PermissionContext,
): Grant {
  const mayRead = (path: string) =>
    judgePath({ type: "path", access: "read", tool: null, path, extent: "file" }, context).verdict ===
    "allow";
  if (demands === undefined) return { sandboxed, mayRead };
  const real = (path: string) => realPath(path, context.disk) ?? path;
  const shell = demands.find((demand) => demand.type === "shell");
  const paths = demands.filter((demand) => demand.type === "path");
  return {
    sandboxed,
    ...(shell === undefined ? {} : { folder: real(shell.folder) }),
    realPaths: new Map(paths.map(({ path }) => [path, real(path)])),
    hosts: demands.filter((demand) => demand.type === "fetch").map(({ host }) => host),
    mayRead,
  };
}
