// Stand-ins for programs that fetch packages and keep them in caches of the home folder, with the texts of the real
// ones, and the registry that they need. They use the proxy of their environment, as the real ones do.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";

export interface Registry {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

/** On loopback, but not at 127.0.0.1: programs reach that without a proxy, and the sandbox has one of its own. */
export const REGISTRY_HOST = "127.0.0.2";

export async function startRegistry(
  answer: (path: string, url: string) => string | Uint8Array = () => "module.exports = 1;\n",
  host: string = REGISTRY_HOST,
): Promise<Registry> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(answer(request.url ?? "", url));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  const url = `http://${host}:${typeof address === "object" ? address?.port : 0}`;
  return {
    url,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Writes the programs into a folder that belongs on the PATH. */
export function writePackagePrograms(folder: string, registry: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nREGISTRY=${registry}\n${FETCH}\n${text}`);
    chmodSync(join(folder, name), 0o755);
  }
}

const FETCH = 'fetch() { curl -sS -f -m 20 -o "$2" "$REGISTRY/$1" 2>/dev/null; }';

const PROGRAMS: Readonly<Record<string, string>> = {
  npm: `
cache=$HOME/.npm/_cacache
mkdir -p "$HOME/.npm/_logs" 2>/dev/null && touch "$HOME/.npm/_logs/log" 2>/dev/null || unlogged=yes
mkdir -p node_modules/left-pad
if ! fetch left-pad node_modules/left-pad/index.js; then
  echo "npm error code E403" >&2
  echo "npm error 403 403 Forbidden - GET $REGISTRY/left-pad" >&2
  [ -z "$unlogged" ] || echo "npm error Log files were not written due to an error writing to the directory: $HOME/.npm/_logs" >&2
  exit 1
fi
if ! { mkdir -p "$cache/tmp" && cp node_modules/left-pad/index.js "$cache/left-pad"; } 2>/dev/null; then
  echo "npm error code EROFS" >&2
  echo "npm error path $cache/tmp" >&2
  echo "npm error rofs EROFS: read-only file system, mkdir '$cache/tmp'" >&2
  exit 1
fi
echo "added 1 package in 1s"
`,
  cargo: `
registry=$HOME/.cargo/registry
echo "    Updating crates.io index" >&2
mkdir -p "$registry/cache" 2>/dev/null || unwritten=yes
mkdir -p target
if ! fetch config.json target/serde; then
  printf 'error: failed to get \`serde\` as a dependency of package \`a v0.1.0\`\\n\\nCaused by:\\n' >&2
  printf "  download of config.json failed\\n\\nCaused by:\\n  failed to download from \\\`%s/config.json\\\`\\n" "$REGISTRY" >&2
  printf '\\nCaused by:\\n  [56] Failure when receiving data from the peer (CONNECT tunnel failed, response 403)\\n' >&2
  exit 101
fi
if [ -n "$unwritten" ]; then
  printf 'error: failed to create directory \`%s/cache\`\\n\\nCaused by:\\n  Read-only file system (os error 30)\\n' "$registry" >&2
  exit 101
fi
cp target/serde "$registry/cache/serde.crate"
printf '    Finished \`dev\` profile [unoptimized + debuginfo] target(s) in 1.00s\\n' >&2
`,
  go: `
cache=$HOME/.cache/go-build
if ! mkdir -p "$cache/00" 2>/dev/null; then
  echo "failed to initialize build cache at $cache: mkdir $cache: read-only file system" >&2
  exit 1
fi
echo "go: downloading example.com/x v1.0.0" >&2
if ! fetch example.com/x/@v/v1.0.0.zip "$cache/00/x"; then
  echo "go: example.com/x@v1.0.0: Get \\"$REGISTRY/example.com/x/@v/v1.0.0.zip\\": Forbidden" >&2
  exit 1
fi
mkdir -p "$HOME/go/pkg/mod/cache" && cp "$cache/00/x" "$HOME/go/pkg/mod/cache/x"
echo "ok  	example.com/a	0.004s"
`,
  pytest: `
cache=$HOME/.cache/huggingface
echo "============ test session starts ============"
if ! mkdir -p "$cache/hub" 2>/dev/null; then
  echo "E       OSError: [Errno 30] Read-only file system: '$cache/hub'"
fi
if ! fetch model "$cache/hub/model"; then
  echo "E       requests.exceptions.ProxyError: HTTPConnectionPool(host='${REGISTRY_HOST}', port=80): Max retries exceeded with url: /model (Caused by ProxyError('Unable to connect to proxy', OSError('Tunnel connection failed: 403 Forbidden')))"
  echo "============ 1 failed in 0.10s ============"
  exit 1
fi
echo "============ 1 passed in 0.10s ============"
`,
};
