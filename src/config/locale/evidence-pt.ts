// What is said of the commands of a goal that flower runs itself, in Portuguese.

import type { evidenceEn } from "./evidence-en.ts";

/** Messages of evidence in Portuguese. */
export const evidencePt: Readonly<Record<keyof typeof evidenceEn, string>> = {
  "evidence.commands":
    "antes de cada veredito o próprio flower executa estes comandos do objetivo, em {folder}; com --evidence off não executa",
  "evidence.begin": "executando os comandos do objetivo: {count}",
  "evidence.line": "{number}/{total}  {what}  {outcome}",
  "evidence.held": "deu certo",
  "evidence.ran": "executado; o juiz lê a saída",
  "evidence.failed": "falhou",
  "evidence.flaky": "duas execuções, dois resultados",
  "evidence.timed_out": "demorou demais",
  "evidence.not_run": "não executado",
  "evidence.unverifiable": "não pode ser verificado aqui",
  "evidence.output": "saída completa: {path}",
  "evidence.changed": "comandos do objetivo mudaram arquivos versionados: {files}",
  "evidence.broken": "o próprio flower executou os comandos do objetivo, e estes não deram certo: {items}",
  "evidence.judge_said": "o juiz disse: {verdict}",
  "evidence.open": "aqui ninguém pode dizer: {items}",
  "evidence.no_path": "aprovado sem indicar nada que exista aqui: {items}",
  "evidence.no_path_item": "nenhum caminho existente foi indicado",
  "evidence.ask_paths": "o juiz não indicou nada que exista aqui para {items}; isso lhe é pedido uma vez",
  "evidence.second":
    "rejeitado embora os comandos tenham dado certo: {items}; um segundo juiz é consultado{reason}",
  "evidence.why.exit": "código de saída {code}, e não {expected}",
  "evidence.why.succeeded": "código de saída 0, quando deveria falhar",
  "evidence.why.signal": "encerrado por {signal}",
  "evidence.why.start": "não foi possível iniciar: {reason}",
  "evidence.why.output": "a saída padrão não é a esperada: {what}",
  "evidence.why.printed": "; imprimiu {text}",
  "evidence.why.printed_nothing": "; não imprimiu nada",
  "evidence.why.on_stderr": "está na saída de erro, e não na saída padrão: {what}",
  "evidence.why.too_long": "mais saída do que se compara: {what}",
  "evidence.why.slow": "não deu para decidir em um segundo: {what}",
  "evidence.why.not_there": "{path} não está lá",
  "evidence.why.not_written": "{path} já estava lá, e o comando não o escreveu",
  "evidence.why.flaky": "executado duas vezes; na primeira {first}, na segunda {second}",
  "evidence.why.held": "como esperado (código de saída {code})",
  "evidence.why.time": "ainda em execução depois de {seconds} s",
  "evidence.why.flood": "mais de {size} MB de saída",
  "evidence.why.round_time": "os {minutes} minutos de todos os comandos acabaram antes da vez dele",
  "evidence.why.marked": "o objetivo diz isso",
  "evidence.why.program": "{program} não está instalado aqui",
  "evidence.why.display": "precisa de uma tela",
  "evidence.why.network": "precisa da rede ({detail})",
};
