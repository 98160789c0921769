// What a configuration file may hold, in the words of the file. Loaded only where a file exists: a run without one
// pays nothing.
import { z } from "zod";
import { PERMISSION_MODES } from "../domain/permission.ts";

/** Text numbers are accepted, because old files hold them. */
const number = (least: number) => z.preprocess(readNumber, z.number().min(least));
const whole = (least: number) => z.preprocess(readNumber, z.int().min(least));
const described = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.describe(description).optional();
const text = z.string().min(1);
const rules = z.array(text);

const modelEntry = z.object({
  id: text,
  context_window: described(whole(1), "Tokens that fit, prompt and answer together."),
  max_output: described(whole(1), "The most tokens one response may have."),
  input: described(number(0), "Dollars per million prompt tokens."),
  output: described(number(0), "Dollars per million response tokens."),
  cache_read: described(number(0), "Dollars per million prompt tokens read from the vendor's cache."),
  cache_write: described(number(0), "Dollars per million prompt tokens written to the vendor's cache."),
});

const provider = z.object({
  api: described(
    z.enum(["openai-chat", "openai-responses", "anthropic", "google"]),
    "The wire format it speaks.",
  ),
  base_url: described(text, "Its address, such as https://host/v1."),
  api_key_env: described(text, "The environment variable that holds its key."),
  models: described(z.array(z.union([text, modelEntry])), "Its models; the first is taken by default."),
});
const providers = z.record(z.string(), provider);

const settings = z.object({
  max_retries: described(whole(0), "How often a failed model call is tried again."),
  max_iterations: described(whole(1), "Model calls one request may make."),
  max_tool_calls: described(whole(1), "Tool calls one session may make, with those of its subagents."),
  request_delay: described(number(0), "Seconds to wait before every model call."),
  global_request_timeout: described(number(0), "Seconds one request may take; 0: no limit."),
  timeouts: described(
    z.object({
      connect: described(number(0), "Seconds to wait for a connection."),
      first_byte: described(number(0), "Seconds to wait for an answer to begin."),
      idle: described(number(0), "Seconds an answer may pause."),
    }),
    "How long to wait for a model.",
  ),
  guide_file: described(text, "The name of the instruction file that is read instead of AGENTS.md."),
  theme: described(text, "The terminal app's colours."),
  notifications: described(z.enum(["auto", "bell", "off"]), "How the terminal app calls a person back."),
  keys: described(
    z.record(z.string(), z.union([text, z.array(text)])),
    "The terminal app's keys, by the name of what they do: one key or several.",
  ),
  max_command_output: described(
    whole(1_000),
    "Characters of a command's output that the model sees; at most 30,000.",
  ),
  max_tokens: described(whole(1), "The most tokens one response may have."),
  lsp: described(
    z.object({
      enabled: described(z.boolean(), "Whether language servers check edited files."),
      timeout: described(number(0), "Seconds to wait for a language server."),
    }),
    "Diagnostics of installed language servers after an edit.",
  ),
  undo: described(
    z.object({
      enabled: described(z.boolean(), "Whether what a session changes on disk can be taken back."),
      file_mb: described(number(0), "Megabytes; larger files are not covered."),
      session_mb: described(number(0), "Megabytes that the contents of files may take for one session."),
      machine_mb: described(number(0), "Megabytes that they may take for all sessions together."),
    }),
    "What undo covers.",
  ),
  sessions: described(
    z.object({
      keep_days: described(number(1), "Sessions that were not used for so many days are deleted."),
      keep_count: described(whole(1), "Only so many sessions are kept, of all projects together."),
      keep_mb: described(number(1), "Megabytes that all sessions together may take."),
    }),
    "Which sessions are deleted at the next start, oldest first; by default none.",
  ),
  ripgrep: described(z.record(z.string(), z.unknown()), "Of the old program; has no effect."),
  tool_strict_validation: described(z.boolean(), "Of the old program; arguments are always validated."),
  providers: described(providers, "Where the old program kept `providers`."),
});

const permissions = z.object({
  mode: described(z.enum(PERMISSION_MODES), "What may be done without a question."),
  allow: described(rules, "Rules for what needs no question, such as `bash(npm test)`."),
  ask: described(rules, "Rules for what is always asked about."),
  deny: described(rules, "Rules for what is never done, in every mode."),
});

export const configSchema = z.object({
  $schema: z.string().optional(),
  default_model: described(z.string(), "provider:model."),
  fallback: described(
    z.union([text, z.array(text)]),
    "provider:model, one or a list: answer in this order when the chosen model can't.",
  ),
  small_model: described(text, "provider:model for summaries; by default the chosen model writes them."),
  env: described(z.record(z.string(), z.string()), "Keys and addresses; the real environment comes first."),
  providers: described(providers, "Providers besides the built-in ones, or changes to those."),
  permissions: described(permissions, "What the agent may do."),
  sandbox: described(z.enum(["auto", "on", "off"]), "Whether shell commands run in the sandbox."),
  settings: settings.optional(),
});

export type ConfigFile = z.infer<typeof configSchema>;

export function configJsonSchema(): object {
  return { title: "tunacode configuration", ...z.toJSONSchema(configSchema, { io: "output" }) };
}

function readNumber(value: unknown): unknown {
  return typeof value === "string" && value.trim() !== "" ? Number(value) : value;
}
