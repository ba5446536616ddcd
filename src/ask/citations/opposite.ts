// Whether a passage says the opposite of a statement: of the statement and the sentence that covers it, one is negated and the
// other is not. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { sentences } from '../../language/sentences.ts'
import type { Passage } from '../../search/passage.ts'
import { type Sense, senseOf } from '../check/claim.ts'
import { withoutAttribution } from './about-search.ts'

// A sentence covers a statement if it contains this share of the statement's terms.
const COVERING_SHARE = 0.8
// This share is enough if the statement contains all terms of the sentence, and these are at least MIN_CONTAINED_TERMS.
const CONTAINING_SHARE = 0.5
const MIN_CONTAINED_TERMS = 4

interface AnalysedSentence {
  text: string
  terms: ReadonlySet<string>
  sense: Sense
}

interface AnalysedPassage {
  ownSentences: readonly AnalysedSentence[]
  /** Whether a lead such as "Tenants may not:" negates the items below it. */
  hasDeniedLead: boolean
}

/**
 * Returns a checker that analyses each passage once. Tables are not compared, because a negation in a cell is not part of a
 * sentence.
 */
export function oppositeChecker(): (statement: string, passage: Passage) => boolean {
  const analysedPassages = new Map<Passage, AnalysedPassage>()
  return (statement, passage) => {
    if (passage.type === 'table') return false
    const analysed = analysedPassages.get(passage) ?? analysePassage(passage)
    analysedPassages.set(passage, analysed)
    return saysOpposite(statement, analysed, passage.language)
  }
}

function analysePassage({ text, language }: Passage): AnalysedPassage {
  const ownSentences = sentences(text).map((sentence) => ({
    text: sentence.text,
    terms: termsOf(sentence.text, language),
    sense: senseOf(sentence.text),
  }))
  return {
    ownSentences,
    hasDeniedLead: ownSentences.some(({ text, sense }) => text.endsWith(':') && isDenied(sense)),
  }
}

/** The content terms without the article "A", which is not a stop word in capitals. */
const termsOf = (text: string, language: Language): ReadonlySet<string> =>
  new Set(contentTerms(text, language).filter((term) => term !== 'a'))

// Matches the marks at the beginning of a list item, which are not part of the statement.
const MARK = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)+/u
// Matches "No, " in "No, dogs are not allowed", which is one negation and not two.
const REPLY = /^[^\p{L}]*(?:no|nein|non|yes|ja|oui|sí)\s*[,.:;!–—-]\s/iu
// Words that limit an amount or a time. "May not exceed 40" is not the opposite of "at most 40", although it is negated.
const LIMIT =
  /(?<![\p{L}])(?:exceed(?:ed|s)?|at (?:most|least)|(?:more|less|fewer|later|earlier|longer) than|before|until|übersch\p{L}+|mehr als|weniger als|höchstens|mindestens|vor|bis|dépass\p{L}+|plus de|moins de|avant|au (?:plus|moins)|exced\p{L}+|más de|menos de|antes|al menos|como máximo)(?![\p{L}])/iu
// The boundary of two clauses.
const CLAUSE =
  /[,;:()]\s|\s[–—-]\s|(?<![\p{L}])(?:but|and|or|which|aber|sondern|und|oder|mais|et|ou|pero|sino|y|o)(?![\p{L}])/iu
// The boundary of two clauses that may contrast.
const CONTRAST = /[,;:()]\s|\s[–—-]\s|(?<![\p{L}])(?:but|aber|sondern|mais|pero|sino)(?![\p{L}])/iu
const THREE_WORDS = /(?:[\p{L}\p{N}]+\P{L}+){2}\p{L}/u

function saysOpposite(
  statement: string,
  { ownSentences, hasDeniedLead }: AnalysedPassage,
  language: Language,
): boolean {
  const content = withoutAttribution(statement.replace(MARK, '').replace(REPLY, ''))
  const terms = termsOf(content, language)
  const sense = senseOf(content)
  if (terms.size === 0 || isMixed(content) || LIMIT.test(content) || (isDenied(sense) && hasDeniedLead))
    return false
  const compared = ownSentences.map((sentence) => ({
    ...sentence,
    sharedCount: sharedWith(terms, sentence.terms),
  }))
  const maxShared = Math.max(...compared.map(({ sharedCount }) => sharedCount))
  const best = compared.filter(({ sharedCount }) => sharedCount === maxShared)
  const isCovering = (sentence: AnalysedSentence): boolean =>
    maxShared >= COVERING_SHARE * terms.size ||
    (maxShared >= CONTAINING_SHARE * terms.size &&
      maxShared === sentence.terms.size &&
      maxShared >= MIN_CONTAINED_TERMS)
  return (
    best.length > 0 &&
    best.every(isCovering) &&
    best.every((sentence) => isOpposite(sentence, { terms, sense }, language))
  )
}

/** Whether a text has exactly one negation. The meaning of several negations is not analysed. */
const isDenied = ({ denials }: Sense): boolean => denials === 1

function isOpposite(
  { text, sense: senseOfSentence }: AnalysedSentence,
  { terms, sense }: { terms: ReadonlySet<string>; sense: Sense },
  language: Language,
): boolean {
  if (
    senseOfSentence.denials + sense.denials !== 1 ||
    senseOfSentence.isWithout !== sense.isWithout ||
    LIMIT.test(text)
  )
    return false
  // "May not, unless they agree" means "may, if they agree".
  if ((isDenied(sense) ? senseOfSentence : sense).isConditional) return false
  // The words of the statement must be mostly in the clauses that are negated otherwise than the statement.
  const clauses = text.split(CLAUSE)
  const sharedWithClauses = (areDenied: boolean): number =>
    sharedWith(
      terms,
      termsOf(clauses.filter((clause) => isDenied(senseOf(clause)) === areDenied).join('\n'), language),
    )
  return sharedWithClauses(isDenied(sense)) < sharedWithClauses(isDenied(senseOfSentence))
}

const sharedWith = (terms: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...terms].filter((term) => others.has(term)).length

/** Whether one of its clauses is negated and another is not. */
const isMixed = (statement: string): boolean =>
  new Set(
    statement
      .split(CONTRAST)
      .filter((clause) => THREE_WORDS.test(clause))
      .map((clause) => isDenied(senseOf(clause))),
  ).size > 1
