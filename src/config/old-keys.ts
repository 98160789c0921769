// Keys of the old program that nothing here follows, and why. They are told, never silently ignored; those that are
// honoured are in the schema.

export const OLD_KEYS: ReadonlyMap<string, string> = new Map([
  ["settings.ripgrep", "searches have limits of their own"],
  ["settings.tool_strict_validation", "arguments are always validated"],
  ["settings.lsp.max_diagnostics", "they have a limit of their own"],
  ["settings.context_window_size", "the model's own window counts"],
  ["settings.enable_streaming", "answers always stream"],
  ["settings.stream_agent_text", "answers always stream"],
  ["settings.fallback_response", "an answer always comes from the model"],
  ["settings.fallback_verbosity", "an answer always comes from the model"],
  ["settings.skip_git_safety", "see permissions"],
  ["settings.enable_tutorial", "see tunacode demo"],
  ["settings.first_installation_date", "not kept"],
  ["settings.tutorial_declined", "see tunacode demo"],
  ["settings.tool_ignore", "see permissions.deny"],
  ["skip_git_safety", "see permissions"],
  ["recent_models", "see tunacode models"],
]);
