// Where the run stands: facts about the machine that a judge without a shell could not find out.

import { arch, platform, release } from "node:os";
import { findProgram } from "../evidence/find-program.ts";
import { createGit } from "../runtime/git.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Programs whose presence decides most often what can be checked. */
const TOOLS = [
  ...["git", "node", "npm", "python3", "pip", "gcc", "clang", "make", "cmake", "cargo", "go", "java", "mvn"],
  ...[
    "ruby",
    "php",
    "dotnet",
    "swift",
    "docker",
    "psql",
    "sqlite3",
    "jq",
    "curl",
    "ffmpeg",
    "chromium",
    "bwrap",
  ],
];

function gitState(workspace: string, env: Env): string {
  const git = createGit(workspace, env);
  const branch = git.sync("rev-parse", "--abbrev-ref", "HEAD");
  if (branch.missing) return "git is not installed";
  if (!git.sync("rev-parse", "--is-inside-work-tree").ok) return "not a git repository";
  if (!branch.ok) return "a git repository without a commit";
  const changed = git
    .sync("status", "--porcelain")
    .out.split("\n")
    .filter((line) => line !== "").length;
  return `git repository on ${branch.out.trim()}, ${changed} changed or untracked paths`;
}

/** Facts as a Markdown list: platform, programs present and absent, display, git state. */
export function hostFacts(workspace: string, env: Env): string {
  const present = TOOLS.filter((tool) => findProgram(tool, env.PATH) !== undefined);
  const absent = TOOLS.filter((tool) => !present.includes(tool));
  const display = env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined || platform() !== "linux";
  return [
    `- platform: ${platform()} ${arch()} (kernel ${release()})`,
    `- programs here: ${present.join(", ") || "none of the usual ones"}`,
    `- programs not here: ${absent.join(", ") || "none of the usual ones is missing"}`,
    `- display: ${display ? "there may be one" : "none"}`,
    `- workspace: ${workspace}, ${gitState(workspace, env)}`,
  ].join("\n");
}
