// The sentences that the extractive agent writes around its quotes, in the language of the question. Quotes stay in the language of
// the document. Pure.

import type { AnswerLanguage } from '../answer-language.ts'

export interface Wording {
  /** Above quotes that answer the question. */
  found: string
  /** Above passages that are only near to the question. */
  closest: string
  /** Below passages that are only near to the question: that they may not answer it. */
  close: string
  /** Above the quotes for the sides of a comparison. */
  comparison: string
  /** Above quotes of which one amends another. */
  amendment: (title: string) => string
  /** The editions that are in force, or that the question names, do not contain the answer, but another edition does. */
  otherEdition: (titles: readonly string[], isInForce: boolean) => string
  /** Before a statement of the previous edition. */
  previously: string
  absent: string
  /** Words of the question that the documents do not contain. */
  unknown: (names: readonly string[]) => string
  suggestion: string
  /** For a side of a comparison without quotes. */
  nothing: string
  page: (page: number) => string
  /** How many rows a result was calculated from. */
  ofRows: (rows: number) => string
  /** The label of a minimum. */
  least: (column: string) => string
  /** The label of a maximum. */
  most: (column: string) => string
  sum: (column: string) => string
  mean: (column: string) => string
  /** The difference of two percentages, as it is written. */
  percentagePoints: (amount: string) => string
  /** After a count: the number of all rows. */
  ofAll: (rows: number) => string
  /** After a figure that is from a row of totals. */
  totalsRow: string
  /** Above the tables that may be meant. */
  severalTables: string
  /** Above the tables that may be meant, one of which is unclear. */
  unclearTables: string
  /** Above a table that shows its rows and states no answer. */
  uncertain: string
  /**
   * The words of the question that have no certain meaning in the table. Without words: the question is ambiguous for the table.
   */
  unplaced: (words: readonly string[]) => string
  /** The results of the possible readings of an ambiguous question. */
  likely: (results: readonly string[]) => string
  rowCount: (rows: number) => string
  /** The parts of the question that were understood: names of columns, and conditions. */
  understood: (columns: readonly string[], conditions: readonly string[]) => string
  /** Above the rows of a table that are shown. */
  rows: (shownRows: number, matching: number, all: number) => string
  /** The number of columns of the table that are not shown. */
  hiddenColumns: (columns: number) => string
  /** Instead of a value if the cell is empty. */
  emptyCell: string
  yes: string
  no: string
  /** Above the quotes that are shown in place of a summary. */
  summary: string
  /** Above the changes between two editions, or by amendments. */
  changes: (titles: readonly string[]) => string
  /** Above the first statements of each part of a document. */
  parts: (title: string) => string
  /** Above the quotes where a language model should have answered. */
  noModel: string
  /** Above the quotes if a monthly limit keeps the model from answering. */
  limitReached: Readonly<Record<'service' | 'person', string>>
  /** Below an answer of a language model, with the number of its statements that are not shown. */
  leftOut: (statements: number) => string
  /** Below an answer of a language model that ended at its limit. */
  cutAnswer: string
  /** Below an answer of a language model that did not get the whole prompt. */
  partOfPrompt: string
  hello: string
  thanks: string
}

const joinNames = (names: readonly string[], word: string): string => names.join(` ${word} `)

const inQuotationMarks = (words: readonly string[], [open, close]: readonly [string, string]): string =>
  words.map((word) => `${open}${word}${close}`).join(', ')

/** "Understood: columns Rent, City; year: 2024." */
const understoodSentence = (
  lead: string,
  name: string,
  columns: readonly string[],
  conditions: readonly string[],
): string => {
  const all = [...(columns.length > 0 ? [`${name} ${columns.join(', ')}`] : []), ...conditions].join('; ')
  return all && `${lead}${all}.`
}

const likelySentence = (results: readonly string[], leadOfOne: string, leadOfSeveral: string): string =>
  `${results.length === 1 ? leadOfOne : leadOfSeveral}${results.map((result) => `**${result}**`).join('; ')}.`

