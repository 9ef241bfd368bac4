// What `flower-agent/testing` takes: every option, whether it may be left out, and what it takes.
import type {
  Answer,
  ApiRequest,
  CustomSpeaker,
  Script,
  ScriptedApiOptions,
  ScriptedEnvOptions,
  SideKind,
  Step,
  StopReason,
  TurnOptions,
  TurnUsage,
} from "flower-agent/testing";
import { type Agrees, agrees } from "./agrees.ts";

agrees<
  Agrees<
    ScriptedApiOptions,
    {
      script: Script;
      port?: number;
      expectKey?: string;
      usage?: TurnUsage;
      keepBodies?: boolean;
      allowRefusals?: boolean;
    }
  >
>();

agrees<
  Agrees<
    Script,
    {
      coordinator?: readonly Step[];
      clarifier?: readonly Step[];
      judge?: readonly Step[];
      oracle?: readonly Step[];
      main?: readonly Step[];
      workers?: Readonly<Record<string, readonly Step[]>>;
      speakers?: readonly CustomSpeaker[];
      side?: (request: ApiRequest, kind: SideKind) => Answer | undefined;
    }
  >
>();

agrees<
  Agrees<
    ScriptedEnvOptions,
    {
      home: string;
      apiUrl: string;
      path: string;
      apiKey?: string;
      extra?: Readonly<Record<string, string>>;
    }
  >
>();

agrees<
  Agrees<
    TurnOptions,
    {
      usage?: TurnUsage;
      stopReason?: StopReason;
      delayMs?: number;
      model?: string;
    }
  >
>();

agrees<
  Agrees<
    TurnUsage,
    {
      inputTokens?: number;
      outputTokens?: number;
      cacheReadTokens?: number;
      cacheWriteTokens?: number;
    }
  >
>();
