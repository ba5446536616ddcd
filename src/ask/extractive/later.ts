// Later statements on the same topic: if the minutes of two meetings have a topic "Roof", the statement of the later minutes is
// quoted first, and the text of a mail before messages that it quotes. Dates are read from titles and first lines, topics from
// headings and the beginnings of items. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { MONTH, placedPeriods, startOf } from '../../language/periods.ts'
import { fold } from '../../language/words.ts'
import { fileNameOf, messageHeadingOf } from '../passage.ts'
import { beginningsOf } from './amendments.ts'
import { isTypeWord } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import { type Criteria, containsAnswer, featuresOf } from './features.ts'
import { itemsAsEvidence } from './items.ts'
import { coverage, type Keyword, matchStrength } from './keywords.ts'
import { isNegated } from './question.ts'
import { hasCode, type ScoredEvidence } from './ranking.ts'
import { isClauseHeading, withoutNumber } from './text-structure.ts'

// Matches "Roof. " in "Roof. The work was finished." A longer beginning is a statement and not a topic.
const TOPIC_BEFORE_TEXT = /^(?<topic>[^.:!?\n]{2,40})[.:]\s+\S/u
// The coverage of the later statement must be at least this share of the coverage of the best quote.
const MIN_SHARE_OF_BEST_COVERAGE = 0.5

// Matches "3 November", "1er mai", "13 de abril".
const DAY = String.raw`\d{1,2}(?:\.|st|nd|rd|th|er)? (?:de )?${MONTH}`
const START = `(?:from|since|as of|effective|ab|seit|à (?:partir|compter) du|a partir del?)(?: the| dem)? ${DAY}`
const END = `(?:until|bis(?: zum)?|jusqu['’]au|hasta el) ${DAY}`
const wholeWord = (source: string): RegExp => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu')
// Says that something is now otherwise than before: "The price is now 675 euros", "Ab 3. November proben wir", "ya no". Not "instead",
// "statt" or "moved", which are the words of exceptions: "On Ascension Day the pool is open from 11:00 instead".
const STATES_CHANGE = wholeWord(
  [
    START,
    '(?:is|are|costs?|pays?|opens?|closes?|begins?|starts?|we|you) now|now (?:is|are|costs?|pays?|opens?|closes?|begins?|starts?)|no longer|ha(?:s|ve) an? new|(?:raised|reduced|increased|lowered|changed|moved) from [^.;]{1,40} to|replaces',
    '(?:ist|sind|kostet|kosten|beträgt|betragen|gilt|gelten|beginnt|beginnen|öffnet|öffnen|liefern|wir) (?:nun|jetzt)|künftig|nunmehr|nicht mehr|ab sofort|(?:hat|haben) (?:eine?n? )?neue[ns]?',
    'désormais|dorénavant|(?:est|sont) maintenant|passe(?:nt)? (?:à|de) \\d[\\d ,.]*(?:€|%|eur|euros)|ne [^.;]{1,40} plus|a une? nouve(?:au|lle)',
    'ahora|ya no|pasan? a (?:ser|costar)|tiene una? nuev[oa]',
  ].join('|'),
)
// Of the question's weight. What has less is about something else.
const MIN_COVERAGE_OF_REPLACED = 0.5
// Says that nothing was decided, or that it holds for a time only.
const IS_UNDECIDED = wholeWord(
  [
    END,
    'propos\\p{L}*|motion|request\\p{L}*|suggest\\p{L}*|discuss\\p{L}*|should|would|could|if|wish\\p{L}*|reject\\p{L}*|declin\\p{L}*|withdrawn',
    'antr[aä]g\\p{L}*|vorschl\\p{L}*|vorgeschl\\p{L}*|soll\\p{L}*|würden?|könnten?|wenn|falls|abgelehnt|vertagt',
    'rejet\\p{L}*|refus\\p{L}*|demand\\p{L}*|devrai\\p{L}*|pourrai\\p{L}*',
    'si|propon\\p{L}*|propuest\\p{L}*|rechaz\\p{L}*|solicit\\p{L}*|debería\\p{L}*|podría\\p{L}*',
  ].join('|'),
)

/**
 * The quotes, after the latest statement on what the best quote states: a newer one that says that something has changed, else the
 * latest statement on the topic of the best quote.
 * @param today the day of the question, such as `2026-11-29`
 */
export function withLatestStatement(
  quotes: readonly ScoredEvidence[],
  evidence: readonly Evidence[],
  criteria: Criteria,
  today = new Date().toISOString().slice(0, 10),
): ScoredEvidence[] {
  const [best, ...otherQuotes] = quotes
  const issueDates = issueDatesOf(evidence)
  const newer = newerQuote(quotes, evidence, { dates: issueDates, criteria, today })
  if (!newer || !best) return withLatestOnTopic(quotes, evidence, criteria)
  const others = otherQuotes.filter(({ evidence: { text } }) => text !== newer.evidence.text)
  // A page without a date may be the newer one, so both are shown.
  return issueDates.has(best.evidence.foundPassage.passage.document_id)
    ? [newer, { ...best, isAmended: true }, ...others]
    : [best, newer, ...others]
}

