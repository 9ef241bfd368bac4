// The public door of `flower-agent/testing`: test your own workflows on the real harness, without a model.

export {
  type ApiRequest,
  allText,
  firstUserTexts,
  type IncomingRequest,
  lastToolResult,
  lastUserText,
  messagesOf,
  type SeenMessage,
  type SeenToolResult,
  type SpeakerRole,
  systemText,
  toolNames,
  toolResults,
} from "./api-request.ts";
export {
  type DropConnection,
  dropConnection,
  type Failure,
  type Hang,
  type HttpError,
  hang,
  httpError,
  type StreamError,
  streamError,
} from "./failure.ts";
export { historyFault } from "./history-fault.ts";
export { type CustomSpeaker, type Script, speaker } from "./script.ts";
export { ScriptError, type ScriptFault } from "./script-error.ts";
export { ScriptedApi } from "./scripted-api.ts";
export type { ScriptedApiOptions } from "./scripted-api-options.ts";
export { DUMMY_KEY, type ScriptedEnvOptions, scriptedEnv } from "./scripted-env.ts";
export type { SideKind } from "./side-request.ts";
export { type Always, type Answer, type AnswerFunction, always, type Step } from "./step.ts";
export { type OptionalStoreMethod, type StoreContractCase, storeContract } from "./store-contract.ts";
export {
  ask,
  type Block,
  dispatch,
  type StopReason,
  type TextBlock,
  type ThinkingBlock,
  type ToolUseBlock,
  type Turn,
  type TurnOptions,
  type TurnUsage,
  text,
  thinking,
  toolUse,
  turn,
} from "./turn.ts";
