// Finds the native binary in its platform package and replaces the launcher beside this file with it, so that the
// command on the PATH is the binary itself. npm runs this once as postinstall; it never fails an install.
const { chmodSync, copyFileSync, linkSync, renameSync, rmSync } = require("node:fs");
const { join } = require("node:path");

const LAUNCHER = join(__dirname, "tunacode");
const PACKAGE = `@tunacode/${process.platform}-${process.arch}`;

/** Throws an error with a message for the person. */
function findBinary() {
  try {
    return require.resolve(`${PACKAGE}/bin/tunacode`);
  } catch {
    throw new Error(
      `tunacode: the package ${PACKAGE} is missing. There are binaries for Linux (glibc) and macOS on x64 and arm64. On one of these, reinstall with optional dependencies: npm install -g tunacode --include=optional`,
    );
  }
}

/** Links the binary, or copies it across file systems. The rename is atomic: others see the old file or the new one. */
function placeBinary(binary) {
  const temporary = `${LAUNCHER}.${process.pid}`;
  try {
    try {
      linkSync(binary, temporary);
    } catch {
      copyFileSync(binary, temporary);
    }
    chmodSync(temporary, 0o755);
    renameSync(temporary, LAUNCHER);
  } finally {
    rmSync(temporary, { force: true });
  }
}

if (require.main === module) {
  // Other installers start the command with `node`, which can't run a binary, so they keep the launcher.
  const isNpm = (process.env.npm_config_user_agent ?? "").startsWith("npm/");
  try {
    const binary = findBinary();
    if (isNpm) placeBinary(binary);
  } catch {
    // The launcher reports the problem when it is used; the library works without the binary.
  }
}

module.exports = { findBinary, placeBinary };