const english: Wording = {
  found: 'The documents say:',
  close: 'The documents may not answer this directly.',
  closest: 'The closest passages are:',
  comparison: 'The documents say about each side:',
  amendment: (title) => `“${title}” changes an earlier text and is quoted first:`,
  otherEdition: (titles, isInForce) =>
    `I did not find this in ${titles.map((title) => `“${title}”`).join(' or ')}. ${isInForce ? 'An edition that is not in force' : 'Another edition'} says:`,
  previously: 'Previously:',
  absent: 'I did not find this in the documents.',
  unknown: (names) => `They do not mention ${joinNames(names, 'or')}.`,
  suggestion: 'Try other words, or add a document that covers it.',
  nothing: 'Nothing found.',
  page: (page) => `page ${page}`,
  ofRows: (rows) => (rows === 1 ? 'calculated from 1 row' : `calculated from ${rows} rows`),
  least: (column) => `Lowest ${column}`,
  most: (column) => `Highest ${column}`,
  sum: (column) => `Sum of ${column}`,
  mean: (column) => `Mean of ${column}`,
  percentagePoints: (amount) => `${amount} percentage ${isOne(amount) ? 'point' : 'points'}`,
  ofAll: (rows) => `of ${rows}`,
  totalsRow: 'row of totals',
  severalTables: 'Several tables may be meant, so I state no figure. Each would give:',
  unclearTables: 'Several tables may be meant, and not all of them are clear, so I state no figure.',
  uncertain: 'This table may answer it:',
  unplaced: (words) =>
    words.length > 0
      ? `I could not place ${inQuotationMarks(words, ['“', '”'])}.`
      : 'it can be read in more than one way.',
  likely: (results) => likelySentence(results, 'likely, though not certain: ', 'it can be read as '),
  rowCount: (rows) => (rows === 1 ? '1 row' : `${rows} rows`),
  understood: (columns, conditions) =>
    understoodSentence('Understood: ', columns.length > 1 ? 'columns' : 'column', columns, conditions),
  hiddenColumns: (columns) =>
    columns === 1 ? 'One more column is not shown.' : `${columns} more columns are not shown.`,
  rows: (shownRows, matching, all) =>
    `${matching} of ${all} rows${shownRows < matching ? `, the first ${shownRows}` : ''}:`,
  emptyCell: 'the cell is empty',
  yes: 'Yes',
  no: 'No',
  changes: (titles) => `What changed (${titles.join(' → ')}):`,
  summary: 'Without a language model I cannot write a summary, only quote.',
  parts: (title) => `The parts of “${title}” and the first statement of each:`,
  noModel: 'The language model did not answer, so I only quote the documents.',
  limitReached: {
    service: 'The language model’s monthly limit for this service is reached, so I only quote the documents.',
    person: 'Your monthly limit for the language model is reached, so I only quote the documents.',
  },
  leftOut: (statements) =>
    statements === 1
      ? 'One statement was left out, because no passage supports it.'
      : `${statements} statements were left out, because no passage supports them.`,
  cutAnswer: 'The language model reached its limit before its answer was finished.',
  partOfPrompt: 'The language model’s server read only a part of the passages it was sent.',
  hello: 'Hello. Ask me a question about the documents of this workspace: I answer with quotes from them.',
  thanks: 'You are welcome. Is there anything else you would like to know from the documents?',
}

const isOne = (amount: string): boolean => /^-?1$/.test(amount)

