// Several watches as one: each sees every call, and what they have to say is said together.

import type { CallWatch } from "./hook-plan.ts";

type Words = string | undefined;

async function collect(words: readonly Promise<Words>[]): Promise<Words> {
  const said = (await Promise.all(words)).filter((word) => word !== undefined);
  return said.length === 0 ? undefined : said.join("\n");
}

/** Join watches in order; undefined ones are left out, and of none there is none. */
export function joinWatches(watches: readonly (CallWatch | undefined)[]): CallWatch | undefined {
  const all = watches.filter((watch) => watch !== undefined);
  if (all.length < 2) return all[0];
  return {
    async before(call) {
      for (const watch of all) await watch.before(call);
    },
    after: (outcome) => collect(all.map((watch) => watch.after(outcome))),
    failed: (call, error) =>
      collect(all.map((watch) => watch.failed?.(call, error) ?? Promise.resolve(undefined))),
  };
}
