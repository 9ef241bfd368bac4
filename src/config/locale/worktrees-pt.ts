// What isolated work, its integration and `flower worktrees` say, in Portuguese.

import type { worktreesEn } from "./worktrees-en.ts";

/** Messages of isolated work in Portuguese. */
export const worktreesPt: Readonly<Record<keyof typeof worktreesEn, string>> = {
  "integration.state": "o trabalho isolado está reunido em {branch} (commits: {commits}, arquivos: {files})",
  "integration.conflict": "{branch} não mescla sem conflito: {files}",
  "integration.conflict_with": "{branch} não mescla sem conflito: {files}; também alterado por {others}",
  "integration.stuck": "o trabalho de {branch} ficou de fora: {why}",
  "integration.left_out": "nenhum commit contém isto de {branch}: {files}",
  "integration.blocked": "não foi possível reunir o trabalho isolado: {why}",
  "integration.kept": "o que estava no worktree de integração foi guardado: `git show {commit}`",
  "integration.waiting":
    "o trabalho está em {branch}; {base} continua como estava. `git merge {branch}` o traz para cá",
};
