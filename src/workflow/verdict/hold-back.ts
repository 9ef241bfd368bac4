// Work that is not whole is not judged as if it were: what a judge says of the rest cannot pass it.

import { Verdict } from "../../documents/verdict.ts";

function reasonOf(ruled: Verdict): string {
  if (ruled.state === "not_yet") return ruled.reason;
  const said = ruled.reason.trim();
  return `Not all of the work is where it is judged: no verdict on the rest can pass it.${said === "" ? "" : ` Of what is there the judge says:\n${said}`}`;
}

/** The ruling as it counts while some of the work is not where it is judged: not yet, with that named. */
export function holdBack(ruled: Verdict, obstacles: readonly string[]): Verdict {
  if (obstacles.length === 0) return ruled;
  return new Verdict({
    state: "not_yet",
    reason: reasonOf(ruled),
    failed: [...ruled.failed, ...obstacles],
  });
}
