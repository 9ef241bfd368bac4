// Writes the made part of docs/cli.md. Usage: npm run docs:cli
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../dist/cli/args/commands.js";
import { FLAGS } from "../dist/cli/args/flags.js";
import { createTranslator } from "../dist/config/locale/translator.js";
import { cliReference, PART } from "./cli-reference.mjs";
import { replaceMarked } from "./marked-part.mjs";

const path = fileURLToPath(new URL("../docs/cli.md", import.meta.url));
const reference = cliReference({ commands: COMMANDS, flags: FLAGS, say: createTranslator("en") });
writeFileSync(path, replaceMarked(readFileSync(path, "utf8"), PART, reference));
