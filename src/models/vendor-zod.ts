// What the vendors' packages get for zod in the built program. They check every event of a stream with it, and making
// zod's schemas takes a tenth of a short answer, a quarter of one by Anthropic.

import { z as quick } from "../base/quick-zod.ts";
import type { Schema } from "../base/schema.ts";

export const z = quick;

// What the packages' common part imports by name: for schemas that somebody made with the real zod.
export const safeParseAsync = (schema: Schema, value: unknown) => schema.safeParseAsync(value);
export const config = () => ({});
export const toJSONSchema = () => {
  throw new Error("Tools are described to models by parameters.data.json.");
};
