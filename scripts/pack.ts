// Builds the npm packages for this machine in dist/npm. `npm install -g dist/npm/*.tgz` installs them.
import { join } from "node:path";
import { BINARY, buildIfStale, ROOT } from "./build.ts";
import { pack, platformHere, platformName, writeMainPackage, writePlatformPackage } from "./packages.ts";
import { buildLibraryIfStale } from "./sdk.ts";

const FOLDER = join(ROOT, "dist", "npm");

await buildIfStale();
await buildLibraryIfStale();
const platform = platformHere();
const main = join(FOLDER, "tunacode");
const native = join(FOLDER, platformName(platform));
writeMainPackage(main);
writePlatformPackage(native, platform, BINARY);
for (const folder of [main, native]) console.log(pack(folder, FOLDER));
