// Every test process: a throw-away HOME and no credential, so nothing of the person's own can be picked up.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

for (const name of Object.keys(process.env)) {
  if (/^(ANTHROPIC|CLAUDE|FLOWER|AWS_|GOOGLE_|AZURE_)/.test(name)) delete process.env[name];
}
// Files that share a worker share its folder.
if (!basename(process.env.HOME ?? "").startsWith("flower-home-")) {
  const home = mkdtempSync(join(tmpdir(), "flower-home-"));
  process.env.HOME = home;
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));
}
delete process.env.XDG_CONFIG_HOME;
