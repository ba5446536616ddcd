// The few sentences around quotes, in the language the question is asked in; English for any other. Documents are quoted
// in theirs. Pure.

import type { Tongue } from '../answer-language.ts'

export interface Wording {
  found: string
  close: string
  compares: string
  changes: (title: string) => string
  absent: string
  unknown: (names: readonly string[]) => string
  advice: string
  nothing: string
  page: (page: number) => string
  /** What a computation is of: `of 14 rows`. */
  ofRows: (rows: number) => string
  least: (column: string) => string
  most: (column: string) => string
  sum: (column: string) => string
  mean: (column: string) => string
  count: (what: string) => string
  /** What is listed, how many, in how many of how many rows. */
  listed: (what: string, found: string, from: number, all: number) => string
  /** Of two values of a comparison. */
  higher: (one: string, column: string, difference: string) => string
  equal: (column: string) => string
  /** So many documents have the part asked for. */
  sections: (documents: number) => string
  /** Said before quotes to whoever asked for a summary. */
  summary: string
  /** What the quotes of a document are. */
  parts: (title: string) => string
  hello: string
  thanks: string
}

const joined = (names: readonly string[], word: string): string => names.join(` ${word} `)

const english: Wording = {
  found: 'I quote what the documents say:',
  close: 'The documents do not answer this directly. The closest passages are:',
  compares: 'I quote what the documents say on each side:',
  changes: (title) => `I quote the documents. “${title}” changes an earlier text, so it comes first:`,
  absent: 'I did not find this in the documents.',
  unknown: (names) => `They do not mention ${joined(names, 'or')}.`,
  advice: 'Try other words, or add a document that covers it.',
  nothing: 'Nothing found.',
  page: (page) => `page ${page}`,
  ofRows: (rows) => (rows === 1 ? 'calculated from 1 row' : `calculated from ${rows} rows`),
  least: (column) => `Lowest ${column}`,
  most: (column) => `Highest ${column}`,
  sum: (column) => `Sum of ${column}`,
  mean: (column) => `Mean of ${column}`,
  count: (what) => `Number of ${what}`,
  listed: (what, found, from, all) => `**${what}: ${found}**, in ${from} of ${all} rows`,
  higher: (one, column, difference) => `${one} has the higher ${column}, by ${difference}`,
  equal: (column) => `Both have the same ${column}`,
  sections: (documents) => `${documents} documents have such a part. I quote each of them:`,
  summary: 'Without a language model I do not write summaries; I quote.',
  parts: (title) => `The parts of “${title}”, each with its first statement:`,
  hello: 'Hello. Ask me a question about the documents of this workspace: I answer with quotes from them.',
  thanks: 'You are welcome. Is there anything else in the documents that you want to know?',
}

const german: Wording = {
  found: 'Ich zitiere, was die Dokumente sagen:',
  close: 'Die Dokumente beantworten das nicht unmittelbar. Am nächsten kommen diese Stellen:',
  compares: 'Ich zitiere, was die Dokumente zu jeder Seite sagen:',
  changes: (title) =>
    `Ich zitiere die Dokumente. „${title}“ ändert einen früheren Text und steht darum zuerst:`,
  absent: 'Das habe ich in den Dokumenten nicht gefunden.',
  unknown: (names) => `Darin kommt ${joined(names, 'oder')} nicht vor.`,
  advice: 'Versuchen Sie andere Wörter, oder fügen Sie ein Dokument hinzu, das davon handelt.',
  nothing: 'Nichts gefunden.',
  page: (page) => `Seite ${page}`,
  ofRows: (rows) => (rows === 1 ? 'berechnet aus 1 Zeile' : `berechnet aus ${rows} Zeilen`),
  least: (column) => `Kleinster Wert von ${column}`,
  most: (column) => `Größter Wert von ${column}`,
  sum: (column) => `Summe von ${column}`,
  mean: (column) => `Durchschnitt von ${column}`,
  count: (what) => `Anzahl (${what})`,
  listed: (what, found, from, all) => `**${what}: ${found}**, in ${from} von ${all} Zeilen`,
  higher: (one, column, difference) => `${one} hat den höheren Wert (${column}), um ${difference}`,
  equal: (column) => `Beide haben denselben Wert (${column})`,
  sections: (documents) => `${documents} Dokumente haben einen solchen Teil. Ich zitiere aus jedem:`,
  summary: 'Ohne Sprachmodell schreibe ich keine Zusammenfassungen, ich zitiere.',
  parts: (title) => `Die Teile von „${title}“, jeder mit seiner ersten Aussage:`,
  hello:
    'Guten Tag. Fragen Sie mich etwas zu den Dokumenten dieses Arbeitsbereichs: Ich antworte mit Zitaten daraus.',
  thanks: 'Gern. Möchten Sie noch etwas aus den Dokumenten wissen?',
}

