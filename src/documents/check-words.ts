// The verbs of a check in three languages, each with what it makes of a command's result. Patterns are anchored and
// look at the head of a clause only.

import type { Part } from "./check.ts";

/** What a verb compares. */
type VerbKind = Exclude<Part["kind"], "prose">;

/** A verb at the head of a clause. */
export interface Verb {
  readonly kind: VerbKind;
  /** Length of the verb with everything that belongs to it. */
  readonly length: number;
  /** The exit code of `exits`; NaN for every other verb. */
  readonly code: number;
  /** No blank or colon stands between the verb and what follows: in Chinese then mostly a description. */
  readonly isAttached: boolean;
}

/** The verbs of one language, as the source of expressions. */
type VerbSources = Readonly<Record<VerbKind, readonly string[]>>;

const END = "(?![\\p{L}\\p{N}_])";
const SEP = "(?:\\s*[:：]\\s*|\\s+)";
const NUM = "[`\"“'‘「]?(?<code>\\d{1,3})[`\"”'’」]?(?![\\p{N}\\p{L}_]|\\.\\d)";
const ZERO = "(?:0|zero|零)";

const EN: VerbSources = (() => {
  const subject =
    "(?:(?:it|this|that|which|and it|that it|the (?:command|program|script|tool|output)|stdout|standard output|output)\\s+)?";
  const modal = "(?:(?:should|must|will|shall|has to|needs to|is to)\\s+)?(?:also\\s+|then\\s+)?";
  const not =
    "(?:(?:do(?:es)?|should|must|will|shall|may|can)(?:\\s+not|n['’]t|not)|won['’]t|never|not)\\s+(?:ever\\s+)?";
  const print = "(?:print|output|echo)(?:e?s)?(?:\\s+out)?";
  const isVerb = `(?!\\s+(?:is|are|of|to|on|contains?|includes?|match(?:es)?|equals|should|must|will|does)${END})`;
  const stdout = "(?:the\\s+|its\\s+)?(?:stdout|standard output|output)\\s+(?:should\\s+|must\\s+|will\\s+)?";
  const code = "(?:exit(?:ing)?\\s*|status\\s*|return\\s*)?(?:code|status)";
  const exit = `(?:exits?|ends?|finishes|terminates|returns?)(?:\\s+with)?(?:\\s+(?:an?|the))?(?:\\s+${code})?(?:\\s+of)?\\s*[:=]?\\s*`;
  const bareExit = `(?:with\\s+)?(?:the\\s+|an?\\s+|its\\s+)?exit\\s*(?:code|status)(?:\\s+(?:is|of|equals|should be|must be|will be))?\\s*[:=]?\\s*`;
  const nonZero = `(?:non-?\\s?${ZERO}|not\\s+(?:with\\s+)?${ZERO}|other\\s+than\\s+${ZERO}|anything\\s+but\\s+${ZERO}|[>≠]\\s*0|!=\\s*0)(?:\\s+${code})?${END}`;
  const strictExit = `(?:exits?|(?:ends?|finishes|terminates|returns?)(?:\\s+with)?(?:\\s+(?:an?|the))?\\s+exit\\s*(?:code|status))`;
  return {
    fails: [
      `${subject}${modal}${exit}${nonZero}`,
      `${bareExit}${nonZero}`,
      `${subject}${not}exit\\s+(?:with\\s+)?(?:${code}\\s+)?0${END}`,
      `${subject}${modal}fails?${END}`,
    ],
    exits: [
      `${subject}${modal}(?=${strictExit})${exit}${NUM}`,
      `${bareExit}${NUM}`,
      `${subject}${modal}exits?\\s+(?:successfully|cleanly)(?<zero>)${END}`,
    ],
    prints_not: [`${subject}${not}${print}${SEP}`, `${stdout}${not}(?:contain|include)${SEP}`],
    prints_exactly: [
      `${subject}${modal}${print}\\s+(?:exactly|only|just)${SEP}`,
      `${stdout}(?:is|be|equals?)(?:\\s+exactly)?${SEP}`,
    ],
    prints: [`${subject}${modal}${print}${isVerb}${SEP}`, `${stdout}(?:contain|include)s?${SEP}`],
    matches: [`${subject}${modal}match(?:es)?${SEP}(?:the\\s+)?(?:regexp?|regular expression|pattern)?\\s*`],
    creates: [
      `${subject}${modal}(?:create|generate|produce)s?\\s+(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:(?:file|folder|directory)\\s+)?(?:called\\s+|named\\s+|at\\s+)?`,
    ],
  };
})();

