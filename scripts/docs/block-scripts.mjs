// What the scripted model says in the blocks of the documents that are run, and what must have come of it.
import { dispatch, text, toolUse } from "flower-agent/testing";

export const SCRIPTS = {
  "first-agent": {
    script: () => ({ main: [text("An empty folder.")] }),
    prints: [/An empty folder\./],
  },
  "two-lines": {
    script: () => ({ main: [text("rain"), text("rain on the tin roof")] }),
    prints: [/rain on the tin roof/],
  },
  "side-by-side": {
    script: () => ({
      speakers: [
        { name: "reviewer", match: "You review", steps: [text("seen"), text("seen")] },
        { name: "editor", match: "You edit", steps: [text("all is well")] },
      ],
    }),
    prints: [/all is well/],
  },
  "own-gate": {
    script: (folder) => ({
      coordinator: [text("Done."), dispatch("coder", "Write out.txt."), text("Now it is there.")],
      workers: {
        coder: [
          toolUse("Write", { file_path: `${folder}/out.txt`, content: "x\n" }),
          text("Conclusion: written."),
        ],
      },
    }),
    prints: [/work: true/],
  },
};
