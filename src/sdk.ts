// The library: what `import { ... } from "tunacode"` gives. docs/library.md shows the use.

// Or put together by hand.
export {
  type AgentPorts,
  memoryStateManager,
  type SessionRecord,
  type StateManager,
} from "./app/agent.ts";
// The agent as the program has it: its tools, permission rules, system prompt and sessions on disk.
export { type Agent, openAgent } from "./app/compose.ts";
// Taking back what a session did.
export { openUndo, type SessionUndo, type SessionUndoSettings, undoOfSession } from "./app/open-undo.ts";
// An answer that had to fit a schema.
export { type JsonAnswer, jsonAnswer } from "./app/output-schema.ts";
// One request, with callbacks or as a stream of events.
export { processNode, processRequest, type RequestCallbacks } from "./app/process-request.ts";
export { type RequestOptions, runRequest } from "./app/run-request.ts";
export type { AgentSettings, Person, SessionChoice } from "./app/settings.ts";
export type {
  BackConflict,
  BackPlan,
  BackRequest,
  BackTarget,
  Branch,
  FileDiff,
  LineCounts,
  PastTurn,
  Undo,
  WentBack,
} from "./app/undo.ts";
export type { UndoSettings } from "./checkpoint/settings.ts";
export type { Uncovered } from "./checkpoint/tracking.ts";
export { type Content, type ContentItem, contentText } from "./domain/content.ts";
export type { Conversation } from "./domain/conversation.ts";
// What can go wrong; each has a literal `code`.
export {
  ConfigError,
  EmptyResponseError,
  type ErrorCode,
  GlobalRequestTimeoutError,
  ProviderError,
  ToolError,
  TunacodeError,
  UserAbortError,
  WireGateError,
} from "./domain/error.ts";
// The ports and what goes through them.
export type { AgentEvent, Outcome } from "./domain/event.ts";
export type { FileChange, FileImage, RestoreScope } from "./domain/file-change.ts";
export type { Demand, Grant, PathDemand, RuleTopic } from "./domain/grant.ts";
export { type Budget, type Limits, newBudget, type ReachedLimit } from "./domain/limits.ts";
export {
  callsOf,
  INTERRUPTED,
  latestAnswer,
  type Message,
  type Request,
  type Response,
  visibleText,
} from "./domain/message.ts";
export type { Model, ModelEvent, ModelRequest } from "./domain/model.ts";
export type {
  Part,
  RequestPart,
  ResponsePart,
  RetryPromptPart,
  ReturnStatus,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolReturnPart,
  UserPromptPart,
} from "./domain/part.ts";
export type {
  AskedCommand,
  Decision,
  Offer,
  PermissionAnswer,
  PermissionMode,
  PermissionQuestion,
  Permit,
  PersonAnswer,
} from "./domain/permission.ts";
export type { Repair, RepairKind } from "./domain/repair.ts";
export type { Review } from "./domain/review.ts";
export type {
  Audience,
  CallDescription,
  CallLabel,
  CallPreview,
  ProtocolNames,
  ResultStyle,
  Tool,
  ToolContext,
  ToolKind,
  ToolOutput,
  ToolSpec,
} from "./domain/tool.ts";
export { ToolCallRegistry } from "./domain/tool-call-registry.ts";
export type { ToolDetails } from "./domain/tool-details.ts";
export type { Price, Usage, UsageTotals } from "./domain/usage.ts";
// Conversations as data.
export { checkHistory, type Violation } from "./history/grammar.ts";
export { type PrepareOptions, prepareHistory } from "./history/prepare.ts";
export type { AgentRun } from "./loop/agent-run.ts";
export { isRequestNode, type Node, type RequestNode, type ResponseNode } from "./loop/node.ts";
export type { LoopSettings } from "./loop/request-context.ts";
export { type AgentState, ResponseState } from "./loop/response-state.ts";
export { createModel } from "./models/create-model.ts";
export { type Script, type ScriptedStep, type ScriptedTurn, scriptedModel } from "./models/scripted.ts";
export type {
  ModelPreferences,
  ModelSettings,
  ProviderEntries,
  ProviderEntry,
  Thinking,
} from "./models/settings.ts";
export type { PermissionSettings, WrittenRules } from "./permission/settings.ts";
export type { PromptSettings } from "./prompt/context-files.ts";
export { addMessage } from "./session/reduce.ts";
export type { SessionState } from "./session/state.ts";
export { type DecodedMessages, decodeMessages, encodeMessages } from "./session/stored-message.ts";
export type { ToolSettings } from "./tools/ports.ts";
