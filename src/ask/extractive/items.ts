// What of a list answers a question: all of it where its lead or its heading asks the question, single items where they say by
// themselves what is asked, as those of minutes do, and the next one where the question names a step and asks what comes after it.
// Pure.

import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import type { Language } from '../../language/language.ts'
import { wholeWords } from '../../language/words.ts'
import { namesType } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import { asksForFigure, type Criteria, containsAnswer } from './features.ts'
import { contains, coverage, type Keyword, NO_TERMS, textTerms } from './keywords.ts'

type Asked = Pick<Criteria, 'keywords' | 'type'>

const AS_MUCH = 0.9
const MAX_ITEMS = 2

/** The items that say what is asked by themselves; empty where only the list as a whole answers. */
export function itemsWithAnswer(evidence: Evidence, criteria: Asked): Evidence[] {
  const { keywords, type } = criteria
  const { list, under, title, found } = evidence
  if (!list || type === 'steps') return []
  const { language } = found.passage
  const shares = list.items.map((item) => coverage(keywords, [textTerms(item, language)]))
  const best = Math.max(...shares)
  const chosen = list.items.flatMap((item, i) =>
    best > 0 && (shares[i] ?? 0) >= AS_MUCH * best && isStatement(item) ? [itemEvidence(evidence, i)] : [],
  )
  if (asksForFigure(type) && !chosen.some((item) => containsAnswer(item, criteria))) return []
  // What stands above says of all items what none of them says itself.
  const above = [under.terms, list.hasLead ? textTerms(list.lead, language) : NO_TERMS(language)]
  const isSaidAbove = keywords.some(
    (keyword) =>
      !contains(title, keyword) &&
      above.some((terms) => contains(terms, keyword)) &&
      !chosen.some(({ own }) => contains(own, keyword)),
  )
  return isSaidAbove || chosen.length > MAX_ITEMS || chosen.length === list.items.length ? [] : chosen
}

const isStatement = (item: string): boolean => /[.!。！]["”’»)]*\s*$/u.test(item)

/** Each item of a list by itself. */
export const itemsOf = (evidence: Evidence): Evidence[] =>
  (evidence.list?.items ?? []).map((_, i) => itemEvidence(evidence, i))

function itemEvidence(evidence: Evidence, at: number): Evidence {
  const { list, items: _, ...rest } = evidence
  const text = list?.items[at] ?? ''
  const { language } = evidence.found.passage
  return { ...rest, text, own: textTerms(text, language), headers: NO_TERMS(language) }
}

type Direction = 'after' | 'before'

const ORDER: Record<Direction, RegExp> = {
  after: wholeWords(
    'after|follows|following|once|nach|nachdem|folgt (?:auf|dem|der)|après|suit|después de(?:l)?|tras|sigue a(?:l)?',
  ),
  before: wholeWords('before|precedes|vor|bevor|avant|antes de(?:l)?'),
}
const ASKS =
  /^[¿\s]*(?:(?:and|und|et|y)\s+)?(?:what|which|was|welche[rsnm]?|que|qu['’]|quel(?:le)?s?|qué|cuál)(?![\p{L}])/iu
const STEP =
  /^(?:comes?|happens?|must|next|previous|directly|immediately|right|kommt|passiert|mache[n]?|nächste[rsnm]?|direkt|vient|dois|prochaine?|suivante?|viene|pasa|siguiente)$/iu

/** The item before or after the one that the question names; undefined where it asks for nothing but that. */
export function neighbourAsked(
  question: string | AnalysedText,
  language: Language,
): { direction: Direction; known: string } | undefined {
  const whole = analysedText(question)
  const { text } = whole
  if (!ASKS.test(text)) return undefined
  for (const direction of ['after', 'before'] as const) {
    const match = ORDER[direction].exec(text)
    if (!match) continue
    const head = whole
      .part(text.slice(0, match.index))
      .words.filter(({ raw }) => textTerms(raw, language).terms.size > 0)
    const isOrder = head.every(({ raw }) => STEP.test(raw) || namesType('steps', raw))
    const known = text.slice(match.index + match[0].length)
    if (isOrder && known.trim() !== '') return { direction, known }
  }
  return undefined
}

const MIN_KNOWN = 0.5

/** The step next to the one that the question names, in a numbered list. @param known the keywords of that one */
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
