// Programs of the sandbox's package, imported with `{ type: "file" }`: the path of the embedded file.
declare module "*/apply-seccomp" {
  const path: string;
  export = path;
}
declare module "*.jar" {
  const path: string;
  export = path;
}