const ZH: VerbSources = (() => {
  const subject = "(?:它|其|该?命令|该?程序|该?脚本)?";
  const modal = "(?:应当?|应该|必须|会|将|需要?|要|能够?)?(?:会|能|要)?";
  const not = "(?:不应该?|不会|不得|不能|不可以?|不要|不再|并不|没有|不|未)(?:会|能|再)?";
  const print = "(?:输出|打印)";
  const stdout = "(?:标准)?输出(?:内容|结果)?中?";
  const gap = "\\s*[:：]?\\s*";
  const code = "(?:退出|返回|结束)(?:状态|代)?码(?:应当?|应该|必须|会)?";
  return {
    fails: [
      `${subject}${code}\\s*(?:不为|不是|不等于|非|≠|!=|>|大于)\\s*${ZERO}`,
      `${subject}${modal}以?非\\s*${ZERO}\\s*(?:的)?(?:退出|返回)?(?:状态|代)?码?(?:退出|结束|返回)?`,
      `${subject}${modal}(?:执行|运行)?(?:失败|报错退出)`,
    ],
    exits: [
      `${subject}${modal}(?:以|用)?${code}\\s*(?:为|是|等于|=|：|:)?\\s*${NUM}(?:\\s*(?:退出|结束))?`,
      `${subject}${modal}(?:以|用)(?:状态码?|代码|码)?\\s*${NUM}\\s*(?:退出|结束)`,
      `${subject}${modal}退出\\s*${NUM}`,
    ],
    prints_not: [
      `${subject}${not}${print}(?:任何)?${gap}`,
      `${stdout}${not}(?:应|得)?(?:包含|含有|出现)${gap}`,
    ],
    prints_exactly: [
      `${subject}${modal}(?:只|仅|恰好|正好|精确地?|准确地?|完全)(?:会|应)?${print}${gap}`,
      `${subject}${modal}${print}(?:恰好|正好|恰|仅|只)(?:为|是)?${gap}`,
      `${stdout}(?:应当?|应该|必须)?(?:恰好|正好|恰|完全)?(?:为|是|等于)${gap}`,
    ],
    prints: [
      `${stdout}(?:应当?|应该|必须|会)?(?:包含|含有|包括)${gap}`,
      `${subject}${modal}${print}(?!(?:中|内容|结果)|(?:应|必须)|匹配|符合)(?:了|出)?${gap}`,
    ],
    matches: [`(?:${stdout}|${subject})${modal}(?:匹配|符合)(?:正则(?:表达式)?|模式)?${gap}`],
    creates: [
      `${subject}${modal}(?:创建|生成|产生|新建)(?:出|了)?(?:一个)?(?:新的?)?(?:文件夹|文件|目录)?(?:名为)?${gap}`,
    ],
  };
})();

