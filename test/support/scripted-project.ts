// The ports of a desk on a real folder, with a model that follows a script.
import type { AgentSettings } from "../../src/app/settings.ts";
import type { Model } from "../../src/domain/model.ts";
import type { PermissionMode } from "../../src/domain/permission.ts";
import type { FrontPorts } from "../../src/front/ports.ts";
import { createProjectPorts } from "../../src/front/project-ports.ts";

interface ScriptedProject extends Pick<AgentSettings, "cwd" | "session" | "remembered"> {
  readonly env: Readonly<Record<string, string>>;
  readonly model: Model;
  readonly mode: PermissionMode;
  readonly deny?: readonly string[];
}

export function scriptedProject({ model, mode, deny = [], ...place }: ScriptedProject): FrontPorts {
  return createProjectPorts({
    settings: {
      ...place,
      models: { scripted: model },
      permission: { mode, rules: [{ source: "person", deny }], sandbox: "off" },
      trusted: false,
    },
    env: place.env,
    warnings: [],
    doctor: async () => [],
    debug: { begin: () => {}, event: () => {}, set: () => "" },
  });
}
