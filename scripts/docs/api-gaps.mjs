// What the API reference leaves unsaid: symbols, fields, options and parameters without a word, names without an example.
import { readComment } from "./comment-text.mjs";
import { ORIGINAL_NAMES } from "./pages.mjs";
import { commentOf, isTag, KIND, membersOf } from "./render-symbol.mjs";
import { withoutUndefined } from "./type-text.mjs";

const isSaid = (comment) => readComment(comment).summary !== "";

/** Words about a parameter: its own, those of the symbol that is its type, or its name in what the call's say. */
function isParamSaid(parameter, comment, known) {
  const type = withoutUndefined(parameter.type);
  if (isSaid(parameter.comment) || (type.type === "reference" && known.has(type.name))) return true;
  const { summary, returns, throws } = readComment(comment);
  return [summary, returns, ...throws].some((text) => text.includes(`\`${parameter.name}\``));
}

/** @returns places without a word, as `Symbol.field` or `symbol(parameter)`. */
export function gapsOf({ main, testing, mentioned }) {
  const all = [...mentioned, ...main, ...testing];
  const byId = new Map(all.map((node) => [node.id, node]));
  const byName = new Map([...mentioned, ...main].map((node) => [node.name, node]));
  const known = new Set(all.map(({ name }) => name));
  const paramGaps = (owner, signatures, comment) =>
    signatures.flatMap((signature) =>
      (signature.parameters ?? [])
        .filter((each) => !isParamSaid(each, comment ?? signature.comment, known))
        .map((each) => `${owner}(${each.name})`),
    );
  const memberGaps = (node, child) => {
    const place = `${node.name}.${child.name}`;
    const comment = commentOf(child, node, byName);
    const own = isSaid(comment) || isTag(child) ? [] : [place];
    return child.kind === KIND.method ? [...own, ...paramGaps(place, child.signatures, comment)] : own;
  };
  const madeGaps = (node) => {
    const made = (node.children ?? []).find(({ kind }) => kind === KIND.constructor);
    return made === undefined ? [] : paramGaps(`new ${node.name}`, made.signatures, undefined);
  };
  return all.flatMap((node) => [
    ...(isSaid(node.comment ?? node.signatures?.[0]?.comment) ? [] : [node.name]),
    ...(node.kind === KIND.function ? paramGaps(node.name, node.signatures) : madeGaps(node)),
    ...(node.kind === KIND.function ? [] : membersOf(node, byId).flatMap((child) => memberGaps(node, child))),
  ]);
}

const isShown = (node) => readComment(node?.comment ?? node?.signatures?.[0]?.comment).examples.length > 0;

/** @returns functions and classes of the original's names that have no example, at themselves or at their options. */
export function unshownOf({ main }) {
  const byName = new Map(main.map((node) => [node.name, node]));
  return ORIGINAL_NAMES.filter((name) => {
    const node = byName.get(name);
    if (node?.kind !== KIND.function && node?.kind !== KIND.class) return false;
    return !isShown(node) && !isShown(byName.get(`${name}Options`));
  });
}
