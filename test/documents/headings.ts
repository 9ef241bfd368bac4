// The headings and verdict words that the cases leave open, once for each language.

type Words = Readonly<Record<string, string>>;

/** Headings by the placeholder that stands for them in a case. */
export const HEADINGS: Readonly<Record<"en" | "zh" | "pt", Words>> = {
  en: {
    goal: "Goal",
    accept: "Acceptance criteria",
    bounds: "Boundaries",
    unknowns: "Unknowns and assumptions",
    checks: "Checklist",
    state: "Conclusion",
    reason: "Reason",
    failed: "Not passed",
    doing: "Doing",
    decided: "Decided",
    deadends: "Dead ends",
    next: "Next",
    scene: "Scene",
  },
  zh: {
    goal: "目标",
    accept: "验收标准",
    bounds: "边界",
    unknowns: "未知与假设",
    checks: "判定清单",
    state: "结论",
    reason: "理由",
    failed: "未通过",
    doing: "现在在做",
    decided: "已定的事",
    deadends: "走不通的路",
    next: "下一步",
    scene: "现场",
  },
  pt: {
    goal: "Objetivo",
    accept: "Critérios de aceitação",
    bounds: "Limites",
    unknowns: "Incógnitas e suposições",
    checks: "Lista de verificação",
    state: "Conclusão",
    reason: "Motivo",
    failed: "Não aprovados",
    doing: "Em andamento",
    decided: "Decidido",
    deadends: "Becos sem saída",
    next: "Próximo passo",
    scene: "Cena",
  },
};

/** Every language a document is read in. */
export const LANGUAGES = ["en", "zh", "pt"] as const;

const STATES: Readonly<Record<"en" | "zh" | "pt", readonly (readonly [RegExp, string])[]>> = {
  en: [],
  zh: [
    [/not achieved/gi, "未达成"],
    [/NOT YET/g, "尚未达成"],
    [/UNREACHABLE/g, "无法达成"],
    [/Cannot be verified in this environment/g, "无法在此环境验证"],
    [/ACHIEVED/g, "已达成"],
  ],
  pt: [
    [/not achieved/gi, "não alcançado"],
    [/NOT YET/g, "ainda não"],
    [/UNREACHABLE/g, "inalcançável"],
    [/Cannot be verified in this environment/g, "Não é possível verificar neste ambiente"],
    [/ACHIEVED/g, "alcançado"],
  ],
};

/** A case's text in one language. */
export function inLanguage(text: string, language: "en" | "zh" | "pt"): string {
  const headed = text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => HEADINGS[language][key] ?? whole);
  return STATES[language].reduce((out, [pattern, word]) => out.replace(pattern, word), headed);
}
