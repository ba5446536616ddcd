// Parts of documents by their numbers: section 4, clause 12.1. English, German, French, Spanish. Pure.

// What the parts of contracts and handbooks are called.
export const CLAUSE_WORDS =
  'sections?|clauses?|paragraphs?|chapters?|articles?|items?|points?|parts?|§|abschnitte?s?|ziffern?|kapitels?|artikels?|paragraph(?:en)?|punkte?s?|absatz|klauseln?|chapitres?|sección|cláusulas?|capítulos?|artículos?|apartados?|puntos?'

const NUMBERED = new RegExp(
  `(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*(?:no\\.?|nr\\.?|n[º°o]\\.?)?\\s*(\\d{1,3}(?:\\.\\d{1,3}){0,3})(?![\\d%€$£]|\\.\\d|,\\d)`,
  'iu',
)

/** The number of the part of a document that a question names: "section 4", "clause 12.1". */
export const partNamed = (question: string): string | undefined => NUMBERED.exec(question)?.[1]

/** Whether a heading or a clause has the number. */
export const isNumbered = (text: string, number: string): boolean =>
  new RegExp(
    `^(?:(?:${CLAUSE_WORDS})\\s*)?${number.replaceAll('.', '\\.')}(?:\\s*[.):–—-]|\\s+\\p{L}|$)(?!\\d)`,
    'iu',
  ).test(text)