const PT: VerbSources = (() => {
  const subject =
    "(?:(?:ele|ela|isso|isto|que|que ele|o (?:comando|programa|script)|a saída|saída|stdout)\\s+)?";
  const modal = "(?:(?:deve(?:rá|ria)?|precisa|tem (?:de|que)|vai)\\s+)?(?:também\\s+|então\\s+)?";
  const print = "(?:imprim(?:e|ir|irá|a)|exib(?:e|ir|irá|a))";
  const stdout = "(?:a\\s+)?(?:saída(?:\\s+padrão)?|stdout)\\s+(?:deve(?:rá)?\\s+)?";
  const code = "(?:o\\s+|um\\s+)?(?:código|status)(?:\\s+de\\s+(?:saída|erro|retorno))?";
  const exit = `(?:sai(?:r|rá|a)?|termina(?:r|rá)?|encerra(?:r|rá)?)\\s+com(?:\\s+${code})?\\s*[:=]?\\s*`;
  const bareExit = `(?:com\\s+)?(?:o\\s+|um\\s+)?(?:código|status)\\s+de\\s+(?:saída|retorno)\\s*(?:é|deve ser|igual a)?\\s*[:=]?\\s*`;
  const nonZero = `(?:(?:um\\s+)?(?:valor\\s+)?diferente\\s+de\\s+${ZERO}|não[-\\s]?(?:zero|nulo)|[>≠]\\s*0|!=\\s*0)${END}`;
  return {
    fails: [
      `${subject}${modal}${exit}${nonZero}`,
      `${bareExit}${nonZero}`,
      `${subject}${modal}falha(?:r|rá)?${END}`,
    ],
    exits: [
      `${subject}${modal}${exit}${NUM}`,
      `${bareExit}${NUM}`,
      `${subject}${modal}(?:retorna(?:r|rá)?|devolve(?:r|rá)?)\\s+${code}\\s*[:=]?\\s*${NUM}`,
    ],
    prints_not: [
      `${subject}(?:não|nunca)\\s+(?:deve(?:rá)?\\s+|pode\\s+)?${print}${SEP}`,
      `(?:a\\s+)?(?:saída|stdout)\\s+não\\s+(?:deve\\s+)?(?:contém|conter)${SEP}`,
    ],
    prints_exactly: [
      `${subject}${modal}${print}\\s+(?:exatamente|apenas|somente|só)${SEP}`,
      `${stdout}(?:é|ser|igual a)(?:\\s+exatamente)?${SEP}`,
    ],
    prints: [`${subject}${modal}${print}${SEP}`, `${stdout}(?:contém|conter)${SEP}`],
    matches: [
      `${subject}${modal}(?:corresponde(?:r|rá)?\\s+(?:à|ao|a)|(?:casa|combina)r?\\s+com)${SEP}(?:a\\s+|o\\s+)?(?:expressão regular|padrão|regex)?\\s*`,
    ],
    creates: [
      `${subject}${modal}(?:cria(?:r|rá)?|gera(?:r|rá)?|produz(?:ir|irá)?)\\s+(?:o\\s+|a\\s+|um\\s+|uma\\s+)?(?:nov[oa]\\s+)?(?:(?:arquivo|ficheiro|pasta|diretório)\\s+)?(?:chamad[oa]\\s+)?`,
    ],
  };
})();

/** The longer and the negated first: none may be taken for another one's beginning. */
const ORDER: readonly VerbKind[] = [
  "fails",
  "exits",
  "prints_not",
  "prints_exactly",
  "prints",
  "matches",
  "creates",
];

const VERBS: readonly { readonly kind: VerbKind; readonly pattern: RegExp }[] = ORDER.flatMap((kind) =>
  [EN, ZH, PT].flatMap((words) =>
    words[kind].map((source) => ({ kind, pattern: new RegExp(`^(?:${source})`, "iu") })),
  ),
);

/** A verb and its number are within this many characters. */
const HEAD_CHARS = 120;

/** The verb a clause begins with; undefined when it begins with none of them. */
export function readVerb(clause: string): Verb | undefined {
  const head = clause.slice(0, HEAD_CHARS);
  for (const { kind, pattern } of VERBS) {
    const match = pattern.exec(head);
    if (match === null) continue;
    const code = match.groups?.code ?? (match.groups?.zero === undefined ? undefined : "0");
    const number = code === undefined ? Number.NaN : Number(code);
    if (kind === "exits" && !(number <= 255)) continue;
    return {
      kind,
      length: match[0].length,
      code: number,
      isAttached: !/[\s:：]$/.test(match[0]),
    };
  }
  return undefined;
}
