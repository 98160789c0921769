// What the tools are given from outside.

/** Where the agent works. */
export interface Workspace {
  /** The project's folder, absolute. */
  readonly root: string;
  cwd(): string;
  setCwd(directory: string): void;
}
