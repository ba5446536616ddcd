// The part of a list that answers a question. The whole list answers if its lead or heading matches the question. Single items answer
// if they do so without the others, as items of minutes do. The neighbouring item answers if the question names a step and asks for the
// one before or after it. Pure.

import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import { wholeWords } from '../../language/words.ts'
import { namesType } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import { asksForFigure, type Criteria, containsAnswer } from './features.ts'
import { contains, coverage, type Keyword, NO_TERMS, textTerms } from './keywords.ts'

type QuestionCriteria = Pick<Criteria, 'keywords' | 'type'>

const MIN_SHARE_OF_BEST = 0.9
const MAX_ITEMS = 2

/** The items that answer the question without the others. Empty if only the whole list answers. */
export function itemsWithAnswer(evidence: Evidence, criteria: QuestionCriteria): Evidence[] {
  const { keywords, type } = criteria
  const { list, headingAbove, title, found } = evidence
  if (!list || type === 'steps') return []
  const { language } = found.passage
  const shares = list.items.map((item) => coverage(keywords, [textTerms(item, language)]))
  const best = Math.max(...shares)
  const answeringItems = list.items.flatMap((item, i) =>
    best > 0 && (shares[i] ?? 0) >= MIN_SHARE_OF_BEST * best && isStatement(item)
      ? [itemEvidence(evidence, i)]
      : [],
  )
  if (asksForFigure(type) && !answeringItems.some((item) => containsAnswer(item, criteria))) return []
  // A keyword that is only above the list is about all items, so the whole list answers.
  const termsAbove = [headingAbove.terms, list.hasLead ? textTerms(list.lead, language) : NO_TERMS(language)]
  const isOnlyAbove = keywords.some(
    (keyword) =>
      !contains(title, keyword) &&
      termsAbove.some((terms) => contains(terms, keyword)) &&
      !answeringItems.some(({ own }) => contains(own, keyword)),
  )
  return isOnlyAbove || answeringItems.length > MAX_ITEMS || answeringItems.length === list.items.length
    ? []
    : answeringItems
}

const isStatement = (item: string): boolean => /[.!。！]["”’»)]*\s*$/u.test(item)

/** The items of a list as evidence of their own. */
export const itemsOf = (evidence: Evidence): Evidence[] =>
  (evidence.list?.items ?? []).map((_, i) => itemEvidence(evidence, i))

function itemEvidence(evidence: Evidence, at: number): Evidence {
  const { list, items: _, ...otherFields } = evidence
  const text = list?.items[at] ?? ''
  const { language } = evidence.found.passage
  return { ...otherFields, text, own: textTerms(text, language), headers: NO_TERMS(language) }
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

/** The direction and the named step of a question for the next or previous step. Undefined for any other question. */
export function neighbourAsked(
  question: string | AnalysedText,
  language: Language,
): { direction: Direction; known: string } | undefined {
  const message = analysedText(question)
  const { text } = message
  if (!QUESTION_WORD.test(text)) return undefined
  for (const direction of ['after', 'before'] as const) {
    const match = DIRECTION_WORDS[direction].exec(text)
    if (!match) continue
    const wordsBefore = message
      .part(text.slice(0, match.index))
      .words.filter(({ raw }) => textTerms(raw, language).terms.size > 0)
    const asksForStep = wordsBefore.every(({ raw }) => STEP_WORD.test(raw) || namesType('steps', raw))
    const known = text.slice(match.index + match[0].length)
    if (asksForStep && known.trim() !== '') return { direction, known }
  }
  return undefined
}

const MIN_KNOWN = 0.5

/** The step before or after the one that the question names, in a numbered list. @param known the keywords of the named step */
export function neighbourOf(
  pieces: readonly Evidence[],
  known: readonly Keyword[],
  direction: Direction,
): Evidence | undefined {
  let best: { share: number; evidence: Evidence | undefined } = { share: MIN_KNOWN, evidence: undefined }
  for (const piece of pieces) {
    if (!piece.list?.isOrdered) continue
    for (const [i, item] of piece.list.items.entries()) {
      const share = coverage(known, [textTerms(item, piece.found.passage.language)])
      if (share <= best.share) continue
      const at = direction === 'after' ? i + 1 : i - 1
      best = { share, evidence: piece.list.items[at] === undefined ? undefined : itemEvidence(piece, at) }
    }
  }
  return best.evidence
}
