// What stands around every step of a run: told before an agent starts and after it ended.

/** Watches over steps. Neither method may throw. */
export interface StepWatch {
  /** Absolute paths of files and folders that no agent may write with a tool. */
  readonly protects: () => readonly string[];
  /** An agent is about to start. */
  readonly begins: (stepName: string) => void;
  /** It ended, and nobody works at the moment unless another one does. May wait for a person. */
  readonly ended: (stepName: string, signal: AbortSignal | undefined) => Promise<void>;
}

/** Nobody watches. */
export const NO_WATCH: StepWatch = {
  protects: () => [],
  begins: () => {},
  ended: async () => {},
};
