// One command in the sandbox: what it may reach, how it starts, and what was noticed when it had ended.

/** Made anew for each command, from the rules in force and the files that exist. */
export interface SandboxReach {
  /** The project's real path. */
  readonly root: string;
  readonly home: string;
  /** Further folders in which it may write. */
  readonly writableFolders: readonly string[];
  /** Those of them that are known caches. Packages in them bring such files as are guarded elsewhere. */
  readonly caches?: readonly string[];
  /** Those of them that are part of the project, and guarded as it is. */
  readonly addedFolders?: readonly string[];
  /** `*.example.com` for subdomains. Denied hosts win. */
  readonly allowedHosts: readonly string[];
  readonly deniedHosts: readonly string[];
  /** Existing files and folders that deny rules forbid to read, or to write. */
  readonly unreadable: readonly string[];
  readonly unwritable: readonly string[];
}

export interface SandboxedCommand {
  readonly script: string;
  readonly folder: string;
  readonly reach: SandboxReach;
  /** The variables that the model sets for it. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of ours for this one run, in which it may write. */
  readonly scratch?: string;
}

export interface SandboxedStart {
  readonly argv: readonly string[];
  /** Variables that differ from ours; undefined: it doesn't have it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Has to be called once after the command ended, however it did. */
  readonly ended: () => Promise<SandboxReport>;
}

/** The command can fake what was refused, so that is a hint. What is set aside is a fact. */
export interface SandboxReport {
  readonly refused: readonly Refusal[];
  readonly setAside: readonly SetAside[];
}

export type Refusal =
  | { readonly type: "host"; readonly host: string; readonly port: number | null }
  | { readonly type: "write"; readonly path: string };

/** A file or folder that other programs obey and that the command made. It was moved out of the project. */
export interface SetAside {
  /** Where the command made it. */
  readonly path: string;
  /** Where it is now. */
  readonly keptIn: string;
}