/**
 * The latest statement that says that something is now otherwise than the best quote says. It is of a later document, or the best
 * quote's document has no date. It has each word of the question that the best quote has, apart from those that only name the type of
 * the answer, it is decided and has begun, and it has an answer of the same type.
 */
function newerQuote(
  quotes: readonly ScoredEvidence[],
  evidence: readonly Evidence[],
  { dates, criteria, today }: { dates: ReadonlyMap<string, string>; criteria: Criteria; today: string },
): ScoredEvidence | undefined {
  const [best] = quotes
  if (!best || best.evidence.cells || best.evidence.list) return undefined
  const documentOf = ({ foundPassage }: Evidence): string => foundPassage.passage.document_id
  const dateOf = (piece: Evidence): string => dates.get(documentOf(piece)) ?? ''
  const contains = ({ ownTerms, headingAbove }: Evidence, keyword: Keyword): boolean =>
    matchStrength(ownTerms, keyword) > 0 || matchStrength(headingAbove.terms, keyword) > 0
  const requiredKeywords = criteria.keywords.filter(
    (keyword) =>
      !isTypeWord(criteria.type, keyword.word) &&
      !keyword.isStatedByValue &&
      contains(best.evidence, keyword),
  )
  const coverageOf = ({ ownTerms, headingAbove }: Evidence): number =>
    coverage(criteria.keywords, [ownTerms, headingAbove.terms])
  if (coverageOf(best.evidence) < MIN_COVERAGE_OF_REPLACED) return undefined
  const isNewer = (piece: Evidence): boolean =>
    documentOf(piece) !== documentOf(best.evidence) &&
    dateOf(piece) > dateOf(best.evidence) &&
    !piece.cells &&
    !piece.list &&
    piece.speaker === undefined &&
    isOfMailItself(piece) &&
    STATES_CHANGE.test(piece.text) &&
    !paragraphOf(piece).some((text) => IS_UNDECIDED.test(text)) &&
    placedPeriods(piece.text).every(({ period }) => startOf(period) <= today) &&
    requiredKeywords.every((keyword) => contains(piece, keyword)) &&
    coverageOf(piece) >= MIN_COVERAGE_OF_REPLACED &&
    criteria.codes.every((code) => hasCode(piece.text, code) || !hasCode(best.evidence.text, code)) &&
    isNegated(piece.text) === isNegated(best.evidence.text) &&
    containsAnswer(piece, criteria)
  const newerQuotes = quotes.filter(({ evidence: piece }) => isNewer(piece))
  const candidates =
    newerQuotes.length > 0
      ? newerQuotes
      : evidence.filter(isNewer).map((piece) => ({
          ...best,
          evidence: piece,
          features: featuresOf(piece, criteria, best.matchesHeading),
        }))
  const [latest] = candidates
    .filter(({ features: { figure, type } }) => figure >= best.features.figure && type >= best.features.type)
    .sort((a, b) => dateOf(b.evidence).localeCompare(dateOf(a.evidence)))
  return latest
}

/** The statement with the one after it in its paragraph, which may say that it was not decided. */
function paragraphOf({ text, paragraph }: Evidence): string[] {
  const at = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
  return [text, ...(at < 0 ? [] : (paragraph ?? []).slice(at + 1, at + 2).map((sentence) => sentence.text))]
}

/**
 * The quotes, after the latest statement on the topic of the best quote. Such a statement must cover enough of the question and
 * contain an answer of the right type, and its title must match the question at least as well.
 */