const german: Wording = {
  found: 'Ich zitiere, was die Dokumente sagen:',
  close: 'Vielleicht beantworten die Dokumente das nicht unmittelbar.',
  closest: 'Am nächsten kommen diese Stellen:',
  comparison: 'Ich zitiere, was die Dokumente zu jeder Seite sagen:',
  amendment: (title) =>
    `Ich zitiere die Dokumente. „${title}“ ändert einen früheren Text und steht darum zuerst:`,
  otherEdition: (titles, isInForce) =>
    `In ${titles.map((title) => `„${title}“`).join(' oder ')} habe ich das nicht gefunden. Eine andere Fassung${isInForce ? ', die nicht gilt,' : ''} sagt:`,
  previously: 'Vorher:',
  absent: 'Das habe ich in den Dokumenten nicht gefunden.',
  unknown: (names) => `Darin kommt ${joinNames(names, 'oder')} nicht vor.`,
  suggestion: 'Versuchen Sie andere Wörter, oder fügen Sie ein Dokument hinzu, das davon handelt.',
  nothing: 'Nichts gefunden.',
  page: (page) => `Seite ${page}`,
  ofRows: (rows) => (rows === 1 ? 'berechnet aus 1 Zeile' : `berechnet aus ${rows} Zeilen`),
  least: (column) => `Kleinster Wert von ${column}`,
  most: (column) => `Größter Wert von ${column}`,
  sum: (column) => `Summe von ${column}`,
  mean: (column) => `Durchschnitt von ${column}`,
  percentagePoints: (amount) => `${amount} ${isOne(amount) ? 'Prozentpunkt' : 'Prozentpunkte'}`,
  ofAll: (rows) => `von ${rows}`,
  totalsRow: 'Summenzeile',
  severalTables: 'Mehrere Tabellen können gemeint sein, darum nenne ich keine Zahl. Sie ergäben:',
  unclearTables:
    'Mehrere Tabellen können gemeint sein, und nicht alle sind eindeutig, darum nenne ich keine Zahl.',
  uncertain: 'Vielleicht hilft diese Tabelle:',
  unplaced: (words) =>
    words.length > 0
      ? `${inQuotationMarks(words, ['„', '“'])} konnte ich nicht zuordnen.`
      : 'Sie lässt sich auf mehrere Arten lesen.',
  likely: (results) =>
    likelySentence(results, 'wahrscheinlich, aber nicht sicher: ', 'sie lässt sich so lesen: '),
  rowCount: (rows) => (rows === 1 ? '1 Zeile' : `${rows} Zeilen`),
  understood: (columns, conditions) =>
    understoodSentence('Verstanden: ', columns.length > 1 ? 'Spalten' : 'Spalte', columns, conditions),
  hiddenColumns: (columns) =>
    columns === 1
      ? 'Eine weitere Spalte ist nicht gezeigt.'
      : `${columns} weitere Spalten sind nicht gezeigt.`,
  rows: (shownRows, matching, all) =>
    `${matching} von ${all} Zeilen${shownRows < matching ? `, die ersten ${shownRows}` : ''}:`,
  emptyCell: 'die Zelle ist leer',
  yes: 'Ja',
  no: 'Nein',
  changes: (titles) => `Was sich geändert hat (${titles.join(' → ')}):`,
  summary: 'Ohne Sprachmodell schreibe ich keine Zusammenfassungen, ich zitiere.',
  parts: (title) => `Die Teile von „${title}“, jeder mit seiner ersten Aussage:`,
  noModel: 'Das Sprachmodell hat nicht geantwortet; darum zitiere ich nur die Dokumente.',
  limitReached: {
    service:
      'Die monatliche Grenze dieses Dienstes für das Sprachmodell ist erreicht; darum zitiere ich nur die Dokumente.',
    person: 'Ihre monatliche Grenze für das Sprachmodell ist erreicht; darum zitiere ich nur die Dokumente.',
  },
  leftOut: (statements) =>
    statements === 1
      ? 'Eine Aussage wurde weggelassen, weil keine Textstelle sie belegt.'
      : `${statements} Aussagen wurden weggelassen, weil keine Textstelle sie belegt.`,
  cutAnswer: 'Das Sprachmodell kam an seine Grenze, bevor die Antwort fertig war.',
  partOfPrompt: 'Der Server des Sprachmodells hat nur einen Teil der gesendeten Textstellen gelesen.',
  hello:
    'Guten Tag. Fragen Sie mich etwas zu den Dokumenten dieses Arbeitsbereichs: Ich antworte mit Zitaten daraus.',
  thanks: 'Gern. Möchten Sie noch etwas aus den Dokumenten wissen?',
}

