// A tool's prose lives in a .md file beside it and is imported as text.
declare module "*.md" {
  const text: string;
  export = text;
}
