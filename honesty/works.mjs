// The forty works: twenty that are finished and twenty that only look so.
import { FINISHED_FILES } from "./works/finished-files.mjs";
import { FINISHED_PROGRAMS } from "./works/finished-programs.mjs";
import { UNFINISHED_OUTPUT } from "./works/unfinished-output.mjs";
import { UNFINISHED_PLACE } from "./works/unfinished-place.mjs";

const asTruth = (finished, ...lists) => lists.flat().map((work) => ({ ...work, finished }));

export const WORKS = [
  ...asTruth(true, FINISHED_PROGRAMS, FINISHED_FILES),
  ...asTruth(false, UNFINISHED_OUTPUT, UNFINISHED_PLACE),
];
