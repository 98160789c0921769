// What a call demands, as its tool says, and what it is granted, as permission decided.

/** What a call would do, as its tool says. Each demand is judged separately, and the strictest answer applies. */
export type Demand =
  | PathDemand
  /** Permission parses the command itself. */
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
  /** The tool whose rules apply, if it isn't the called one. */
  readonly countsAs?: string;
}

/** What a rule TOOL(PATTERN) is about. */
export type RuleTopic = "command" | "read" | "write" | "host";

/** What was decided about a call, once, right before it runs. It travels with the call. */
export interface Grant {
  /** Its shell command runs inside the sandbox. */
  readonly sandboxed: boolean;
  /** Where its shell command starts: a real path that was a folder when it was judged. */
  readonly folder?: string;
  /** What runs in place of its shell command, which only reads, and with which variables alone. */
  readonly rebuilt?: { readonly script: string; readonly environment: Readonly<Record<string, string>> };
  /** Where each demanded path really led. If absent, no path was judged and none is checked again. */
  readonly realPaths?: ReadonlyMap<string, string>;
  /** The hosts it may connect to; any, if absent. */
  readonly hosts?: readonly string[];
  /** Whether a file that it finds may be shown without asking, by the rules at the time of the decision. */
  readonly mayRead: (path: string) => boolean;
}

/** For calls that were not judged, because a library user supplied the permit. */
export const UNJUDGED: Grant = { sandboxed: false, mayRead: () => true };
