// Files that are imported as text or as a path; Bun embeds them in the binary.

declare module "*.md" {
  const text: string;
  export = text;
}

/** With `{ type: "file" }`: the path of a program from a platform package. */
declare module "*/bin/rg" {
  const path: string;
  export = path;
}
