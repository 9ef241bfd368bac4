// What isolated work, its integration and `flower worktrees` say, in Chinese.

import type { worktreesEn } from "./worktrees-en.ts";

/** Messages of isolated work in Chinese. */
export const worktreesZh: Readonly<Record<keyof typeof worktreesEn, string>> = {
  "integration.state": "隔离的工作已汇总到 {branch}（提交：{commits}，文件：{files}）",
  "integration.conflict": "{branch} 合并有冲突：{files}",
  "integration.conflict_with": "{branch} 合并有冲突：{files}；{others} 也改了这些文件",
  "integration.stuck": "{branch} 的工作未被采纳：{why}",
  "integration.left_out": "{branch} 中这些内容不在任何提交里：{files}",
  "integration.blocked": "隔离的工作无法汇总：{why}",
  "integration.kept": "集成工作树里遗留的内容已另存：`git show {commit}`",
  "integration.waiting": "成果在 {branch} 上；{base} 保持原样。用 `git merge {branch}` 合并进来",
};
