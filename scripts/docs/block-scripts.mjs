// What the scripted model says in the blocks of the documents that are run, and what must have come of it.
import { text } from "flower-agent/testing";

export const SCRIPTS = {
  "first-agent": {
    script: () => ({ main: [text("An empty folder.")] }),
    prints: [/An empty folder\./],
  },
  "two-lines": {
    script: () => ({ main: [text("rain"), text("rain on the tin roof")] }),
    prints: [/rain on the tin roof/],
  },
};
