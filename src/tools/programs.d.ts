// Importing a program of a platform package with `{ type: "file" }` yields the path of the embedded file.
declare module "*/bin/rg" {
  const path: string;
  export = path;
}
