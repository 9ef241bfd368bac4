// Who is asking, told from the request alone: custom speakers first, then the harness's own requests, then
// subagents by the call that sent them, then main threads by the rules in their system prompt.

import { isRecord } from "../core/json.ts";
import { firstUserTexts, type IncomingRequest, messagesOf, systemText } from "./api-request.ts";
import { mainRole } from "./role-marks.ts";
import type { CustomSpeaker, Speaker } from "./script.ts";
import { sideKind } from "./side-request.ts";
import { DISPATCH_TOOL } from "./turn.ts";

/** Who speaks, or why that cannot be told. */
export type Recognition =
  | { readonly kind: "speaker"; readonly speaker: Speaker }
  | { readonly kind: "ambiguous"; readonly reason: string };

interface Dispatch {
  readonly worker: string;
  readonly prompt: string;
}

function known(role: Speaker["role"], agent?: string): Recognition {
  return { kind: "speaker", speaker: { role, agent } };
}

function matches({ match }: CustomSpeaker, request: IncomingRequest): boolean {
  if (typeof match === "function") return match(request);
  const texts = [systemText(request), ...firstUserTexts(request)];
  return texts.some((words) =>
    typeof match === "string" ? words.includes(match) : words.search(match) >= 0,
  );
}

/** A subagent says so in a header; a proxy may drop that, then the first system line still does. */
function isSubagent(request: IncomingRequest): boolean {
  return (
    request.agentId !== undefined ||
    systemText(request).split("\n", 1)[0]?.includes("cc_is_subagent=true") === true
  );
}

/** Recognises speakers; remembers which dispatch each subagent came from. */
export class Recogniser {
  readonly #custom: readonly CustomSpeaker[];
  readonly #dispatches = new Map<string, Dispatch>();
  readonly #workers = new Map<string, string>();

  constructor(custom: readonly CustomSpeaker[]) {
    this.#custom = custom;
  }

  /** Note the dispatches among content blocks, of an answer that leaves or a history that comes in. */
  learn(blocks: readonly Readonly<Record<string, unknown>>[]): void {
    for (const block of blocks) {
      if (block.type !== "tool_use" || block.name !== DISPATCH_TOOL || !isRecord(block.input)) continue;
      const { subagent_type: worker = "general-purpose", prompt } = block.input;
      if (typeof worker !== "string" || typeof prompt !== "string") continue;
      this.#dispatches.set(String(block.id), { worker, prompt: prompt.trim() });
    }
  }

  /** Whose request it is. */
  recognise(request: IncomingRequest): Recognition {
    const side = sideKind(request);
    if (side !== undefined) return known("side", side);
    for (const { blocks } of messagesOf(request)) this.learn(blocks);
    const custom = this.#custom.find((candidate) => matches(candidate, request));
    if (custom !== undefined) return known("custom", custom.name);
    if (isSubagent(request)) return this.#worker(request);
    return known(mainRole(systemText(request)));
  }

  #worker(request: IncomingRequest): Recognition {
    const bound = request.agentId === undefined ? undefined : this.#workers.get(request.agentId);
    if (bound !== undefined) return known("worker", bound);
    const names = this.#dispatchedWith(firstUserTexts(request));
    const [name] = names;
    if (name === undefined || names.length > 1) {
      const found = names.length > 1 ? `${names.join(" and ")} were` : "no worker was";
      return {
        kind: "ambiguous",
        reason: `a worker that cannot be told: ${found} dispatched with its prompt; name it by speaker(name, text, steps)`,
      };
    }
    if (request.agentId !== undefined) this.#workers.set(request.agentId, name);
    return known("worker", name);
  }

  /** Names dispatched with the longest prompt that stands in one of the texts. */
  #dispatchedWith(texts: readonly string[]): readonly string[] {
    const found = [...this.#dispatches.values()].filter(({ prompt }) =>
      texts.some((words) => words.includes(prompt)),
    );
    const longest = Math.max(...found.map(({ prompt }) => prompt.length));
    return [...new Set(found.filter(({ prompt }) => prompt.length === longest).map(({ worker }) => worker))];
  }
}
