// Writes docs/api from the comments in src/. Usage: npm run docs:api
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readApi } from "./docs/read-api.mjs";
import { renderApi } from "./docs/render-api.mjs";

const folder = join(import.meta.dirname, "..", "docs", "api");
const files = renderApi(readApi());
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
for (const [name, text] of files) writeFileSync(join(folder, name), text);
console.log(`${files.size} pages in docs/api`);
