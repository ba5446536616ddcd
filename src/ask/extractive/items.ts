// The part of a list that answers a question: the whole list, single items, or the item before or after a step that the question
// names. Pure.

import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import { wholeWords } from '../../language/words.ts'
import { isTypeWord } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import { asksForFigure, type Criteria, containsAnswer } from './features.ts'
import { containsKeyword, coverage, type Keyword, noTerms, textTerms } from './keywords.ts'

type QuestionCriteria = Pick<Criteria, 'keywords' | 'type'>

// An item answers if its coverage of the keywords is at least this share of the best item's coverage.
const MIN_SHARE_OF_BEST = 0.9
// If more than this many items answer, the whole list is the answer.
const MAX_ITEMS = 2

/**
 * The items that answer the question alone, as an item in the minutes of a meeting may. Empty if there is no list, no such item, or
 * only the whole list answers.
 */
export function itemsWithAnswer(evidence: Evidence, criteria: QuestionCriteria): Evidence[] {
  const { keywords, type } = criteria
  const { list, headingAbove, titleTerms, foundPassage } = evidence
  if (!list || type === 'steps') return []
  const { language } = foundPassage.passage
  const coverages = list.items.map((item) => coverage(keywords, [textTerms(item, language)]))
  const best = Math.max(...coverages)
  const answeringItems = list.items.flatMap((item, i) =>
    best > 0 && (coverages[i] ?? 0) >= MIN_SHARE_OF_BEST * best && endsLikeSentence(item)
      ? [itemEvidence(evidence, i)]
      : [],
  )
  if (asksForFigure(type) && !answeringItems.some((item) => containsAnswer(item, criteria))) return []
  // If a keyword is in the heading or the lead but in no answering item, it is about all items, so the whole list answers. Keywords
  // of the title do not count.
  const termsAbove = [headingAbove.terms, list.hasLead ? textTerms(list.lead, language) : noTerms(language)]
  const isAboutAllItems = keywords.some(
    (keyword) =>
      !containsKeyword(titleTerms, keyword) &&
      termsAbove.some((terms) => containsKeyword(terms, keyword)) &&
      !answeringItems.some(({ ownTerms }) => containsKeyword(ownTerms, keyword)),
  )
  return isAboutAllItems || answeringItems.length > MAX_ITEMS || answeringItems.length === list.items.length
    ? []
    : answeringItems
}

const endsLikeSentence = (item: string): boolean => /[.!。！]["”’»)]*\s*$/u.test(item)

/** Each item of a list as a piece of evidence. */
export const itemsAsEvidence = (evidence: Evidence): Evidence[] =>
  (evidence.list?.items ?? []).map((_, i) => itemEvidence(evidence, i))

function itemEvidence(evidence: Evidence, index: number): Evidence {
  const { list, items: _, ...otherFields } = evidence
  const text = list?.items[index] ?? ''
  const { language } = evidence.foundPassage.passage
  return { ...otherFields, text, ownTerms: textTerms(text, language), headerTerms: noTerms(language) }
}

type Direction = 'after' | 'before'

const DIRECTION_WORDS: Record<Direction, RegExp> = {
  after: wholeWords(
    'after|follows|following|once|nach|nachdem|folgt (?:auf|dem|der)|après|suit|después de(?:l)?|tras|sigue a(?:l)?',
  ),
  before: wholeWords('before|precedes|vor|bevor|avant|antes de(?:l)?'),
}
const QUESTION_WORD =
  /^[¿\s]*(?:(?:and|und|et|y)\s+)?(?:what|which|was|welche[rsnm]?|que|qu['’]|quel(?:le)?s?|qué|cuál)(?![\p{L}])/iu
const STEP_WORD =
  /^(?:comes?|happens?|must|next|previous|directly|immediately|right|kommt|passiert|mache[n]?|nächste[rsnm]?|direkt|vient|dois|prochaine?|suivante?|viene|pasa|siguiente)$/iu

/** For "What comes after the rinsing?": the direction, and the text that names the step. Undefined for any other question. */
export function neighbourAsked(
  question: string | AnalysedText,
  language: Language,
): { direction: Direction; namedStep: string } | undefined {
  const message = analysedText(question)
  const { text } = message
  if (!QUESTION_WORD.test(text)) return undefined
  for (const direction of ['after', 'before'] as const) {
    const match = DIRECTION_WORDS[direction].exec(text)
    if (!match) continue
    const wordsBefore = message
      .part(text.slice(0, match.index))
      .words.filter(({ raw }) => textTerms(raw, language).terms.size > 0)
    const asksForStep = wordsBefore.every(({ raw }) => STEP_WORD.test(raw) || isTypeWord('steps', raw))
    const namedStep = text.slice(match.index + match[0].length)
    if (asksForStep && namedStep.trim() !== '') return { direction, namedStep }
  }
  return undefined
}

// The share of the keywords of the named step that an item must cover to be that step.
const MIN_STEP_COVERAGE = 0.5

/** The item of a numbered list before or after the step with these keywords. */
export function neighbourOf(
  pieces: readonly Evidence[],
  namedStep: readonly Keyword[],
  direction: Direction,
): Evidence | undefined {
  let best: { share: number; evidence: Evidence | undefined } = {
    share: MIN_STEP_COVERAGE,
    evidence: undefined,
  }
  for (const piece of pieces) {
    if (!piece.list?.isOrdered) continue
    for (const [i, item] of piece.list.items.entries()) {
      const share = coverage(namedStep, [textTerms(item, piece.foundPassage.passage.language)])
      if (share <= best.share) continue
      const at = direction === 'after' ? i + 1 : i - 1
      best = { share, evidence: piece.list.items[at] === undefined ? undefined : itemEvidence(piece, at) }
    }
  }
  return best.evidence
}
