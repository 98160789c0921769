// What a person chooses about undo, besides what they take back.

export interface UndoSettings {
  /** False: nothing is followed or kept, so nothing can be taken back. */
  readonly enabled?: boolean;
  /** Larger files are not covered. */
  readonly fileBytes?: number;
  /** What the contents of files may take for one session, and for all sessions together. */
  readonly sessionBytes?: number;
  readonly machineBytes?: number;
}
