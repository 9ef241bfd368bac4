// What became of a run, and what must hold over all of them. Pure.
import { JUDGE_NAMES } from "./arguments.mjs";

/**
 * How a run ended: `achieved` by the verdict alone, `accepted` by the person, `asked` a person who would not have it,
 * `rejected` without anybody being asked, or `broken`: it says nothing about verdicts.
 */
export function endOf(record) {
  if (whyBroken(record) !== undefined) return "broken";
  if (record.failedAt === null) return record.passedBy === "person" ? "accepted" : "achieved";
  return record.questions.length > 0 ? "asked" : "rejected";
}

/** Why a run says nothing about verdicts; undefined when it does. */
function whyBroken(record) {
  if (record.threw !== undefined) return record.threw;
  if (record.error !== null) return record.error;
  if (record.verdict === null) return `there was no verdict: ${record.aborted ?? "no reason given"}`;
  return record.faults[0] ?? record.refused[0];
}

const isFalseAchieved = ({ work, end }) => !work.finished && end === "achieved";
const isFalseRejected = ({ work, end }) => work.finished && end === "rejected";
const isOpen = ({ work }) => work.goal.some(({ seen }) => seen === "unverifiable");

/** What one judge made of the works, with evidence or without. */
export function countOf(results) {
  const count = (is) => results.filter(is).length;
  return {
    finished: count(({ work }) => work.finished),
    unfinished: count(({ work }) => !work.finished),
    falseAchieved: count(isFalseAchieved),
    falseRejected: count(isFalseRejected),
    askedFinished: count(({ work, record }) => work.finished && (record.questions?.length ?? 0) > 0),
    askedUnfinished: count(({ work, record }) => !work.finished && (record.questions?.length ?? 0) > 0),
  };
}

/** Items that flower saw otherwise than they are. */
function misseen({ work, record }) {
  return work.goal.flatMap(({ seen }, index) => {
    const outcome = record.seen?.[index];
    return outcome === seen ? [] : [`item ${index + 1} is ${seen}, and was seen as ${outcome ?? "nothing"}`];
  });
}

const nameOf = ({ work, judge, evidence }) => `${work.name} x ${judge}${evidence ? "" : " without evidence"}`;

function demand(says, concerned, whyWrong) {
  const wrong = concerned.flatMap((result) => {
    const why = whyWrong(result);
    return why.length === 0 ? [] : [`${nameOf(result)}: ${why}`];
  });
  return { says, runs: concerned.length, allowed: 0, wrong };
}

const ended = ({ end, record }) =>
  `ended as ${end}${(record.named ?? []).length > 0 ? `, ${record.named.join("; ")}` : ""}`;
const when = (is) => (result) => (is(result) ? ended(result) : "");

/**
 * What must hold, each with the runs that speak against it; those no run was about are left out.
 * @param results - `{work, judge, evidence, record, end}` each.
 */
export function demandsOf(results) {
  const seen = results.filter(({ evidence }) => evidence);
  const by = (...judges) => seen.filter(({ judge }) => judges.includes(judge));
  const all = [
    demand("every run came to a verdict", results, ({ end, record }) =>
      end === "broken" ? whyBroken(record) : "",
    ),
    demand("what flower saw of every item is what is true of it", seen, (result) =>
      misseen(result).join("; "),
    ),
    ...JUDGE_NAMES.map((judge) =>
      demand(
        `no unfinished work passes with evidence, the judge being ${judge}`,
        by(judge),
        when(isFalseAchieved),
      ),
    ),
    ...["lenient", "fair"].map((judge) => ({
      ...demand(
        `at most one finished work is sent back with evidence, the judge being ${judge}`,
        by(judge),
        when(isFalseRejected),
      ),
      allowed: 1,
    })),
    demand(
      "every rejection of finished work by the harsh judge reaches the person, after a second judge",
      by("harsh").filter(({ work }) => work.finished),
      ({ record }) => {
        if ((record.questions?.length ?? 0) === 0) return "nobody was asked";
        return record.judges > 1 ? "" : "no second judge was asked";
      },
    ),
    demand(
      "whatever cannot be verified here is asked about",
      seen.filter(isOpen),
      when(({ record }) => (record.questions?.length ?? 0) === 0),
    ),
  ];
  return all
    .filter(({ runs }) => runs > 0)
    .map((one) => ({ ...one, holds: one.wrong.length <= one.allowed }));
}
