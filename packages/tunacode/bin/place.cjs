// Finds the native binary in its platform package, and puts it in the place of the launcher beside this file, so that
// the command on the PATH is the binary itself. As npm's postinstall it does that once; it never fails an install.
const { chmodSync, copyFileSync, linkSync, renameSync, rmSync } = require("node:fs");
const { join } = require("node:path");

const LAUNCHER = join(__dirname, "tunacode");
const PACKAGE = `@tunacode/${process.platform}-${process.arch}`;

/** Throws a sentence for a person. */
function findBinary() {
  try {
    return require.resolve(`${PACKAGE}/bin/tunacode`);
  } catch {
    throw new Error(
      `tunacode: the package ${PACKAGE} is missing. There are binaries for Linux (glibc) and macOS on x64 and arm64. On one of these, install again with optional dependencies: npm install -g tunacode --include=optional`,
    );
  }
}

/** A link costs no space; over a border of file systems it is a copy. Others see the old file or the new, whole. */
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
  // Other installers start the command with `node`, which can't run a binary: for them the launcher stays.
  const isNpm = (process.env.npm_config_user_agent ?? "").startsWith("npm/");
  try {
    const binary = findBinary();
    if (isNpm) placeBinary(binary);
  } catch {
    // The launcher says what is wrong when somebody uses it; the library works without the binary.
  }
}

module.exports = { findBinary, placeBinary };