const french: Wording = {
  found: 'Je cite ce que disent les documents :',
  close: 'Il se peut que les documents ne répondent pas directement.',
  closest: 'Les passages les plus proches sont :',
  comparison: 'Je cite ce que disent les documents de chaque côté :',
  amendment: (title) =>
    `Je cite les documents. « ${title} » modifie un texte antérieur et vient donc en premier :`,
  otherEdition: (titles, isInForce) =>
    `Je ne l’ai pas trouvé dans ${titles.map((title) => `« ${title} »`).join(' ni ')}. Une autre édition${isInForce ? ', qui n’est pas en vigueur,' : ''} dit :`,
  previously: 'Auparavant :',
  absent: 'Je ne l’ai pas trouvé dans les documents.',
  unknown: (names) => `Ils ne mentionnent pas ${joinNames(names, 'ni')}.`,
  suggestion: 'Essayez d’autres mots, ou ajoutez un document qui en parle.',
  nothing: 'Rien trouvé.',
  page: (page) => `page ${page}`,
  ofRows: (rows) => (rows === 1 ? 'calculé sur 1 ligne' : `calculé sur ${rows} lignes`),
  least: (column) => `Valeur la plus basse de ${column}`,
  most: (column) => `Valeur la plus haute de ${column}`,
  sum: (column) => `Somme de ${column}`,
  mean: (column) => `Moyenne de ${column}`,
  // French uses the singular for numbers below two.
  percentagePoints: (amount) =>
    `${amount} ${/^-?[01](?:,|$)/.test(amount) ? 'point' : 'points'} de pourcentage`,
  ofAll: (rows) => `sur ${rows}`,
  totalsRow: 'ligne de total',
  severalTables: 'Plusieurs tableaux sont possibles, je ne donne donc pas de chiffre. Ils donneraient :',
  unclearTables:
    'Plusieurs tableaux sont possibles, et tous ne sont pas clairs ; je ne donne donc pas de chiffre.',
  uncertain: 'Ce tableau peut aider :',
  unplaced: (words) =>
    words.length > 0
      ? `je n’ai pas su situer ${inQuotationMarks(words, ['« ', ' »'])}.`
      : 'il se lit de plusieurs façons.',
  likely: (results) => likelySentence(results, 'probablement, mais sans certitude : ', 'il se lit ainsi : '),
  rowCount: (rows) => (rows === 1 ? '1 ligne' : `${rows} lignes`),
  understood: (columns, conditions) =>
    understoodSentence('Compris : ', columns.length > 1 ? 'colonnes' : 'colonne', columns, conditions),
  hiddenColumns: (columns) =>
    columns === 1
      ? 'Une autre colonne n’est pas affichée.'
      : `${columns} autres colonnes ne sont pas affichées.`,
  rows: (shownRows, matching, all) =>
    `${matching} lignes sur ${all}${shownRows < matching ? `, les ${shownRows} premières` : ''} :`,
  emptyCell: 'la cellule est vide',
  yes: 'Oui',
  no: 'Non',
  changes: (titles) => `Ce qui a changé (${titles.join(' → ')}) :`,
  summary: 'Sans modèle de langue, je n’écris pas de résumés ; je cite.',
  parts: (title) => `Les parties de « ${title} », chacune avec sa première phrase :`,
  noModel: 'Le modèle de langue n’a pas répondu ; je ne fais donc que citer les documents.',
  limitReached: {
    service:
      'La limite mensuelle de ce service pour le modèle de langue est atteinte ; je ne fais donc que citer les documents.',
    person:
      'Votre limite mensuelle pour le modèle de langue est atteinte ; je ne fais donc que citer les documents.',
  },
  leftOut: (statements) =>
    statements === 1
      ? 'Une affirmation a été omise, car aucun passage ne l’étaye.'
      : `${statements} affirmations ont été omises, car aucun passage ne les étaye.`,
  cutAnswer: 'Le modèle de langue a atteint sa limite avant la fin de la réponse.',
  partOfPrompt: 'Le serveur du modèle de langue n’a lu qu’une partie des extraits envoyés.',
  hello: 'Bonjour. Posez-moi une question sur les documents de cet espace : je réponds en les citant.',
  thanks: 'Je vous en prie. Voulez-vous savoir autre chose dans les documents ?',
}

