// The sample project's shell scripts are imported as text.
declare module "*.sh" {
  const text: string;
  export = text;
}
