// Gives the vendors' packages the quick zod (src/models/vendor-zod.ts) when the program is built.
import { join } from "node:path";
import type { BunPlugin } from "bun";

const QUICK_ZOD = join(import.meta.dir, "..", "src", "models", "vendor-zod.ts");

export const vendorZod: BunPlugin = {
  name: "vendor-zod",
  setup(build) {
    const forVendors = <Place>(place: Place) => {
      return ({ importer }: { importer: string }) => (importer.includes("/@ai-sdk/") ? place : undefined);
    };
    build.onResolve({ filter: /^zod\/v4(\/core)?$/ }, forVendors({ path: QUICK_ZOD }));
    // zod's own words for what is wrong: nobody asks for them any more.
    build.onResolve(
      { filter: /^zod\/v4\/locales\/en\.js$/ },
      forVendors({ path: "en", namespace: "no-words" }),
    );
    build.onLoad({ filter: /^en$/, namespace: "no-words" }, () => ({
      contents: "export default () => ({});",
      loader: "js",
    }));
  },
};
