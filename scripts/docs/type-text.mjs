// Types of TypeDoc's JSON as a reader writes them. `readonly` and `| undefined` of optional fields are left out: every
// field is read-only, and an absent one may always be written as undefined where that is not said.

const ARROW_KINDS = new Set(["union", "intersection", "conditional"]);

function isFunction(type) {
  return type.type === "reflection" && type.declaration.signatures !== undefined;
}

function wrapped(type) {
  const text = typeText(type);
  return ARROW_KINDS.has(type.type) || isFunction(type) ? `(${text})` : text;
}

/** Options taken apart where they are received have no name of their own. */
export function nameOf(parameter) {
  return parameter.name === "__namedParameters" ? "options" : parameter.name;
}

export function paramsText(parameters = []) {
  return parameters
    .map((each) => {
      const isOptional = each.flags.isOptional || each.defaultValue !== undefined;
      return `${each.flags.isRest ? "..." : ""}${nameOf(each)}${isOptional ? "?" : ""}: ${typeText(withoutUndefined(each.type))}`;
    })
    .join(", ");
}

export function typeParamsText(parameters) {
  if (parameters === undefined || parameters.length === 0) return "";
  const texts = parameters.map((each) => {
    const bound = each.type === undefined ? "" : ` extends ${typeText(each.type)}`;
    const usual = each.default === undefined ? "" : ` = ${typeText(each.default)}`;
    return `${each.name}${bound}${usual}`;
  });
  return `<${texts.join(", ")}>`;
}

export function withoutUndefined(type) {
  if (type?.type !== "union") return type;
  const types = type.types.filter((each) => each.name !== "undefined");
  return types.length === 1 ? types[0] : { ...type, types };
}

function objectText({ children = [], indexSignatures = [], signatures }) {
  if (signatures !== undefined) {
    const [first] = signatures;
    return `(${paramsText(first.parameters)}) => ${typeText(first.type)}`;
  }
  const fields = children.map((child) => {
    const type = child.type ?? { type: "reflection", declaration: child };
    return `${child.name}${child.flags.isOptional ? "?" : ""}: ${typeText(child.flags.isOptional ? withoutUndefined(type) : type)}`;
  });
  const indexed = indexSignatures.map((each) => `[${paramsText(each.parameters)}]: ${typeText(each.type)}`);
  const all = [...fields, ...indexed];
  return all.length === 0 ? "{}" : `{ ${all.join("; ")} }`;
}

const WRITERS = {
  intrinsic: ({ name }) => name,
  literal: ({ value }) => (value === null ? "null" : JSON.stringify(value)),
  reference: ({ name, typeArguments = [] }) => {
    if (name === "Readonly" && typeArguments.length === 1) return typeText(typeArguments[0]);
    const own = name.startsWith("Plain") ? name.slice("Plain".length) : name;
    return typeArguments.length === 0 ? own : `${own}<${typeArguments.map(typeText).join(", ")}>`;
  },
  array: ({ elementType }) => `${wrapped(elementType)}[]`,
  union: ({ types }) => types.map((each) => (isFunction(each) ? wrapped(each) : typeText(each))).join(" | "),
  intersection: ({ types }) => types.map(wrapped).join(" & "),
  reflection: ({ declaration }) => objectText(declaration),
  tuple: ({ elements = [] }) => `[${elements.map(typeText).join(", ")}]`,
  namedTupleMember: ({ name, element }) => `${name}: ${typeText(element)}`,
  typeOperator: ({ operator, target }) =>
    operator === "readonly" ? typeText(target) : `${operator} ${typeText(target)}`,
  query: ({ queryType }) => `typeof ${typeText(queryType)}`,
  indexedAccess: ({ objectType, indexType }) => `${wrapped(objectType)}[${typeText(indexType)}]`,
  mapped: ({ parameter, parameterType, templateType, optionalModifier }) =>
    `{ [${parameter} in ${typeText(parameterType)}]${optionalModifier === "+" ? "?" : ""}: ${typeText(templateType)} }`,
  conditional: ({ checkType, extendsType, trueType, falseType }) =>
    `${typeText(checkType)} extends ${typeText(extendsType)} ? ${typeText(trueType)} : ${typeText(falseType)}`,
  predicate: ({ name, targetType }) => `${name} is ${typeText(targetType)}`,
  templateLiteral: ({ head, tail }) =>
    `\`${head}${tail.map(([type, text]) => `\${${typeText(type)}}${text}`).join("")}\``,
  optional: ({ elementType }) => `${typeText(elementType)}?`,
  rest: ({ elementType }) => `...${typeText(elementType)}`,
  unknown: ({ name }) => name,
};

/** One line. */
export function typeText(type) {
  if (type === undefined) return "unknown";
  const write = WRITERS[type.type];
  if (write === undefined) throw new Error(`the API reference cannot write a type of kind "${type.type}"`);
  return write(type).replaceAll(/\s+/g, " ");
}
