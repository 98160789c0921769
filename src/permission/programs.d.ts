// A program of the sandbox's package, imported with `{ type: "file" }`: the path of the embedded file.
declare module "*/apply-seccomp" {
  const path: string;
  export = path;
}
