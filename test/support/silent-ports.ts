// Ports of a desk at which nothing outside of the conversation happens.
import type { FrontPorts } from "../../src/front/ports.ts";

export const SILENT_PORTS: Omit<FrontPorts, "openAgent"> = {
  folder: "",
  listSessions: async () => [],
  previewSession: async () => "",
  listModels: async () => [],
  customCommands: async () => [],
  fileIndex: async () => [],
  readAttachment: async () => null,
  runShell: async () => ({ output: "", exitCode: 0 }),
  gitBranch: async () => null,
  promptHistory: async () => [],
  rememberPrompt: async () => {},
  doctor: async () => [["ok", "machine", "All is well."]],
  exportFile: async (name) => `/project/${name}`,
  debug: {
    begin: () => {},
    event: () => {},
    set: (on) => (on ? "The log is on." : "The log is off."),
  },
};
