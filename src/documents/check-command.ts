// Which inline code of a check is a command to run: one that an arrow follows or that "run" stands before. Code that is
// a name, and items with more than one command, give none.

import { readVerb } from "./check-words.ts";
import { type CodeSpan, codeSpans } from "./code-spans.ts";

/** A command with the words about its result. */
export interface FoundCommand {
  readonly command: string;
  readonly rest: string;
  /** The words stand behind "see" or one like it. */
  readonly isSeen: boolean;
}

const ARROW = /^[*_]{0,3}\s{0,8}(?:[-=—–－＝]{1,3}[>＞]|[→⇒➜➔➡⟶⟹]\ufe0f?)\s*/u;
const RUN =
  /(?:^|[^\p{L}])(?:(?:re-?)?(?:run|runs|running|execute|executes|executing)(?:\s+(?:the\s+)?(?:command|program|script))?|(?:execut|rod)(?:e|a|ar|ando)(?:\s+(?:o\s+)?(?:comando|programa|script))?)\s*[:：]?\s*[*_]{0,3}$|(?:运行|执行|跑一?下?)(?:一下|一次|以下|下列)?(?:命令|程序|脚本)?\s*[:：]?\s*[*_]{0,3}$/iu;
const NOT_RUN =
  /(?:(?<!\p{L})(?:not|never|cannot|não|nunca|sem|without)|n['’]t|不要?|不能|不得|请?勿|别|无需|未)\s*(?:to\s+)?[*_]{0,3}$/iu;
/** Something is to be done before: what the command shows by itself is then not what is meant. */
const FIRST_DO =
  /^[\s*_]*(?:after|once|before|afterwards|depois|após|antes)(?!\p{L})|[.;,:。；，：]\s*(?:after|once|before|depois|após|antes)(?!\p{L})|(?<!\p{L})(?:then|afterwards|então|depois)\s*[,:]?\s*[*_]{0,3}$|(?:之后|以后|之前|然后|再|后)[，,：:]?\s*$/iu;
/** It is to run in another state of things than the one at hand. */
const ELSEWHERE =
  /(?<!\p{L})(?:fresh|clean|new|empty|another)\s+(?:\p{L}+\s+)?(?:checkout|clone|copy|container|machine|environment|folder|directory|install\w*)(?!\p{L})|(?:全新|干净|空)的?(?:克隆|检出|目录|环境|容器)|(?:clone|cópia|pasta|diretório|ambiente)\s+(?:nov[oa]|limp[oa]|vazi[oa])(?!\p{L})/iu;
/** A place named before: the command runs somewhere else then. */
const PLACE_BEFORE = /(?:(?<!\p{L})(?:in|into|inside|from|within|under|em|dentro de|no|na)|在|于|进入)\s*$/iu;
const SEE =
  /^[\s,;:.，；：。、—–-]*(?:(?:and|then|to|e|então|para)\s+|并且?|然后|后|再)*(?:(?:you\s+|one\s+)?(?:should\s+|will\s+|must\s+)?(?:see|expect|get|observe|check|verify|confirm)(?:\s+that|\s+it)?|(?:应该?|会|可以?|能)?(?:看到|看见|得到|期望|预期|确认|检查|观察到)|(?:você\s+)?(?:deve(?:rá)?\s+)?(?:ver|veja|vê|verá|espere|espera-se|obtenha|observe|confira|verifique)(?:\s+que)?)(?!\p{Script=Latin})\s*[:：,，]?\s*/iu;
const BEHIND_RUN =
  /^[*_]{0,3}\s*(?:$|[,;:.，；：。、—–]|(?:and|then|to|e|então|para)\s+|并且?|然后|后|再|应|会|必须)/iu;
const LEAD = /^[*_]{0,3}[\s,;:.，；：。、—–]*(?:(?:and|then|e|então)\s+|并且?|然后|后|再)*/iu;
const DATA_FILE =
  /\.(?:md|markdown|txt|rst|adoc|jsonl?|ya?ml|toml|ini|cfg|conf|env|html?|css|[ct]sv|xml|svg|png|jpe?g|gif|pdf|lock|log)$/i;
const PLACEHOLDER = /<[\p{L}][\p{L}\d_-]*>|…|\.\.\.(?!\/)(?=\s|$)/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no command has them on purpose
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;

/** The command in a piece of code, or undefined when it is a name of something. */
function commandIn(code: string): string | undefined {
  const command = code.trim().replace(/^\$\s+/, "");
  if (command === "" || CONTROL.test(command) || PLACEHOLDER.test(command)) return undefined;
  if (/^[\p{L}_$][\p{L}\d_.$]*\(/u.test(command) || !/[\p{L}\p{N}]/u.test(command)) return undefined;
  if (/\s/.test(command)) return command;
  if (/^(?:--?[\p{L}]|[#@.:](?![/]))|[=;]$/u.test(command) || DATA_FILE.test(command)) return undefined;
  // `wc.mjs` alone is a file: a shell runs it only with its folder named. `python3.12` is a program.
  const isFile = /\.[a-z][\da-z]{0,5}$/i.test(command) && !/^(?:\.{0,2}\/|~\/)/.test(command);
  return isFile && !/\/.*\.(?:sh|bash)$/.test(command) ? undefined : command;
}

interface Mark {
  readonly span: CodeSpan;
  readonly command: string;
  readonly arrow: number;
}

function markOf(text: string, span: CodeSpan): Mark | undefined {
  const command = commandIn(span.code);
  const arrow = ARROW.exec(text.slice(span.end, span.end + 40))?.[0].length ?? 0;
  const isRun = RUN.test(text.slice(Math.max(0, span.start - 80), span.start));
  return command === undefined || (arrow === 0 && !isRun) ? undefined : { span, command, arrow };
}

/** Whether the words before a command are no more than a label or the word "run". */
function isLabel(text: string, before: readonly CodeSpan[]): boolean {
  const run = RUN.exec(text)?.[0] ?? "";
  const label = text.slice(0, text.length - run.trimStart().length);
  if (NOT_RUN.test(label) || FIRST_DO.test(label) || ELSEWHERE.test(label)) return false;
  return before.every(({ start, code }) => {
    const isCommand = /\s/.test(code.trim()) && commandIn(code) !== undefined;
    return !isCommand && !PLACE_BEFORE.test(text.slice(0, start));
  });
}

/** The one command of a checklist item, or undefined. */
export function findCommand(text: string): FoundCommand | undefined {
  const spans = codeSpans(text);
  const marks = spans.map((span) => markOf(text, span)).filter((mark) => mark !== undefined);
  const [mark] = marks;
  if (mark === undefined || marks.length > 1) return undefined;
  const { span, command, arrow } = mark;
  const before = spans.filter(({ end }) => end <= span.start);
  if (!isLabel(text.slice(0, span.start), before)) return undefined;
  const rest = text.slice(span.end + arrow);
  const see = SEE.exec(arrow > 0 ? rest : rest.replace(/^[*_]{1,3}/, ""))?.[0];
  // `a` -> `b` is a pair of names as well as a program and what it prints.
  const isPair = !/[\s/]/.test(command) && see === undefined && /^["'`“「]/.test(rest);
  if (arrow > 0 && isPair) return undefined;
  if (arrow > 0) return { command, rest: rest.slice(see?.length ?? 0), isSeen: see !== undefined };
  if (see !== undefined) {
    const stars = /^[*_]{0,3}/.exec(rest)?.[0].length ?? 0;
    return { command, rest: rest.slice(stars + see.length), isSeen: true };
  }
  return afterRun(command, rest);
}

function afterRun(command: string, rest: string): FoundCommand | undefined {
  const said = rest.slice(LEAD.exec(rest)?.[0].length ?? 0);
  const isFree = !said.startsWith("`") && (BEHIND_RUN.test(rest) || readVerb(said) !== undefined);
  return isFree ? { command, rest: said, isSeen: false } : undefined;
}
