// What guards need of a workbench, without entering its room.

/** A workbench as guards see it. */
export interface WorkbenchPort {
  /** Absolute path of the workbench. */
  readonly root: string;
  /** Absolute path of the folder for oversized results. */
  readonly spill: string;
  /** A path as the model should read it. */
  readonly show: (path: string) => string;
  /** Bring the index up to date. */
  readonly refresh: () => unknown;
}
