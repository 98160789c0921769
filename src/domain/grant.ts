// What a call demands, as its tool says, and what it is granted, as permission decided.

/** What a call would do, as its tool says. Each is judged for itself, and the strictest answer counts. */
export type Demand =
  | PathDemand
  /** Read by permission itself, word by word. */
  | {
      readonly type: "shell";
      readonly command: string;
      /** Absolute. */
      readonly folder: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly type: "fetch"; readonly host: string };

export interface PathDemand {
  readonly type: "path";
  readonly access: "read" | "write";
  /** Absolute; links not yet followed. */
  readonly path: string;
  /** file: its content. names: the names in a folder. */
  readonly extent: "file" | "names";
  /** The tool whose rules speak of it, where that isn't the tool that is called. */
  readonly countsAs?: string;
}

/** What a rule TOOL(PATTERN) is about. */
export type RuleTopic = "command" | "read" | "write" | "host";

/** What was decided about a call, once, when its turn had come. It travels with the call. */
export interface Grant {
  /** Its shell command runs inside the sandbox. */
  readonly sandboxed: boolean;
  /** Where its shell command starts: a real path that was a folder when it was judged. */
  readonly folder?: string;
  /** Each path it asked for, and where that really led. Absent: not judged, so not held to anything. */
  readonly realPaths?: ReadonlyMap<string, string>;
  /** The hosts it may talk to. Absent: any. */
  readonly hosts?: readonly string[];
  /** Whether a file it comes across may be shown without a question, as things stood then. */
  readonly mayRead: (path: string) => boolean;
}

/** For calls that nobody judged: a library user's own permit. */
export const UNJUDGED: Grant = { sandboxed: false, mayRead: () => true };
