// Reads from a program's first bytes which machine it is for.

const ELF = 0x7f454c46;
const MACH_O = 0xcffaedfe;
const ELF_MACHINES: Readonly<Record<number, string>> = { 62: "linux-x64", 183: "linux-arm64" };
const MACH_CPUS: Readonly<Record<number, string>> = { 16777223: "darwin-x64", 16777228: "darwin-arm64" };
const MACH_HEADER_BYTES = 32;
const CODE_SIGNATURE = 0x1d;

export function executableFor(program: Buffer, at = 0): string | null {
  if (program.readUInt32BE(at) === ELF) return ELF_MACHINES[program.readUInt16LE(at + 18)] ?? null;
  if (program.readUInt32BE(at) === MACH_O) return MACH_CPUS[program.readUInt32LE(at + 4)] ?? null;
  return null;
}

/** The machines of this program and of all programs embedded in it. */
export function programsIn(program: Buffer): string[] {
  const found: string[] = [];
  for (const magic of [ELF, MACH_O]) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(magic);
    for (let at = program.indexOf(bytes); at !== -1; at = program.indexOf(bytes, at + 4)) {
      const machine = at + MACH_HEADER_BYTES < program.length ? executableFor(program, at) : null;
      if (machine !== null) found.push(machine);
    }
  }
  return found;
}

/** macOS on arm64 kills a program without a signature, but accepts an ad-hoc one. */
export function isSignedForMac(program: Buffer): boolean {
  const commands = program.readUInt32LE(16);
  let at = MACH_HEADER_BYTES;
  for (let index = 0; index < commands; index++) {
    if (program.readUInt32LE(at) === CODE_SIGNATURE) {
      const [offset, size] = [program.readUInt32LE(at + 8), program.readUInt32LE(at + 12)];
      return size > 0 && offset + size <= program.length;
    }
    at += program.readUInt32LE(at + 4);
  }
  return false;
}
