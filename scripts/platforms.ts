// The platforms we build binaries for, and the npm packages with their runtime and ripgrep.

export interface Platform {
  /** The values of process.platform and process.arch. */
  readonly os: "linux" | "darwin";
  readonly cpu: "x64" | "arm64";
  readonly runtimePackage: string;
  readonly ripgrepPackage: string;
}

export const PLATFORMS: readonly Platform[] = (["linux", "darwin"] as const).flatMap((os) =>
  (["x64", "arm64"] as const).map((cpu) => ({
    os,
    cpu,
    runtimePackage: `@oven/bun-${os}-${cpu === "arm64" ? "aarch64" : cpu}`,
    ripgrepPackage: `@vscode/ripgrep-${os}-${cpu}`,
  })),
);

export function platformName({ os, cpu }: Platform): string {
  return `${os}-${cpu}`;
}

export function platformHere(): Platform {
  const here = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (here === undefined) throw new Error(`There is no package for ${process.platform}-${process.arch}.`);
  return here;
}
