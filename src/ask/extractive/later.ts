// Later statements on the same topic: if the minutes of two meetings have a topic "Roof", the later minutes apply. Dates are read
// from titles and first lines, topics from headings and the beginnings of items. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { placedPeriods, startOf } from '../../language/periods.ts'
import { fold } from '../../language/words.ts'
import { beginningsOf } from './amendments.ts'
import type { Evidence } from './evidence.ts'
import { type Criteria, containsAnswer, featuresOf } from './features.ts'
import { itemsOf } from './items.ts'
import { coverage } from './keywords.ts'
import type { ScoredEvidence } from './ranking.ts'
import { withoutNumber } from './text-structure.ts'

// Matches "Roof. " in "Roof. The work was finished." A longer beginning is a statement and not a topic.
const TOPIC_BEFORE_TEXT = /^(?<topic>[^.:!?\n]{2,40})[.:]\s+\S/u
// The later statement must cover this share of what the earlier one covers of the question.
const MIN_SHARE_OF_EARLIER = 0.5

/** The quotes, with the best quote replaced by the latest statement on its topic, if that contains an answer of the right type. */
export function latestFirst(
  quotes: readonly ScoredEvidence[],
  pieces: readonly Evidence[],
  criteria: Criteria,
): ScoredEvidence[] {
  const [best] = quotes
  const topic = best && topicOf(best.evidence)
  if (!best || topic === undefined) return [...quotes]
  const dates = datesOf(pieces)
  const dateOf = ({ foundPassage }: Evidence): string => dates.get(foundPassage.passage.document_id) ?? ''
  const titleShareOf = ({ titleTerms }: Evidence): number => coverage(criteria.keywords, [titleTerms])
  const minCoverage = MIN_SHARE_OF_EARLIER * coverage(criteria.keywords, [best.evidence.ownTerms])
  const laterPieces = pieces
    .flatMap((piece) => (piece.list ? itemsOf(piece) : [piece]))
    .filter(
      (piece) =>
        dateOf(best.evidence) !== '' &&
        dateOf(piece) > dateOf(best.evidence) &&
        isSameTopic(topicOf(piece), topic, best.evidence.ownTerms.language) &&
        coverage(criteria.keywords, [piece.ownTerms]) >= minCoverage &&
        // The deposit of another flat is a different deposit.
        titleShareOf(piece) >= titleShareOf(best.evidence) &&
        containsAnswer(piece, criteria),
    )
    .sort((a, b) => dateOf(b).localeCompare(dateOf(a)))
  const [latest] = laterPieces
  if (!latest) return [...quotes]
  const laterQuote = {
    ...best,
    evidence: latest,
    features: featuresOf(latest, criteria, best.matchesHeading),
  }
  return [laterQuote, ...quotes.filter(({ evidence }) => evidence.text !== latest.text)]
}

/** The topic of a statement: "roof" for "2. Roof. The work was finished on 30 May." and for a text below the heading "2. Roof". */
function topicOf({
  text,
  headingAbove,
  foundPassage: { passage },
  cells,
  list,
}: Evidence): string | undefined {
  if (cells || list) return undefined
  const topicInText = TOPIC_BEFORE_TEXT.exec(withoutNumber(text))?.groups?.topic
  const topic =
    topicInText ??
    (headingAbove.text === passage.document_title ? undefined : withoutNumber(headingAbove.text))
  return topic === undefined ? undefined : fold(topic.trim())
}

/**
 * "Belt press" and "new belt press" are the same topic: one word more before the same words. One shared word is too little, and "fire
 * insurance claims" is another topic than "fire insurance".
 */
function isSameTopic(first: string | undefined, second: string, language: Language): boolean {
  if (first === undefined || first === second) return first === second
  const [shorter = [], longer = []] = [first, second]
    .map((topic) => contentTerms(topic, language))
    .sort((a, b) => a.length - b.length)
  return (
    shorter.length > 1 &&
    longer.length === shorter.length + 1 &&
    longer.slice(1).join(' ') === shorter.join(' ')
  )
}

/** The date of each document: the one in its title, else the first one at its beginning. Documents without a date are left out. */
function datesOf(pieces: readonly Evidence[]): Map<string, string> {
  const beginnings = beginningsOf(pieces)
  const titles = new Map(
    pieces.map(({ foundPassage: { passage } }) => [passage.document_id, passage.document_title]),
  )
  return new Map(
    [...titles].flatMap(([id, title]) => {
      const [first] = [...placedPeriods(title), ...placedPeriods(beginnings.get(id) ?? '')]
      return first ? [[id, startOf(first.period)] as const] : []
    }),
  )
}
