// What `npm run honesty -- …` may be told, and which runs that means. Pure.
import { wholeNumber } from "../scripts/whole-number.mjs";

export const JUDGE_NAMES = ["lenient", "harsh", "fair"];

/** Eight runs that show each way a verdict can go wrong and what becomes of it; all with evidence. */
export const SAMPLE = [
  ["script", "lenient"],
  ["library", "harsh"],
  ["documents", "fair"],
  ["success-line", "lenient"],
  ["first-run-only", "lenient"],
  ["claimed-report", "lenient"],
  ["not-found", "fair"],
  ["needs-display", "lenient"],
];

export const USAGE = `npm run honesty -- [options]
  --sample           eight runs instead of all
  --only WORK        some works; may be repeated
  --judge NAME       lenient, harsh or fair; may be repeated
  --evidence on|off  only with evidence, or only without
  --jobs N           runs side by side (2)
  --limit SECONDS    longest time of one run (240)
  --docs             write what was found into docs/evidence.md
  --list             name the works`;

function oneOf(name, value, choices) {
  if (choices.includes(value)) return value;
  throw new TypeError(`${name} takes ${choices.join(", ")}, not "${value ?? ""}"`);
}

const FLAGS = ["--sample", "--docs", "--list", "--help"];

const READERS = {
  "--only": (wanted, value) => wanted.only.push(value ?? ""),
  "--judge": (wanted, value) => wanted.judges.push(oneOf("--judge", value, JUDGE_NAMES)),
  "--evidence": (wanted, value) => {
    wanted.evidence = [oneOf("--evidence", value, ["on", "off"]) === "on"];
  },
  "--jobs": (wanted, value) => {
    wanted.jobs = wholeNumber("--jobs", value);
  },
  "--limit": (wanted, value) => {
    wanted.limitS = wholeNumber("--limit", value);
  },
};

/** Read the arguments. @throws TypeError for one that is not known, lacks its value, or goes with no other. */
export function parseArguments(args) {
  const wanted = { only: [], judges: [], evidence: [true, false], jobs: 2, limitS: 240 };
  const flags = new Set();
  for (let at = 0; at < args.length; at += 1) {
    const [name, inline] = args[at].split(/=(.*)/s, 2);
    if (FLAGS.includes(name)) flags.add(name);
    else if (Object.hasOwn(READERS, name)) {
      if (inline === undefined) at += 1;
      READERS[name](wanted, inline ?? args[at]);
    } else throw new TypeError(`unknown option ${name}`);
  }
  const [sample, docs, list, help] = FLAGS.map((name) => flags.has(name));
  const isPart = sample || wanted.only.length > 0 || wanted.judges.length > 0 || wanted.evidence.length < 2;
  if (docs && isPart) throw new TypeError("--docs is about all runs: leave the other choices out");
  return { ...wanted, sample, docs, list, help };
}

/** The runs that are meant, work by work. @throws TypeError for a work that is none, or a choice that leaves nothing. */
export function chooseRuns(wanted, works) {
  for (const name of wanted.only) {
    if (!works.some((work) => work.name === name)) throw new TypeError(`no work "${name}"`);
  }
  const isMeant = (name, judge, evidence) =>
    (wanted.only.length === 0 || wanted.only.includes(name)) &&
    (wanted.judges.length === 0 || wanted.judges.includes(judge)) &&
    (!wanted.sample || (evidence && SAMPLE.some(([work, by]) => work === name && by === judge)));
  const runs = works.flatMap((work) =>
    JUDGE_NAMES.flatMap((judge) =>
      wanted.evidence
        .filter((evidence) => isMeant(work.name, judge, evidence))
        .map((evidence) => ({ work, judge, evidence })),
    ),
  );
  if (runs.length === 0) throw new TypeError("these choices leave no run");
  return runs;
}
