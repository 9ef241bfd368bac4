// One symbol of the API reference as Markdown.
import { readComment } from "./comment-text.mjs";
import { nameOf, paramsText, typeParamsText, typeText, withoutUndefined } from "./type-text.mjs";

export const KIND = {
  variable: 32,
  function: 64,
  class: 128,
  interface: 256,
  constructor: 512,
  property: 1024,
  method: 2048,
  constructorSignature: 16_384,
  accessor: 262_144,
  alias: 2_097_152,
};

const cell = (text) =>
  text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .trim();
const code = (text) => `\`${text}\``;
const fenced = (text) => `\`\`\`typescript\n${text}\n\`\`\``;

function table(head, rows) {
  if (rows.length === 0) return "";
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A type in a cell: a link where it is one symbol of the reference, or a list of one. */
function typeCell(type, linkTo) {
  const text = typeText(type);
  const place = /^\w+(\[\])?$/.test(text) ? linkTo(undefined, text.replace("[]", "")) : undefined;
  return place === undefined ? cell(code(text)) : `[${code(text)}](${place})`;
}

function saidOf(comment, linkTo, withDefault = false) {
  const said = readComment(comment, linkTo);
  const parts = [said.summary];
  if (withDefault && said.defaultValue !== "") parts.push(`Default: ${said.defaultValue}.`);
  if (said.throws.length > 0) parts.push(`Throws ${said.throws.join(" ")}`);
  return cell(parts.filter((part) => part !== "").join(" "));
}

/** What follows a signature: returns, throws, examples. */
function tail(comment, linkTo) {
  const { returns, throws, examples } = readComment(comment, linkTo);
  return [
    returns === "" ? "" : `**Returns** ${returns}`,
    ...throws.map((text) => `**Throws** ${text}`),
    ...examples.map((text) => `**Example**\n\n${text}`),
  ];
}

function paramTable(signature, linkTo) {
  const rows = (signature.parameters ?? []).map((each) => {
    const isOptional = each.flags.isOptional || each.defaultValue !== undefined;
    const usual =
      each.defaultValue === undefined || each.defaultValue === "{}"
        ? ""
        : ` Default: \`${each.defaultValue}\`.`;
    const type = withoutUndefined(each.type);
    const typed = typeCell(type, linkTo);
    const said =
      readComment(each.comment, linkTo).summary || (typed.startsWith("[") ? "" : linkedMeaning(type, linkTo));
    return [`${code(nameOf(each))}${isOptional ? "" : " \\*"}`, typed, cell(`${said}${usual}`)];
  });
  return table(["parameter", "type", ""], rows);
}

function linkedMeaning(type, linkTo) {
  const place = type.type === "reference" ? linkTo(undefined, type.name) : undefined;
  return place === undefined ? "" : `see [${code(type.name)}](${place})`;
}

function signatureText(name, signature) {
  const returned = signature.kind === KIND.constructorSignature ? "" : `: ${typeText(signature.type)}`;
  const own = typeParamsText(signature.typeParameters ?? signature.typeParameter);
  const line = `${name}${own}(${paramsText(signature.parameters)})${returned}`;
  if (line.length <= 110) return line;
  const parameters = (signature.parameters ?? []).map((each) => `  ${paramsText([each])},`);
  return `${name}${own}(\n${parameters.join("\n")}\n)${returned}`;
}

function callable(name, signature, linkTo) {
  return [
    fenced(signatureText(name, signature)),
    readComment(signature.comment, linkTo).summary,
    paramTable(signature, linkTo),
    ...tail(signature.comment, linkTo),
  ];
}

/** Fields of options and records: a type of a field that is a function is its signature. */
function fieldType(child) {
  if (child.kind === KIND.accessor) return child.getSignature.type;
  if (child.type !== undefined) return child.flags.isOptional ? withoutUndefined(child.type) : child.type;
  return { type: "reflection", declaration: { signatures: child.signatures } };
}

function ownComment(child) {
  return child.comment ?? child.getSignature?.comment ?? child.signatures?.[0]?.comment;
}

/**
 * A field of a class that repeats an option is described there, and a method of a store where the port is; in the
 * place of a comment of its own, the reference shows that one.
 */
export function commentOf(child, node, byName) {
  const own = ownComment(child);
  if (own !== undefined || node?.kind !== KIND.class) return own;
  const origins = [
    `${node.name}Options`,
    `${node.name}Fields`,
    `Plain${node.name.replace("SessionStore", "")}Options`,
  ];
  if (node.name.endsWith("SessionStore")) origins.push("SessionStore");
  const found = origins
    .flatMap((origin) => byName.get(origin)?.children ?? [])
    .find((each) => each.name === child.name);
  const comment = found && ownComment(found);
  return comment && { summary: comment.summary };
}

/** A field that tells members of a union apart says what it is by its only value. */
export function isTag(child) {
  return child.name === "kind" && child.type?.type === "literal";
}

function fieldTable(node, children, { linkTo, byName }) {
  const hasDefaults = children.some(
    (child) => readComment(commentOf(child, node, byName)).defaultValue !== "",
  );
  const rows = children.map((child) => {
    const comment = commentOf(child, node, byName);
    const said = readComment(comment, linkTo);
    const usual = said.defaultValue === "" ? "" : cell(said.defaultValue);
    return [
      `${code(child.name)}${child.flags.isOptional || node.kind === KIND.class ? "" : " \\*"}`,
      typeCell(fieldType(child), linkTo),
      ...(hasDefaults ? [usual] : []),
      saidOf(comment, linkTo) || (isTag(child) ? "What kind it is." : ""),
    ];
  });
  return table(["field", "type", ...(hasDefaults ? ["default"] : []), ""], rows);
}

/** The fields behind `Omit<Options, "key">`, by the record it is made from. */
export function fieldsOf(node, byId) {
  if (node.kind !== KIND.alias || node.children !== undefined) return node.children ?? [];
  const type = node.type ?? {};
  if (type.type === "reference" && type.name === "Omit") {
    const [from, left] = type.typeArguments;
    const omitted = left.type === "union" ? left.types.map(({ value }) => value) : [left.value];
    return (byId.get(from.target)?.children ?? []).filter(({ name }) => !omitted.includes(name));
  }
  return type.type === "reflection" ? (type.declaration.children ?? []) : [];
}

const isOwn = (child) => child.kind !== KIND.constructor && !child.name.startsWith("[");

/** Members a reader meets: constructors are shown apart, and what an error inherits is on the page once. */
export function membersOf(node, byId) {
  const isError = (node.extendedTypes ?? []).some(({ name }) => name === "FlowerError");
  return fieldsOf(node, byId).filter(
    (child) => isOwn(child) && !(isError && child.inheritedFrom !== undefined),
  );
}

function classParts(node, page) {
  const { linkTo, byId, byName, heading } = page;
  const made = (node.children ?? []).find(({ kind }) => kind === KIND.constructor);
  const members = membersOf(node, byId);
  const fields = members.filter(({ kind }) => kind !== KIND.method);
  const methods = members.filter(({ kind }) => kind === KIND.method);
  return [
    ...(made === undefined ? [] : callable(`new ${node.name}`, made.signatures[0], linkTo)),
    fieldTable(node, fields, page),
    ...methods.flatMap((method) => [
      heading(`${node.name}.${method.name}`, 3),
      ...method.signatures.flatMap((each) => {
        const called = `${method.flags.isStatic ? `${node.name}.` : ""}${method.name}`;
        return callable(called, { ...each, comment: commentOf(method, node, byName) }, linkTo);
      }),
    ]),
  ];
}

function variableText(node) {
  const value = node.type?.type === "literal" && String(node.type.value).length < 40;
  return `const ${node.name}: ${value ? typeText(node.type) : "string"}`;
}

function aliasParts(node, page) {
  const fields = fieldsOf(node, page.byId);
  if (fields.length > 0) return [fieldTable(node, fields, page)];
  const own = typeParamsText(node.typeParameters);
  return [fenced(`type ${node.name}${own} = ${typeText(node.type)}`)];
}

/** @returns the paragraphs below a symbol's heading. */
export function renderSymbol(node, page) {
  const { linkTo, byId } = page;
  if (node.kind === KIND.function)
    return node.signatures.flatMap((each) => callable(node.name, each, linkTo));
  const summary = readComment(node.comment, linkTo).summary;
  const after = tail(node.comment, linkTo);
  if (node.kind === KIND.class) return [summary, ...after, ...classParts(node, page)];
  if (node.kind === KIND.variable) return [fenced(variableText(node)), summary, ...after];
  if (node.kind === KIND.alias) return [summary, ...aliasParts(node, page), ...after];
  return [summary, fieldTable(node, membersOf(node, byId), page), ...after];
}
