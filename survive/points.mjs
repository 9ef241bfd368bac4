// The places of a run at which a fault is injected. `turn`: a request of the model is held; `half`: half of its answer
// is out; `step`: a step begins and has no session yet; `tool`: a worker's command runs; `hold`: a write to disk is held.

export const POINTS = [
  { name: "before-first-id", says: "before the first session id", kind: "step", step: "clarify" },
  {
    name: "clarify",
    says: "during clarify, a question answered",
    kind: "turn",
    moment: "clarify:brief",
  },
  { name: "between-steps", says: "between two steps", kind: "step", step: "goal" },
  { name: "goal-half", says: "the goal half written by the model", kind: "half", moment: "goal" },
  {
    name: "goal-file",
    says: "the goal half written to disk",
    kind: "hold",
    hold: { kind: "rename", file: "goal.md", contains: "## Checklist" },
  },
  {
    name: "coordinator",
    says: "the coordinator thinking, one worker done",
    kind: "turn",
    moment: "coordinator:check",
  },
  { name: "worker-tool", says: "a worker in the middle of a command", kind: "tool", moment: "write:run" },
  { name: "worker-writing", says: "a worker half through a Write", kind: "half", moment: "write:file" },
  { name: "handoff", says: "the handoff half written", kind: "half", moment: "handoff", handoff: true },
  { name: "verdict", says: "the verdict running", kind: "turn", moment: "verdict:rule" },
  {
    name: "manifest",
    says: "the manifest being written",
    kind: "hold",
    hold: { kind: "rename", file: "manifest.json", contains: '"step": "goal"' },
  },
  {
    name: "lineage",
    says: "the lineage being written",
    kind: "hold",
    hold: { kind: "rename", file: "lineage.json", contains: '"work"' },
  },
  {
    name: "sqlite-commit",
    says: "a commit of the session store",
    kind: "hold",
    hold: { kind: "commit", step: "work", nth: 4 },
  },
];

/** The point of that name. */
export function pointNamed(name) {
  return POINTS.find((point) => point.name === name);
}
