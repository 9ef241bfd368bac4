// Holds the documents against what there is: TypeScript blocks compile and run, links lead somewhere, the API
// reference is what the sources say and leaves nothing out. Usage: npm run docs:check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as testing from "flower-agent/testing";
import { gapsOf, unshownOf } from "./docs/api-gaps.mjs";
import { SCRIPTS } from "./docs/block-scripts.mjs";
import { checkTypes, gatherBlocks, runBlock } from "./docs/check-blocks.mjs";
import { checkLinks } from "./docs/check-links.mjs";
import { readApi } from "./docs/read-api.mjs";
import { misplaced, renderApi } from "./docs/render-api.mjs";

/** More than this, and the documents show what nobody checks. */
const MOST_FRAGMENTS = 4;
const root = join(import.meta.dirname, "..");

function readDocuments() {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("node_modules"))
    .map((name) => join("docs", name));
  const names = ["README.md", "AGENTS.md", "CHANGELOG.md", ...inDocs.sort()];
  return new Map(names.map((name) => [name, readFileSync(join(root, name), "utf8")]));
}

/** Every page of the reference as it would be written now, and what it leaves unsaid. */
function checkApi(texts) {
  const api = readApi();
  const pages = renderApi(api);
  const { homeless, gone } = misplaced(api);
  const stale = [...pages].map(([name, text]) => ({
    title: `docs/api/${name} is what the sources say`,
    faults: texts.get(join("docs", "api", name)) === text ? [] : ["stale: npm run docs:api"],
  }));
  return [
    ...stale,
    {
      title: "every export is on a page of the reference",
      faults: [
        ...homeless.map((name) => `${name} is on no page of scripts/docs/pages.mjs`),
        ...gone.map((name) => `${name} is no export`),
      ],
    },
    {
      title: "every export, field and parameter is described",
      faults: gapsOf(api).map((place) => `${place} has no word in its comment`),
    },
    {
      title: "every function and class of the original's has an example",
      faults: unshownOf(api).map((name) => `${name} has no @example in its comment`),
    },
  ];
}

async function checkBlocks(texts) {
  const blocks = gatherBlocks(texts);
  const whole = blocks.filter(({ isFragment }) => !isFragment);
  const fragments = blocks.length - whole.length;
  const results = checkTypes(whole, root);
  results.push({
    title: `${fragments} of ${blocks.length} blocks are fragments, at most ${MOST_FRAGMENTS}`,
    faults: fragments > MOST_FRAGMENTS ? ["make them whole"] : [],
  });
  const toRun = blocks.filter(({ remark }) => remark.startsWith("run:"));
  for (const block of toRun) results.push(await runBlock(block, { root, scripts: SCRIPTS, testing }));
  const used = new Set(toRun.map(({ remark }) => remark.slice("run:".length).trim()));
  const idle = Object.keys(SCRIPTS).filter((name) => !used.has(name));
  return [...results, { title: "every script of a block is used", faults: idle }];
}

const texts = readDocuments();
const results = [...checkLinks(texts, root), ...checkApi(texts), ...(await checkBlocks(texts))];
const failed = results.filter(({ faults }) => faults.length > 0);
for (const { title, faults } of results) {
  console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${title}`);
  for (const fault of faults) console.log(`       ${fault}`);
}
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
