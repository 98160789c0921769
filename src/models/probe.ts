// Asks a server which models it has. A server counts only if its list is valid and comes in time: something
// else may be listening on its port.
import { isJsonObject, parseJson } from "../base/json.ts";
import { beginningOf } from "./body-beginning.ts";
import type { ResolvedProvider } from "./resolve-provider.ts";
import type { Fetch } from "./settings.ts";

const PROBE_MS = 300;
const LONGEST_LIST = 1_000_000;
const MOST_MODELS = 2_000;
const LONGEST_ID = 200;

/** null: no answer, or none that is a list of models. */
export async function probeModels(
  { baseUrl, apiKey }: ResolvedProvider,
  request: Fetch = fetch,
): Promise<readonly string[] | null> {
  try {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const response = await request(`${baseUrl}/models`, { signal: AbortSignal.timeout(PROBE_MS), headers });
    return response.ok ? readList(await beginningOf(response, LONGEST_LIST)) : null;
  } catch {
    // Nobody is there, which is an answer too.
    return null;
  }
}

function readList(text: string): readonly string[] | null {
  const parsed = text.length >= LONGEST_LIST ? undefined : parseJson(text);
  const list = parsed?.ok && isJsonObject(parsed.value) ? parsed.value["data"] : undefined;
  if (!Array.isArray(list)) return null;
  const ids = list.flatMap((model: unknown) => {
    const id = isJsonObject(model) ? model["id"] : undefined;
    return typeof id === "string" && id !== "" && id.length <= LONGEST_ID ? [id] : [];
  });
  return ids.length > 0 ? ids.slice(0, MOST_MODELS) : null;
}
