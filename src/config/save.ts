// Changes the person's configuration file and keeps everything else in it.
import type { JsonObject } from "../base/json.ts";
import type { Environment } from "../base/xdg.ts";
import { deepMerge } from "./layers.ts";
import { personalConfigPath } from "./paths.ts";
import { writePrivateFile } from "./private-file.ts";
import { readConfigFile } from "./read-file.ts";

/** Returns the file's path. The change is in the words of the file. */
export async function saveConfig(env: Environment, change: JsonObject): Promise<string> {
  const path = personalConfigPath(env);
  const { checkValues } = await import("./check-values.ts");
  checkValues(path, change);
  const current = await readConfigFile(path);
  await writePrivateFile(path, `${JSON.stringify(deepMerge(current?.raw ?? {}, change), null, 2)}\n`);
  return path;
}