const spanish: Wording = {
  found: 'Cito lo que dicen los documentos:',
  close: 'Puede que los documentos no lo mencionen directamente.',
  closest: 'Los pasajes más cercanos son:',
  comparison: 'Cito lo que dicen los documentos de cada lado:',
  amendment: (title) => `Cito los documentos. «${title}» cambia un texto anterior, por eso va primero:`,
  otherEdition: (titles, isInForce) =>
    `No lo he encontrado en ${titles.map((title) => `«${title}»`).join(' ni ')}. Otra edición${isInForce ? ', que no es la vigente,' : ''} dice:`,
  previously: 'Antes:',
  absent: 'No lo he encontrado en los documentos.',
  unknown: (names) => `No mencionan ${joinNames(names, 'ni')}.`,
  suggestion: 'Pruebe con otras palabras o añada un documento que lo trate.',
  nothing: 'Nada encontrado.',
  page: (page) => `página ${page}`,
  ofRows: (rows) => (rows === 1 ? 'calculado de 1 fila' : `calculado de ${rows} filas`),
  least: (column) => `Valor más bajo de ${column}`,
  most: (column) => `Valor más alto de ${column}`,
  sum: (column) => `Suma de ${column}`,
  mean: (column) => `Media de ${column}`,
  percentagePoints: (amount) => `${amount} ${isOne(amount) ? 'punto porcentual' : 'puntos porcentuales'}`,
  ofAll: (rows) => `de ${rows}`,
  totalsRow: 'fila de totales',
  severalTables: 'Puede tratarse de varias tablas, así que no doy una cifra. Darían:',
  unclearTables: 'Puede tratarse de varias tablas, y no todas son claras, así que no doy una cifra.',
  uncertain: 'Esta tabla puede ayudar:',
  unplaced: (words) =>
    words.length > 0
      ? `no he podido situar ${inQuotationMarks(words, ['«', '»'])}.`
      : 'se puede leer de varias maneras.',
  likely: (results) => likelySentence(results, 'probablemente, aunque no es seguro: ', 'se puede leer así: '),
  rowCount: (rows) => (rows === 1 ? '1 fila' : `${rows} filas`),
  understood: (columns, conditions) =>
    understoodSentence('Entendido: ', columns.length > 1 ? 'columnas' : 'columna', columns, conditions),
  hiddenColumns: (columns) =>
    columns === 1 ? 'Otra columna no se muestra.' : `Otras ${columns} columnas no se muestran.`,
  rows: (shownRows, matching, all) =>
    `${matching} de ${all} filas${shownRows < matching ? `, las primeras ${shownRows}` : ''}:`,
  emptyCell: 'la celda está vacía',
  yes: 'Sí',
  no: 'No',
  changes: (titles) => `Lo que ha cambiado (${titles.join(' → ')}):`,
  summary: 'Sin un modelo de lenguaje no escribo resúmenes; cito.',
  parts: (title) => `Las partes de «${title}», cada una con su primera frase:`,
  noModel: 'El modelo de lenguaje no ha respondido; por eso solo cito los documentos.',
  limitReached: {
    service:
      'Se ha alcanzado el límite mensual de este servicio para el modelo de lenguaje; por eso solo cito los documentos.',
    person: 'Ha alcanzado su límite mensual para el modelo de lenguaje; por eso solo cito los documentos.',
  },
  leftOut: (statements) =>
    statements === 1
      ? 'Se omitió una afirmación, porque ningún pasaje la respalda.'
      : `Se omitieron ${statements} afirmaciones, porque ningún pasaje las respalda.`,
  cutAnswer: 'El modelo de lenguaje llegó a su límite antes de terminar la respuesta.',
  partOfPrompt: 'El servidor del modelo de lenguaje solo leyó una parte de los pasajes enviados.',
  hello: 'Hola. Hágame una pregunta sobre los documentos de este espacio: respondo citándolos.',
  thanks: 'De nada. ¿Quiere saber algo más de los documentos?',
}

export const WORDING: Record<AnswerLanguage, Wording> = { en: english, de: german, fr: french, es: spanish }
