// Later statements on the same topic: if the minutes of two meetings have a topic "Roof", the statement of the later minutes is
// quoted first. Dates are read from titles and first lines, topics from headings and the beginnings of items. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { placedPeriods, startOf } from '../../language/periods.ts'
import { fold } from '../../language/words.ts'
import { beginningsOf } from './amendments.ts'
import type { Evidence } from './evidence.ts'
import { type Criteria, containsAnswer, featuresOf } from './features.ts'
import { itemsAsEvidence } from './items.ts'
import { coverage } from './keywords.ts'
import type { ScoredEvidence } from './ranking.ts'
import { withoutNumber } from './text-structure.ts'

// Matches "Roof. " in "Roof. The work was finished." A longer beginning is a statement and not a topic.
const TOPIC_BEFORE_TEXT = /^(?<topic>[^.:!?\n]{2,40})[.:]\s+\S/u
// The coverage of the later statement must be at least this share of the coverage of the best quote.
const MIN_SHARE_OF_BEST_COVERAGE = 0.5

/**
 * The quotes, after the latest statement on the topic of the best quote. Such a statement must cover enough of the question and
 * contain an answer of the right type, and its title must match the question at least as well.
 */
export function withLatestStatement(
  quotes: readonly ScoredEvidence[],
  evidence: readonly Evidence[],
  criteria: Criteria,
): ScoredEvidence[] {
  const [best] = quotes
  const topic = best && topicOfStatement(best.evidence)
  if (!best || topic === undefined) return [...quotes]
  const dates = datesOf(evidence)
  const dateOf = ({ foundPassage }: Evidence): string => dates.get(foundPassage.passage.document_id) ?? ''
  const bestDate = dateOf(best.evidence)
  if (bestDate === '') return [...quotes]
  const titleCoverageOf = ({ titleTerms }: Evidence): number => coverage(criteria.keywords, [titleTerms])
  const minCoverage = MIN_SHARE_OF_BEST_COVERAGE * coverage(criteria.keywords, [best.evidence.ownTerms])
  const laterStatements = evidence
    .flatMap((piece) => (piece.list ? itemsAsEvidence(piece) : [piece]))
    .filter(
      (statement) =>
        dateOf(statement) > bestDate &&
        isSameTopic(topicOfStatement(statement), topic, best.evidence.ownTerms.language) &&
        coverage(criteria.keywords, [statement.ownTerms]) >= minCoverage &&
        // A document about another flat may state the deposit of that flat.
        titleCoverageOf(statement) >= titleCoverageOf(best.evidence) &&
        containsAnswer(statement, criteria),
    )
    .sort((a, b) => dateOf(b).localeCompare(dateOf(a)))
  const [latest] = laterStatements
  if (!latest) return [...quotes]
  // It takes the place of the best quote, so it keeps that quote's score.
  const laterQuote = {
    ...best,
    evidence: latest,
    features: featuresOf(latest, criteria, best.matchesHeading),
  }
  return [laterQuote, ...quotes.filter(({ evidence }) => evidence.text !== latest.text)]
}

/** The topic of a statement: "roof" for "2. Roof. The work was finished on 30 May." and for a text below the heading "2. Roof". */
function topicOfStatement({
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
 * Two topics are the same if they are equal, or if one has a further word in front and they share at least two words: "belt press"
 * and "new belt press". "Fire insurance claims" is another topic than "fire insurance".
 */
function isSameTopic(first: string | undefined, second: string, language: Language): boolean {
  if (first === undefined) return false
  if (first === second) return true
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
function datesOf(evidence: readonly Evidence[]): Map<string, string> {
  const beginnings = beginningsOf(evidence)
  const titles = new Map(
    evidence.map(({ foundPassage: { passage } }) => [passage.document_id, passage.document_title]),
  )
  return new Map(
    [...titles].flatMap(([id, title]) => {
      const [firstPeriod] = [...placedPeriods(title), ...placedPeriods(beginnings.get(id) ?? '')]
      return firstPeriod ? [[id, startOf(firstPeriod.period)] as const] : []
    }),
  )
}
