// The API reference as files: pages by topic, and an index with the names of the original.
import { ORIGINAL_NAMES, PAGES, TESTING_PAGE } from "./pages.mjs";
import { KIND, renderSymbol } from "./render-symbol.mjs";
import { createSlugger } from "./slugs.mjs";

const MADE = "<!-- written by `npm run docs:api` from the comments in src/; edit those -->";

function indexById(nodes) {
  const byId = new Map();
  const visit = (node) => {
    byId.set(node.id, node);
    for (const child of node.children ?? []) visit(child);
  };
  for (const node of nodes) visit(node);
  return byId;
}

const plainName = (name) => (name.startsWith("Plain") ? undefined : name);

/** Pages with their nodes; names without a node are left out, for the check to find. */
function layOut({ main, testing, mentioned }) {
  const byName = new Map([...mentioned, ...main].map((node) => [node.name, node]));
  const pages = PAGES.map((page) => ({
    ...page,
    nodes: page.names.flatMap((name) => byName.get(name) ?? []),
  }));
  return [...pages, { ...TESTING_PAGE, nodes: testing }];
}

/** Where each symbol stands: by its id, and by its name for the main list and for testing apart. */
function placeAll(pages) {
  const ids = new Map();
  const names = { main: new Map(), testing: new Map() };
  for (const page of pages) {
    const slug = createSlugger();
    slug(page.title);
    for (const node of page.nodes) {
      const place = { file: page.file, anchor: slug(node.name) };
      ids.set(node.id, place);
      names[page.file === TESTING_PAGE.file ? "testing" : "main"].set(node.name, place);
      for (const child of node.children ?? []) {
        ids.set(child.id, place);
        if (node.kind === KIND.class && child.kind === KIND.method && !child.name.startsWith("["))
          slug(`${node.name}.${child.name}`);
      }
    }
  }
  return { ids, names };
}

function linker(file, { ids, names }) {
  const first = file === TESTING_PAGE.file ? names.testing : names.main;
  return (id, text) => {
    const name = text.replace(/^Plain/, "").split(".")[0];
    const place = ids.get(id) ?? first.get(name) ?? names.main.get(name);
    if (place === undefined) return undefined;
    return place.file === file ? `#${place.anchor}` : `${place.file}#${place.anchor}`;
  };
}

function renderPage(page, { places, byId, byName }) {
  const linkTo = linker(page.file, places);
  const heading = (text, level) => `${"#".repeat(level)} ${text}`;
  const parts = page.nodes.flatMap((node) => [
    heading(node.name, 2),
    ...renderSymbol(node, { linkTo, byId, byName, heading }),
  ]);
  const from = page.file === TESTING_PAGE.file ? "flower-agent/testing" : "flower-agent";
  const intro = `${page.about} Import from \`${from}\`. A field or parameter with \\* must be given. [All pages](README.md)`;
  return `${[MADE, `# ${page.title}`, intro, ...parts].filter((part) => part !== "").join("\n\n")}\n`;
}

function firstSentence(node) {
  const comment = node.comment ?? node.signatures?.[0]?.comment;
  const text = (comment?.summary ?? []).map((part) => part.text).join("");
  return (/^[\s\S]*?[.:;](?=\s|$)/.exec(text)?.[0] ?? text)
    .replace(/[:;]$/, ".")
    .replaceAll("\n", " ")
    .replaceAll("|", "\\|");
}

function renderIndex(pages, { names }, main) {
  const byName = new Map(main.map((node) => [node.name, node]));
  const at = (name) => {
    const { file, anchor } = names.main.get(name);
    return `[\`${name}\`](${file}#${anchor})`;
  };
  const rows = ORIGINAL_NAMES.map((name) => `| ${at(name)} | ${firstSentence(byName.get(name))} |`);
  const added = main
    .map(({ name }) => name)
    .filter((name) => !ORIGINAL_NAMES.includes(name))
    .sort((a, b) => a.localeCompare(b, "en"));
  return `${[
    MADE,
    "# API reference",
    "Everything `flower-agent` and `flower-agent/testing` export. All data is read-only. Seconds are seconds and say so (`timeoutS`), times in records are epoch seconds, money is US dollars. Options are objects; an unknown key is refused with the nearest name (`unknown_option`). Where no default is named, an option that is left out does nothing; one that is `undefined` counts as left out.",
    "| page | |\n| --- | --- |",
  ].join(
    "\n\n",
  )}\n${pages.map((page) => `| [${page.title}](${page.file}) | ${page.about} |`).join("\n")}\n\n## The ${ORIGINAL_NAMES.length} names of the Python original\n\nHow they differ: [migration](../migration.md).\n\n| | |\n| --- | --- |\n${rows.join("\n")}\n\n## Beside them\n\n${added.map(at).join(" · ")}\n\nFor tests of your own: [flower-agent/testing](${TESTING_PAGE.file}).\n`;
}

/** @returns the text of each file of docs/api, by name. */
export function renderApi(api) {
  const pages = layOut(api);
  const places = placeAll(pages);
  const byId = indexById([...api.main, ...api.testing, ...api.mentioned]);
  const byName = new Map([...api.mentioned, ...api.main].map((node) => [node.name, node]));
  const files = new Map(pages.map((page) => [page.file, renderPage(page, { places, byId, byName })]));
  files.set("README.md", renderIndex(pages, places, api.main));
  return files;
}

/** Exports on no page, and names of pages that are no export. */
export function misplaced({ main, mentioned }) {
  const placed = new Set(PAGES.flatMap(({ names }) => names));
  const there = [...main, ...mentioned].flatMap(({ name }) => plainName(name) ?? []);
  return {
    homeless: there.filter((name) => !placed.has(name)),
    gone: [...placed, ...ORIGINAL_NAMES].filter((name) => !there.includes(name)),
  };
}
