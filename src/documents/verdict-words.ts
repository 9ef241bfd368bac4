// The words of a ruling in three languages, folded: lower case, without accents or emphasis.

// A word ends where its letters do; a hyphen makes it another word (`non-achieved`).
const START = "(?<![a-z0-9_-])";
const END = "(?![a-z0-9_-])";

function words(alternatives: readonly string[]): string {
  return `${START}(?:${alternatives.join("|").replaceAll(" ", "[\\s_-]+")})${END}`;
}

function pattern(latin: readonly string[], chinese: string): RegExp {
  return new RegExp(`${words(latin)}|${chinese}`, "g");
}

const CANNOT = "(?:cannot|can not|can't|cant|could not|couldn't|unable to|impossible to|not possible to)";
const DONE_PT = "(?:alcancad[oa]s?|atingid[oa]s?)";
const NOT = "(?:not|isn't|aren't|wasn't|weren't|hasn't|haven't)";

/** What says that the goal cannot be verified or done where the run is. */
export const UNREACHABLE = pattern(
  [
    `${CANNOT} be (?:fully |reliably |independently )?(?:verified|judged)(?: here)?`,
    `${CANNOT} verify(?: (?:here|if|whether))?`,
    "not verifiable(?: here)?",
    "unverifiable",
    "unreachable",
    "nao (?:e |sao )?verificave(?:l|is)",
    "nao (?:e|foi) possivel verificar",
    "nao pode ser verificad[oa]",
    "inverificave(?:l|is)",
    "inalcancave(?:l|is)",
  ],
  "无法(?:在此环境)?验证|没法验证|验证不了|无法判定|无法达成",
);

/** What says that the goal is not achieved. */
export const NOT_YET = pattern(
  [
    `${NOT} (?:yet )?(?:been )?(?:fully |completely |entirely )?(?:achieved|met)`,
    "not yet(?: (?:been )?(?:fully )?(?:achieved|met))?",
    "unachieved",
    "unmet",
    `ainda nao(?: (?:foi|foram|esta|estao))?(?: (?:totalmente|plenamente))?(?: ${DONE_PT})?`,
    `nao (?:(?:foi|foram|esta|estao) )?(?:(?:totalmente|plenamente) )?(?:${DONE_PT}|aprovad[oa]s?)`,
  ],
  "(?:尚未|还未|还没有?|没有?|并未|未)(?:完全|全部)?达成",
);

/** What says that it is; only where nothing around it takes that back. */
export const ACHIEVED = pattern(["achieved", "met", DONE_PT], "已经?达成|达成");

/** Prose about what would or may be; a state in it is no ruling. */
export const HYPOTHETICAL = pattern(
  [
    "could|couldn't|might|would|wouldn't|may|if|unless|perhaps|maybe|possibly|suppose|supposing|assuming",
    "se|poderia|seria|fosse|talvez|caso|possivelmente",
  ],
  "如果|若|假如|要是|可能|也许|或许",
);

/** "No checks failed", "nothing is left", 没有遗漏, "sem falhas": negations that take nothing back. */
export const HARMLESS = pattern(
  [
    "(?:no|zero|0|none|nothing)(?: (?:of|the|checks?|items?|tests?|criteria|criterion|is|are|was|were|has|have|known|further|other)){0,4} (?:fail(?:s|ed|ing|ures?)?|remain(?:s|ed|ing)?|left|missing|open|skipped|omitted|deviations?|errors?|issues?|problems?|regressions?)",
    "(?:no|zero|0) (?:fail(?:ed|ing|ures?)?|skipped|deviations?|missing|errors?|issues?|problems?|regressions?)",
    "(?:sem|nenhuma?|zero|0) (?:falhas?|erros?|pendencias?|problemas?)",
  ],
  "(?:没有|无)(?:任何)?(?:遗漏|失败|问题|错误|缺失|剩余)",
);

