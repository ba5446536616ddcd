// What a later record says of the same topic: minutes of two meetings have a "Roof", and the later one tells what holds. Dates are
// read from titles and first lines, topics from headings and from the words that an item begins with. Pure.

import { placedPeriods, startOf } from '../../language/periods.ts'
import { fold } from '../../language/words.ts'
import { beginningsOf } from './amendments.ts'
import type { Evidence } from './evidence.ts'
import { type Criteria, containsAnswer, featuresOf } from './features.ts'
import { itemsOf } from './items.ts'
import { coverage } from './keywords.ts'
import type { ScoredEvidence } from './ranking.ts'
import { withoutNumber } from './text-structure.ts'

// A longer beginning is a statement.
const TOPIC = /^(?<topic>[^.:!?\n]{2,40})[.:]\s+\S/u
// Of the share of the question that the earlier record has. With its title it has no less: the deposit of another flat is another.
const MIN_SHARE = 0.5

/** The quotes with what the latest record says of the topic of the best one before it, if it has what is asked for. */
export function latestFirst(
  quotes: readonly ScoredEvidence[],
  pieces: readonly Evidence[],
  criteria: Criteria,
): ScoredEvidence[] {
  const [best] = quotes
  const topic = best && topicOf(best.evidence)
  if (!best || topic === undefined) return [...quotes]
  const dates = datesOf(pieces)
  const dateOf = ({ found }: Evidence): string => dates.get(found.passage.document_id) ?? ''
  const titleShareOf = ({ title }: Evidence): number => coverage(criteria.keywords, [title])
  const least = MIN_SHARE * coverage(criteria.keywords, [best.evidence.own])
  const later = pieces
    .flatMap((piece) => (piece.list ? itemsOf(piece) : [piece]))
    .filter(
      (piece) =>
        dateOf(best.evidence) !== '' &&
        dateOf(piece) > dateOf(best.evidence) &&
        topicOf(piece) === topic &&
        coverage(criteria.keywords, [piece.own]) >= least &&
        titleShareOf(piece) >= titleShareOf(best.evidence) &&
        containsAnswer(piece, criteria),
    )
    .sort((a, b) => dateOf(b).localeCompare(dateOf(a)))
  const [latest] = later
  if (!latest) return [...quotes]
  const own = { ...best, evidence: latest, features: featuresOf(latest, criteria, best.matchesHeading) }
  return [own, ...quotes.filter(({ evidence }) => evidence.text !== latest.text)]
}

/** "roof" of "2. Roof. The work was finished on 30 May." and of what stands below "2. Roof". */
function topicOf({ text, under, found: { passage }, cells, list }: Evidence): string | undefined {
  if (cells || list) return undefined
  const own = TOPIC.exec(withoutNumber(text))?.groups?.topic
  const topic = own ?? (under.text === passage.document_title ? undefined : withoutNumber(under.text))
  return topic === undefined ? undefined : fold(topic.trim())
}

/** The day of each document of which it can be told: that in its title, else the first in its first lines. */
function datesOf(pieces: readonly Evidence[]): Map<string, string> {
  const beginnings = beginningsOf(pieces)
  const titles = new Map(
    pieces.map(({ found: { passage } }) => [passage.document_id, passage.document_title]),
  )
  return new Map(
    [...titles].flatMap(([id, title]) => {
      const [first] = [...placedPeriods(title), ...placedPeriods(beginnings.get(id) ?? '')]
      return first ? [[id, startOf(first.period)] as const] : []
    }),
  )
}