function withLatestOnTopic(
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

/**
 * The quotes with the text of a mail before that of earlier messages in it, if the best quote is from such a message, and the mail
 * answers the question as well. Whether the answer is stated is judged by the best quote, so the mail must be as good in all that is
 * judged there.
 */
export function withMailFirst(quotes: readonly ScoredEvidence[], criteria: Criteria): ScoredEvidence[] {
  const [best] = quotes
  if (!best || messageHeadingOf(best.evidence.foundPassage.passage) === undefined) return [...quotes]
  const newest = quotes.find(
    (quote) =>
      quote.evidence.foundPassage.passage.document_id === best.evidence.foundPassage.passage.document_id &&
      isOfMailItself(quote.evidence) &&
      answersAsWell(quote, best, criteria),
  )
  return newest ? [newest, ...quotes.filter((quote) => quote !== newest)] : [...quotes]
}

/** Whether the evidence is from no earlier message, neither below its heading nor in a line with a quote mark. */
function isOfMailItself({ text, foundPassage: { passage } }: Evidence): boolean {
  const lineStart = passage.text.lastIndexOf('\n', passage.text.indexOf(text)) + 1
  return messageHeadingOf(passage) === undefined && passage.text[lineStart] !== '>' && !text.startsWith('>')
}

/** Whether a quote passes the checks that the best quote may have passed when it was judged. */
function answersAsWell(quote: ScoredEvidence, best: ScoredEvidence, criteria: Criteria): boolean {
  const coverageOf = ({ evidence: { ownTerms } }: ScoredEvidence): number =>
    coverage(criteria.keywords, [ownTerms])
  // A question may name the writer of the message, who is in its heading only.
  const coverageWithHeading = ({ evidence, features: { title } }: ScoredEvidence): number =>
    coverage(criteria.keywords, [evidence.ownTerms, evidence.headingAbove.terms]) + title
  return (
    coverageOf(quote) >= coverageOf(best) &&
    coverageWithHeading(quote) >= coverageWithHeading(best) &&
    (['own', 'figure', 'type', 'pairs'] as const).every(
      (feature) => quote.features[feature] >= best.features[feature],
    ) &&
    containsAnswer(quote.evidence, criteria) &&
    (quote.matchesHeading || !best.matchesHeading) &&
    // More is asked of a row than of a sentence.
    (quote.evidence.cells === undefined) === (best.evidence.cells === undefined) &&
    isNegated(quote.evidence.text) === isNegated(best.evidence.text) &&
    criteria.codes.every((code) => hasCode(quote.evidence.text, code) || !hasCode(best.evidence.text, code))
  )
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
  // The clauses of two contracts have the same titles.
  const isClauseTitle = isClauseHeading(headingAbove.text)
  const topic =
    topicInText ??
    (headingAbove.text === passage.document_title || isClauseTitle
      ? undefined
      : withoutNumber(headingAbove.text))
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

// Matches the season before a year, "Newsletter, autumn 2026", in a group named after its first month.
const SEASON_BEFORE =
  /(?<!\p{L})(?:(?<m03>spring|frühjahr|frühling|printemps|primavera)|(?<m06>summer|sommer|été|verano)|(?<m09>autumn|fall|herbst|automne|otoño)|(?<m12>winter|hiver|invierno))[\s_-]*$/iu

// In UTF-16 units. The date of a document is in a short line: "Kestrel Cycles, 20 April 2026".
const MAX_DATE_LINE = 60

/**
 * The date of each document that has one: in its title or file name, or a day in a short line at its beginning. A date in running text may be that of
 * anything: "The house was built in 1908."
 */
function issueDatesOf(evidence: readonly Evidence[]): Map<string, string> {
  const beginnings = beginningsOf(evidence)
  return new Map(
    titlesOf(evidence).flatMap(({ id, title, fileName }) => {
      const dateLines = (beginnings.get(id) ?? '').split('\n').filter((line) => line.length <= MAX_DATE_LINE)
      const inTitle = dateAtStart(title) ?? dateAtStart(fileName)
      const day = placedPeriods(dateLines.join('\n')).find(({ period }) => /^\d{4}-\d\d-\d\d$/.test(period))
      const date = inTitle ?? day?.period
      return date === undefined ? [] : [[id, date] as const]
    }),
  )
}

/** The first day of the first period in a text, or of the season before it. */
function dateAtStart(text: string): string | undefined {
  const [firstPeriod] = placedPeriods(text)
  if (!firstPeriod) return undefined
  const season = SEASON_BEFORE.exec(text.slice(0, firstPeriod.start))?.groups
  const month = Object.entries(season ?? {})
    .find(([, name]) => name !== undefined)?.[0]
    .slice(1)
  return month ? `${firstPeriod.period}-${month}-01` : startOf(firstPeriod.period)
}

/** The names of the documents. */
const titlesOf = (evidence: readonly Evidence[]): { id: string; title: string; fileName: string }[] => [
  ...new Map(
    evidence.map(({ foundPassage: { passage } }) => [
      passage.document_id,
      { id: passage.document_id, title: passage.document_title, fileName: fileNameOf(passage) },
    ]),
  ).values(),
]

/** The date of each document: the one in its title, else the first one at its beginning. Documents without a date are left out. */
function datesOf(evidence: readonly Evidence[]): Map<string, string> {
  const beginnings = beginningsOf(evidence)
  return new Map(
    titlesOf(evidence).flatMap(({ id, title }) => {
      const date = dateAtStart(`${title}\n${beginnings.get(id) ?? ''}`)
      return date === undefined ? [] : [[id, date] as const]
    }),
  )
}
