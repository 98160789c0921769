// A vendor that refuses the schema of the last answer: vendors take different parts of JSON Schema. The model has read
// the schema anyway, and the answer is checked here.
import { ProviderError } from "../domain/error.ts";
import { type Remedy, reasonOf } from "./remedy.ts";

const REFUSED = [400, 422];

export const withoutSchema: Remedy = async function* ({ error }, context) {
  if (context.outputSchema === undefined || !context.sendsSchema) return false;
  if (!(error instanceof ProviderError) || error.code !== "provider_error") return false;
  if (!REFUSED.includes(error.status ?? 0) || context.partialText !== "") return false;
  context.sendsSchema = false;
  yield { type: "notice", text: `${reasonOf(error)} Trying again without the schema as a parameter.` };
  return true;
};
