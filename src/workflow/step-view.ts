// The context as one of several steps at once sees it: everything is shared but what flower keeps for one step alone.

import type { EventListener } from "../events/event.ts";
import { type PrivateCtx, ROUND_KEY, VERDICT_KEY } from "./context.ts";

const OWN: ReadonlySet<PropertyKey> = new Set([
  ROUND_KEY,
  VERDICT_KEY,
  "_passedBy",
  "_aborted",
  "_hint",
  "_failure",
  "_failedAt",
  "_onEvent",
]);

/**
 * The same context, with the rounds, the verdict and the failure of one step apart from its neighbours'.
 * @param onEvent - hears what the step's own gate says.
 */
export function viewFor<C extends PrivateCtx>(ctx: C, onEvent: EventListener): C {
  const own = new Map<PropertyKey, unknown>([["_onEvent", onEvent]]);
  return new Proxy(ctx, {
    get: (shared, key) => (OWN.has(key) ? own.get(key) : Reflect.get(shared, key)),
    set: (shared, key, value) => {
      if (!OWN.has(key)) return Reflect.set(shared, key, value);
      own.set(key, value);
      return true;
    },
    has: (shared, key) => (OWN.has(key) ? own.has(key) : Reflect.has(shared, key)),
    deleteProperty: (shared, key) => {
      if (!OWN.has(key)) return Reflect.deleteProperty(shared, key);
      own.delete(key);
      return true;
    },
  });
}
