// Gives the vendors' packages their own small zod (src/models/vendor-schema/zod.ts) when the program is built.
import { join } from "node:path";
import type { BunPlugin } from "bun";

const SMALL_ZOD = join(import.meta.dir, "..", "src", "models", "vendor-schema", "zod.ts");

export const vendorSchemas: BunPlugin = {
  name: "vendor-schemas",
  setup(build) {
    const forVendors = <Place>(place: Place) => {
      return ({ importer }: { importer: string }) => (importer.includes("/@ai-sdk/") ? place : undefined);
    };
    build.onResolve({ filter: /^zod\/v4(\/core)?$/ }, forVendors({ path: SMALL_ZOD }));
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
