// Whether a passage says the opposite of a statement: the sentence that covers the statement denies it, or the statement denies the
// sentence. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { sentences } from '../../language/sentences.ts'
import type { Passage } from '../../search/passage.ts'
import { type Sense, senseOf } from '../check/claim.ts'
import { withoutAttribution } from './about-search.ts'

// A sentence covers a statement if it contains COVERING_SHARE of the statement's terms. CONTAINING_SHARE is enough if the statement
// contains all terms of the sentence and the sentence has at least MIN_CONTAINED_TERMS.
const COVERING_SHARE = 0.8
const CONTAINING_SHARE = 0.5
const MIN_CONTAINED_TERMS = 4

interface SenseOfSentence {
  text: string
  terms: ReadonlySet<string>
  sense: Sense
}

interface AnalysedPassage {
  ownSentences: readonly SenseOfSentence[]
  /** A lead such as "Tenants may not:" denies the items below it. */
  hasDeniedLead: boolean
}

/** Analyses each passage once. Tables are not compared, because a denial in a cell is not part of a sentence. */
export function oppositeChecker(): (statement: string, passage: Passage) => boolean {
  const analysed = new Map<Passage, AnalysedPassage>()
  return (statement, passage) => {
    if (passage.type === 'table') return false
    const cached = analysed.get(passage) ?? analysedPassage(passage)
    analysed.set(passage, cached)
    return saysOpposite(statement, cached, passage.language)
  }
}

function analysedPassage({ text, language }: Passage): AnalysedPassage {
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

/** Without the article "A", which in capitals is no stop word. */
const termsOf = (text: string, language: Language): ReadonlySet<string> =>
  new Set(contentTerms(text, language).filter((term) => term !== 'a'))

// The marks at the beginning of a list item are not part of the statement.
const MARK = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)+/u
// "No, dogs are not allowed" denies once.
const REPLY = /^[^\p{L}]*(?:no|nein|non|yes|ja|oui|sí)\s*[,.:;!–—-]\s/iu
// "May not exceed 40" limits an amount as "at most 40" does, and so do times.
const LIMIT =
  /(?<![\p{L}])(?:exceed(?:ed|s)?|at (?:most|least)|(?:more|less|fewer|later|earlier|longer) than|before|until|übersch\p{L}+|mehr als|weniger als|höchstens|mindestens|vor|bis|dépass\p{L}+|plus de|moins de|avant|au (?:plus|moins)|exced\p{L}+|más de|menos de|antes|al menos|como máximo)(?![\p{L}])/iu
const CLAUSE =
  /[,;:()]\s|\s[–—-]\s|(?<![\p{L}])(?:but|and|or|which|aber|sondern|und|oder|mais|et|ou|pero|sino|y|o)(?![\p{L}])/iu
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
  const compared = ownSentences.map((one) => ({ ...one, shared: sharedWith(terms, one.terms) }))
  const most = Math.max(...compared.map(({ shared }) => shared))
  const best = compared.filter(({ shared }) => shared === most)
  const covering = best.filter(
    (one) =>
      most >= COVERING_SHARE * terms.size ||
      (most >= CONTAINING_SHARE * terms.size && most === one.terms.size && most >= MIN_CONTAINED_TERMS),
  )
  return (
    covering.length > 0 &&
    covering.length === best.length &&
    covering.every((one) => isOpposite(one, { terms, sense }, language))
  )
}

/** Whether a text has exactly one denial. The meaning of several denials is not worked out. */
const isDenied = ({ denials }: Sense): boolean => denials === 1

function isOpposite(
  { text, sense: senseOfSentence }: SenseOfSentence,
  { terms, sense }: { terms: ReadonlySet<string>; sense: Sense },
  language: Language,
): boolean {
  if (
    senseOfSentence.denials + sense.denials !== 1 ||
    senseOfSentence.isWithout !== sense.isWithout ||
    LIMIT.test(text)
  )
    return false
  // "May not, unless they agree" is "may, if they agree".
  if ((isDenied(sense) ? senseOfSentence : sense).isConditional) return false
  const clauses = text.split(CLAUSE)
  const sharedIn = (ofDenied: boolean): number =>
    sharedWith(
      terms,
      termsOf(clauses.filter((one) => isDenied(senseOf(one)) === ofDenied).join('\n'), language),
    )
  return sharedIn(isDenied(sense)) < sharedIn(isDenied(senseOfSentence))
}

const sharedWith = (terms: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...terms].filter((term) => others.has(term)).length

/** Whether one of its clauses denies and another does not. */
const isMixed = (statement: string): boolean =>
  new Set(
    statement
      .split(CONTRAST)
      .filter((clause) => THREE_WORDS.test(clause))
      .map((clause) => isDenied(senseOf(clause))),
  ).size > 1
