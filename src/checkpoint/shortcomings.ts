// What the person is told when undo covers less than it should.

export const UNCOVERED =
  "The project could not be looked at in time, so undo doesn't cover what was changed until now.";
export const NOT_ALL_KEPT =
  "Not all files of the project are kept yet, so undo may not bring back everything that is changed now.";
export const REFUSED =
  "The disk is full or can't be written to, so undo may not bring back everything that is changed now.";
