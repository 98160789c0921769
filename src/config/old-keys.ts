// Keys of the old program that have no effect here, and why. A warning names each one in use. Old keys that still
// work are in the schema.

export const OLD_KEYS: ReadonlyMap<string, string> = new Map([
  ["settings.ripgrep", "searches have fixed limits"],
  ["settings.tool_strict_validation", "arguments are always validated"],
  ["settings.lsp.max_diagnostics", "diagnostics have a fixed limit"],
  ["settings.context_window_size", "the model's own window is used"],
  ["settings.enable_streaming", "answers always stream"],
  ["settings.stream_agent_text", "answers always stream"],
  ["settings.fallback_response", "an answer always comes from the model"],
  ["settings.fallback_verbosity", "an answer always comes from the model"],
  ["settings.skip_git_safety", "see permissions"],
  ["settings.enable_tutorial", "see tunacode demo"],
  ["settings.first_installation_date", "not recorded"],
  ["settings.tutorial_declined", "see tunacode demo"],
  ["settings.tool_ignore", "see permissions.deny"],
  ["skip_git_safety", "see permissions"],
  ["recent_models", "see tunacode models"],
]);
