// Programs of platform packages, imported with `{ type: "file" }`: the path of the embedded file.
declare module "*/bin/rg" {
  const path: string;
  export = path;
}