const french: Wording = {
  found: 'Je cite ce que disent les documents :',
  close: 'Les documents ne répondent pas directement. Les passages les plus proches sont :',
  compares: 'Je cite ce que disent les documents de chaque côté :',
  changes: (title) =>
    `Je cite les documents. « ${title} » modifie un texte antérieur et vient donc en premier :`,
  absent: 'Je ne l’ai pas trouvé dans les documents.',
  unknown: (names) => `Ils ne mentionnent pas ${joined(names, 'ni')}.`,
  advice: 'Essayez d’autres mots, ou ajoutez un document qui en parle.',
  nothing: 'Rien trouvé.',
  page: (page) => `page ${page}`,
  ofRows: (rows) => (rows === 1 ? 'calculé sur 1 ligne' : `calculé sur ${rows} lignes`),
  least: (column) => `Valeur la plus basse de ${column}`,
  most: (column) => `Valeur la plus haute de ${column}`,
  sum: (column) => `Somme de ${column}`,
  mean: (column) => `Moyenne de ${column}`,
  count: (what) => `Nombre (${what})`,
  listed: (what, found, from, all) => `**${what} : ${found}**, dans ${from} lignes sur ${all}`,
  higher: (one, column, difference) => `${one} a la valeur la plus haute (${column}), de ${difference}`,
  equal: (column) => `Les deux ont la même valeur (${column})`,
  sections: (documents) => `${documents} documents ont une telle partie. Je cite chacun :`,
  summary: 'Sans modèle de langue, je n’écris pas de résumés ; je cite.',
  parts: (title) => `Les parties de « ${title} », chacune avec sa première phrase :`,
  hello: 'Bonjour. Posez-moi une question sur les documents de cet espace : je réponds en les citant.',
  thanks: 'Je vous en prie. Voulez-vous savoir autre chose dans les documents ?',
}

const spanish: Wording = {
  found: 'Cito lo que dicen los documentos:',
  close: 'Los documentos no lo responden directamente. Los pasajes más cercanos son:',
  compares: 'Cito lo que dicen los documentos de cada lado:',
  changes: (title) => `Cito los documentos. «${title}» cambia un texto anterior, por eso va primero:`,
  absent: 'No lo he encontrado en los documentos.',
  unknown: (names) => `No mencionan ${joined(names, 'ni')}.`,
  advice: 'Pruebe con otras palabras o añada un documento que lo trate.',
  nothing: 'Nada encontrado.',
  page: (page) => `página ${page}`,
  ofRows: (rows) => (rows === 1 ? 'calculado de 1 fila' : `calculado de ${rows} filas`),
  least: (column) => `Valor más bajo de ${column}`,
  most: (column) => `Valor más alto de ${column}`,
  sum: (column) => `Suma de ${column}`,
  mean: (column) => `Media de ${column}`,
  count: (what) => `Número (${what})`,
  listed: (what, found, from, all) => `**${what}: ${found}**, en ${from} de ${all} filas`,
  higher: (one, column, difference) => `${one} tiene el valor más alto (${column}), por ${difference}`,
  equal: (column) => `Ambos tienen el mismo valor (${column})`,
  sections: (documents) => `${documents} documentos tienen esa parte. Cito cada uno:`,
  summary: 'Sin un modelo de lenguaje no escribo resúmenes; cito.',
  parts: (title) => `Las partes de «${title}», cada una con su primera frase:`,
  hello: 'Hola. Hágame una pregunta sobre los documentos de este espacio: respondo citándolos.',
  thanks: 'De nada. ¿Quiere saber algo más de los documentos?',
}

export const WORDING: Record<Tongue, Wording> = { en: english, de: german, fr: french, es: spanish }
