// Keeps the workbench's index in step with what is written there. Changes no answer.

import { isAbsolute, join, resolve } from "node:path";
import { inputOf } from "./call.ts";
import type { PostGuard, ToolOutcome } from "./decision.ts";
import { isInside, physicalPath } from "./physical-path.ts";
import type { WorkbenchPort } from "./workbench-port.ts";

function isWithin(outcome: ToolOutcome, root: string): boolean {
  const path = inputOf(outcome)?.file_path;
  if (typeof path !== "string") return false;
  const place = physicalPath(isAbsolute(path) ? path : join(resolve(outcome.cwd), path));
  return place !== undefined && isInside(place, physicalPath(resolve(root)) ?? root);
}

/** Refreshes the index after a `Write` or `Edit` inside the workbench. */
export function indexPostGuard(workbench: WorkbenchPort): PostGuard {
  return {
    name: "index",
    tools: ["Write", "Edit"],
    review: (outcome) => {
      if (isWithin(outcome, workbench.root)) workbench.refresh();
      return { kind: "keep" };
    },
  };
}
