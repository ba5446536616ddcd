// Parts of documents by their numbers and titles: section 4, clause 12.1, the section on rent. English, German, French, Spanish.
// Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { CLAUSE_WORDS, withoutNumber } from './text-structure.ts'

// Matches `12.1` of "clause no. 12.1".
const NUMBERED_PART = new RegExp(
  `(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*(?:no\\.?|nr\\.?|n[º°o]\\.?)?\\s*(\\d{1,3}(?:\\.\\d{1,3}){0,3})(?![\\d%€$£]|\\.\\d|,\\d)`,
  'iu',
)

// The names for parts that have a heading. "Item" is left out: "the cheapest item on the receipt" is not a part of a document.
const PART_WORDS =
  'sections?|clauses?|paragraphs?|chapters?|articles?|abschnitte?s?|kapitels?|artikels?|klauseln?|chapitres?|sección|cláusulas?|capítulos?|artículos?|apartados?'
// Matches `rent` of "the section on rent" and "what is written under rent".
const TITLED_PART = new RegExp(
  String.raw`(?:(?:(?:is|are|stands?|says?|steht|sagt|dit|dice|hay|y a-t-il)\s+)(?:(?:written|said|there)\s+)?(?:under|unter|sous|bajo)|(?:${PART_WORDS})\s+(?:on|about|called|titled|headed|named|über|zu|zur|zum|sur|sobre))\s+(?:(?:the|heading|section|der|die|das|dem|den|überschrift|le|la|les|titre|el|los|las|título)\s+)*["“”„«»'‘]?([\p{L}\p{N}][\p{L}\p{N} &/’'-]{1,60}?)["“”„«»'’]?(?=\s*(?:[?.!]|$|\s(?:in|of|im|des|der|von|say|says|said|dans|du|de|en|del)(?![\p{L}])))`,
  'iu',
)

/** The number or the title of the part of a document that a question names: `4` of "section 4", `rent` of "the section on rent". */
export const partNamed = (question: string): string | undefined =>
  NUMBERED_PART.exec(question)?.[1] ?? TITLED_PART.exec(question)?.[1]?.trim()

/** Whether the heading is that of the part. @param part its number or its title */
export const isPart = (heading: string, part: string, language: Language): boolean =>
  /^\d/.test(part) ? isNumbered(heading, part) : isTitled(heading, part, language)

/** Whether a text is the clause with this number. "4 weeks' notice is required" is not clause 4. */
export const isClause = (text: string, number: string): boolean =>
  isNumbered(text, number) &&
  (number.includes('.') || !new RegExp(`^${number}(?:\\s+\\p{L}|-)`, 'u').test(text))

/** Whether a heading contains all words of the title and at most two others. */
function isTitled(heading: string, title: string, language: Language): boolean {
  const titleTerms = contentTerms(title, language)
  const headingTerms = new Set(contentTerms(withoutNumber(heading), language))
  return (
    titleTerms.length > 0 &&
    titleTerms.every((term) => headingTerms.has(term)) &&
    headingTerms.size <= titleTerms.length + 2
  )
}

const isNumbered = (text: string, number: string): boolean =>
  new RegExp(
    `^(?:(?:${CLAUSE_WORDS})\\s*)?${number.replaceAll('.', '\\.')}(?:\\s*[.):–—-]|\\s+\\p{L}|$)(?!\\d)`,
    'iu',
  ).test(text)
