// What `npm run survive -- …` may be told, and which cells that means. Pure.
import { wholeNumber } from "../scripts/whole-number.mjs";

/** One cell a fault, spread over the places; small enough for every build. */
export const SAMPLE = [
  ["coordinator", "kill"],
  ["worker-tool", "term"],
  ["goal-half", "drop"],
  ["clarify", "down"],
  ["worker-writing", "529"],
  ["between-steps", "401"],
  ["coordinator", "limit"],
  ["handoff", "stream"],
  ["coordinator", "disk-full"],
  ["worker-tool", "file-limit"],
  ["manifest", "read-only"],
  ["verdict", "bad-manifest"],
  ["worker-tool", "bad-lineage"],
  ["sqlite-commit", "torn-wal"],
];

export const USAGE = `npm run survive -- [options]
  --sample             one cell a fault instead of all
  --only PLACE/FAULT   some cells: either side may be empty (kill at all places: /kill); may be repeated
  --jobs N             cells side by side (2)
  --fresh              also those that have a result of this build
  --limit SECONDS      longest time of one cell (300)
  --docs               write what was found into docs/survival.md
  --list               name the places and faults`;

/** Read the arguments. @throws TypeError for one that is not known or lacks its value. */
export function parseArguments(args) {
  const wanted = {
    sample: false,
    only: [],
    jobs: 2,
    fresh: false,
    limitS: 300,
    docs: false,
    list: false,
    help: false,
  };
  for (let at = 0; at < args.length; at += 1) {
    const [name, inline] = args[at].split(/=(.*)/s, 2);
    const value = () => {
      if (inline !== undefined) return inline;
      at += 1;
      return args[at];
    };
    switch (name) {
      case "--sample":
      case "--fresh":
      case "--docs":
      case "--list":
      case "--help":
        wanted[name.slice(2)] = true;
        break;
      case "--only":
        wanted.only.push(readOnly(value()));
        break;
      case "--jobs":
        wanted.jobs = wholeNumber(name, value());
        break;
      case "--limit":
        wanted.limitS = wholeNumber(name, value());
        break;
      default:
        throw new TypeError(`unknown option ${name}`);
    }
  }
  return wanted;
}

function readOnly(value = "") {
  const [point = "", fault = ""] = value.split("/", 2);
  if (point === "" && fault === "") throw new TypeError("--only takes PLACE/FAULT, either side may be empty");
  return { point, fault };
}

/** The cells that are meant, place by place. @throws TypeError for a name that is none. */
export function chooseCells(wanted, points, faults) {
  for (const { point, fault } of wanted.only) {
    if (point !== "" && !points.some(({ name }) => name === point))
      throw new TypeError(`no place "${point}"`);
    if (fault !== "" && !faults.some(({ name }) => name === fault))
      throw new TypeError(`no fault "${fault}"`);
  }
  const isMeant = (point, fault) =>
    wanted.only.length === 0 ||
    wanted.only.some((only) => [point, ""].includes(only.point) && [fault, ""].includes(only.fault));
  const isSampled = (point, fault) =>
    !wanted.sample || SAMPLE.some(([place, what]) => place === point && what === fault);
  return points.flatMap((point) =>
    faults
      .filter((fault) => isMeant(point.name, fault.name) && isSampled(point.name, fault.name))
      .map((fault) => ({ point, fault, name: `${point.name}.${fault.name}` })),
  );
}
