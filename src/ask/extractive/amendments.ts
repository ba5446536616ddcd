// A quoted clause that another document changes by its number: "In clause 2.1 the words … are replaced by …" need not say
// what clause 2.1 is about, so no word of the question finds it. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Passage } from '../../search/passage.ts'
import type { Evidence } from './evidence.ts'

const NUMBER = /^\(?(\d{1,3}(?:\.\d{1,3})+)[.)]?\s/
// An amendment is called after what it changes: its title holds this share of the other's words.
const CALLED_AFTER = 0.5

/** The number that a quoted clause begins with: `2.1`. */
export const clauseOf = ({ text }: Evidence): string | undefined => NUMBER.exec(text)?.[1]

/** The sentence of another document that changes the clause quoted; undefined where nothing does. */
export function amendmentOf(quoted: Evidence, pieces: readonly Evidence[]): Evidence | undefined {
  const number = clauseOf(quoted)
  if (number === undefined) return undefined
  const clause = clausePattern(number)
  return pieces.find(
    (piece) =>
      !piece.list &&
      !piece.cells &&
      clause.test(piece.text) &&
      saysItChanges(piece.text) &&
      isCalledAfter(piece.found.passage, quoted.found.passage),
  )
}

function isCalledAfter(later: Passage, earlier: Passage): boolean {
  if (later.document_id === earlier.document_id) return false
  const called = new Set(contentTerms(later.document_title, later.language))
  const wanted = contentTerms(earlier.document_title, earlier.language)
  return wanted.filter((term) => called.has(term)).length >= CALLED_AFTER * wanted.length
}

// What a part of a contract or a handbook is called, in English, German, French and Spanish.
export const CLAUSE_WORDS =
  'sections?|clauses?|paragraphs?|chapters?|articles?|items?|points?|parts?|§|abschnitte?s?|ziffern?|kapitels?|artikels?|paragraph(?:en)?|punkte?s?|absatz|klauseln?|chapitres?|sección|cláusulas?|capítulos?|artículos?|apartados?|puntos?'

/** Finds the clause where a text speaks of it; of a whole number (5) also what is within it (5.1). */
export const clausePattern = (number: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}])(?:${CLAUSE_WORDS})\\s*${number.replaceAll('.', '\\.')}(?!\\d${number.includes('.') ? '|\\.\\d' : ''})`,
    'iu',
  )

// Whether a text changes an earlier one, by what it says or by what it is called: amendments of contracts, rules replaced.
// English, German, French, Spanish. Pure.

const CHANGES =
  /(?<![\p{L}])(?:(?:is|are|be) (?:hereby )?(?:amended|replaced|deleted|changed|substituted|extended|reduced|shortened)|replac(?:es|ed) (?:by|with|the)|supersed(?:e|es|ed)|shall (?:now )?read|in place of|(?:wird|werden|ist|sind) [^.;]{0,120}?(?:geändert|ersetzt|gestrichen|aufgehoben|verlängert|verkürzt|angepasst|neu gefasst)|ersetzt durch|an die stelle|tritt an|(?:lautet|lauten|gilt|beträgt) (?:künftig|nunmehr|ab)|(?:est|sont) (?:modifiée?s?|remplacée?s?|supprimée?s?|prolongée?s?|réduite?s?|portée?s?)|remplacée?s? par|au lieu de|(?:se (?:sustituye|modifica|reemplaza|suprime|amplía|reduce)n?|queda(?:n)? (?:modificad[oa]s?|sustituid[oa]s?|redactad[oa]s?)|en lugar de))(?![\p{L}])/iu
const CHANGING_TITLE =
  /(?<![\p{L}])(?:amend(?:ment|ing)|addendum|variation|supplement(?:al)?|nachtr(?:ag|äge)|\p{L}*änderung(?:s\p{L}*)?|ergänzung\p{L}*|zusatzvereinbarung|avenant|modificatif|adenda|anexo modificatorio|enmienda|modificación)(?![\p{L}])/iu

export const saysItChanges = (text: string): boolean => CHANGES.test(text)

export const isCalledChange = (title: string): boolean => CHANGING_TITLE.test(title)