/** Anything that may take an "achieved" back. It is long on purpose: a doubt costs a round, a false end costs the work. */
export const DOUBT = pattern(
  [
    "no|not|nor|non|never|none|nope|neither|nobody|nothing|cannot|cant|isnt|arent|hasnt|havent|wasnt|wont|[a-z]+n't",
    "false|wrong|untrue|incorrect|unknown|unclear|unsure|uncertain|undecided|inconclusive|n/a|tbd|todo|null|negative|contrary",
    "but|however|although|though|except|excepting|exception|exceptions|besides|apart|aside|minus|modulo|provided|providing|subject|pending|whereas|yet",
    "almost|nearly|partly|partial|partially|mostly|most|half|barely|hardly|practically|virtually|approximately|somewhat|some|only|part|otherwise",
    "could|couldn't|might|would|should|shall|will|must|may|if|unless|until|till|once|when|whether|before|soon|later|eventually|to be|going to",
    "perhaps|maybe|possibly|probably|likely|presumably|supposedly|allegedly|apparently|seems?|appears?|looks? like|hopefully|suppose|assum(?:e|ed|es|ing)",
    "as far as|can tell|my knowledge|think|believe|guess|hope|expect(?:s|ed)?|doubt|doubts|doubtful|questionable|claim(?:s|ed)?|say|says|said|reports?|reported|treated as|considered|pretend|quote|quoted",
    "fail|fails|failed|failing|failure|failures|broken|missing|lacks?|lacking|remain|remains|remaining|left|still|unfinished|incomplete|outstanding|unresolved|untested|unverified|without|need|needs|needed|requires|far from|hard to say|short of",
    "skip|skips|skipped|deviation|deviations|regress|regresses|regressed|regression|regressions|omit|omits|omitted|waive|waived|red|open|by (?:editing|changing|weakening|deleting)",
    "außer|ausser|aber|ohne|fehlt|fehlen|sauf|mais|sans|manque|tranne|senza|manca|excepto|salvo|pero|sin",
    "nao|nem|sem|nenhum|nenhuma|mas|porem|contudo|entretanto|exceto|quase|parcial|parcialmente|falso|apenas|somente",
    "se|caso|poderia|pode|seria|sera|fosse|talvez|provavelmente|possivelmente|parece|ainda|faltam?|falta|faltando|falha|falhas|falhou|falharam|pendente|pendentes|quando|deveria|deve|incerto",
  ],
  "不|未|没|无|非|否|除|但|如果|若|假如|要是|可能|也许|或许|大概|应该|应当|似乎|看来|基本|部分|几乎|差|仍|还|尚|待|将|缺|失败|错|难|吗|假",
);

/** Words that may lead up to "achieved" in the same sentence; any other word makes it prose about something else. */
export const LEADING: ReadonlySet<string> = new Set(
  [
    "the a an this that it its all every each both and yes so therefore hence thus now also i we",
    "goal goals objective objectives task work statement check checks criteria criterion item items requirement requirements",
    "conclusion verdict state status result ruling judgement judgment final my",
    "is are was were has have been of fully completely entirely clearly conclude judge rule find",
    "o a os as meu minha objetivo objetivos meta metas foi foram esta estao totalmente plenamente todos todas tudo sim ja",
    "criterio criterios item itens conclusao veredito resultado estado portanto logo",
  ].flatMap((line) => line.split(" ")),
);

/** Words that make a sentence a question when they begin it. */
export const QUESTION: ReadonlySet<string> = new Set(["is", "are", "was", "were", "has", "have"]);

/** What may lead up to it in Chinese, where words are not parted by spaces. */
export const LEADING_ZH =
  /结论|判定|目标|状态|结果|本轮|已经|已|全部|完全|所有|各项|检查项|检查|标准|验收|因此|所以|都|均|项|为|是|我|的/g;

/** Words that may follow directly; punctuation and the end may too. */
export const FOLLOWING =
  /^(?:\s*(?:[.,;!)\]}"'>，。；！、」】\u2014\u2013✅✔☑]|$|\n)|\s*-\s|\s*[:=：](?=[^\n]*[^\s])(?!\s*(?:0|n|f)(?![a-z]))|\s+\(|\s+(?:in full|fully|completely|and|now|on|in|with|by|for|at|because|since|e|agora|em|com|porque|pois)(?![a-z])|了)/;
