// Selects the quotes of an answer and decides whether they answer the question. Quotes are the best evidence of each passage, as long
// as it probably belongs to the answer; documents that the question names come first. A section whose heading asks the question is
// quoted as a whole, and an amendment together with the clause that it changes. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { fold } from '../../language/words.ts'
import { decimalSignOf } from '../compute/cell-value.ts'
import { isWithin, readRange } from '../compute/range.ts'
import { inUnit } from '../compute/units.ts'
import type { Cell } from '../markdown-table.ts'
import { amends, beginningsOf, isOfAmendment, laterFirst, namesClause, namingClause } from './amendments.ts'
import { answerType, namesType } from './answer-type.ts'
import type { SelectedEvidence, Verdict } from './compose.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import { type Criteria, containsAnswer, featuresOf } from './features.ts'
import { itemsWithAnswer, neighbourAsked, neighbourOf } from './items.ts'
import {
  contains,
  coverage,
  type Keyword,
  matching,
  passageTerms,
  questionKeywords,
  textTerms,
} from './keywords.ts'
import { latestFirst } from './later.ts'
import { isCode, isNegated, type SubQuestion, wordsOfNames } from './question.ts'
import { isAnswered, isQuoted, isStated, type QuoteSigns, type StatedSigns, type Weights } from './ranker.ts'
import { type Candidate, candidatesIn, hasCode, inOrder, type ScoredEvidence } from './ranking.ts'
import { attributesOf } from './records.ts'
import { criteriaFor, isKnownCode, type RetrievalState, wholeOf } from './retrieval.ts'
import { comparedPeriods, type Measure, tableQuestion } from './tables/question.ts'
import { unitAround } from './unit.ts'
import { hasValue } from './value.ts'

export interface Selection {
  verdict: Verdict
  /** Of each side of a comparison, or of the whole question. */
  selected: SelectedEvidence[]
  /** Words of the question that no document contains. */
  unknown: string[]
  /** Whether a name of the question is in no document. */
  hasUnknownName: boolean
  /** Whether a code of the question is in no document. Then the documents cannot answer it. */
  hasUnknownCode: boolean
}

/** The evidence for one question: for the whole one, or for one side of a comparison. */
export interface Candidates {
  part: SubQuestion
  criteria: Criteria
  pieces: Evidence[]
  candidates: Candidate[]
}

export interface Prepared {
  state: RetrievalState
  whole: Candidates
  sides: Candidates[]
}

/**
 * Collects the candidates for the whole question and for each side of a comparison, without the weights.
 * @param evidenceOf extracts the evidence; lab/ranker passes a function that caches
 */
export function prepare(state: RetrievalState, evidenceOf = evidenceIn): Prepared {
  const { question } = state
  const measures = tableQuestion(question.text, question.language)?.measures.values() ?? []
  const amounts = [...measures].filter(({ unit }) => unit !== '')
  // A row for another weight does not answer the question, however many words it shares with it.
  const all = evidenceOf([...state.found.values()]).filter(
    ({ cells, own }) => !cells || !amounts.some((amount) => excludes(cells, amount, own.language)),
  )
  const candidatesOf = (part: SubQuestion): Candidates => {
    const criteria = criteriaFor(state, part)
    const { side } = part
    const pieces = side === undefined ? all : all.filter(({ found: { passage } }) => mentions(passage, side))
    return { part, criteria, pieces, candidates: candidatesIn(ofConversation(pieces, state), criteria) }
  }
  return {
    state,
    whole: candidatesOf(wholeOf(question)),
    sides: question.sides.map(candidatesOf),
  }
}

/** The evidence in the documents of the conversation and in their amendments; all evidence if the question is no follow-up. */
function ofConversation(pieces: readonly Evidence[], { documents }: RetrievalState): readonly Evidence[] {
  if (documents.size === 0) return pieces
  const idOf = ({ found: { passage } }: Evidence): string => passage.document_id
  const firstOfEach = new Map(
    pieces.filter((piece) => documents.has(idOf(piece))).map((piece) => [idOf(piece), piece]),
  )
  const beginnings = beginningsOf(pieces)
  return pieces.filter(
    (piece) =>
      documents.has(idOf(piece)) ||
      [...firstOfEach.values()].some((earlier) => isOfAmendment(piece, earlier, beginnings)),
  )
}

/** Whether the row has ranges in a unit of the same dimension, and none of them contains the amount. */
function excludes(cells: readonly Cell[], { amount, unit }: Measure, language: Language): boolean {
  const rangesContain = cells.flatMap(({ text }) => {
    const range = readRange(text, decimalSignOf(language))
    const converted = range && (range.unit === unit ? amount : inUnit(amount, unit, range.unit))
    return range && converted ? [isWithin(range, converted.toNumber())] : []
  })
  return rangesContain.length > 0 && !rangesContain.includes(true)
}

/** The parts that are answered separately: the sides of a comparison if something was found for each of them, else the whole question. */
export const partsOf = ({ whole, sides }: Prepared): Candidates[] =>
  sides.length > 1 && sides.every(({ candidates }) => candidates.length > 0) ? sides : [whole]

/** The quotes for the question, and whether they answer it. A comparison with a side that no document mentions is treated as one question. */
export function decide(prepared: Prepared, weights: Weights): Selection {
  const { state, whole } = prepared
  const { question } = state
  const { keywords } = whole.criteria
  const step = requestedStep(prepared)
  if (step)
    return { verdict: 'found', selected: [step], unknown: [], hasUnknownName: false, hasUnknownCode: false }
  const wholeAnswer = answerTo(state, whole, weights, MAX_QUOTES)
  const parts = partsOf(prepared)
  const selected = parts.includes(whole)
    ? [wholeAnswer]
    : parts.map((part) => answerTo(state, part, weights, MAX_QUOTES_PER_SIDE))
  const unknown = unknownIn(question.text, question.language, keywords)
  const unknownCodes = question.writtenNames
    .flatMap((name) => name.split(/\s+/))
    .filter((code) => isCode(code) && !isKnownCode(state, code))
  const isAbsent =
    unknownCodes.length > 0 || !keywords.some(({ word }) => /\p{L}/u.test(word)) || !wholeAnswer.answered
  // A list of who was present does not answer "Who was not present?", and a row with "not paid" does not answer "Who has paid?", although
  // the words match.
  const isNegatedRow = ({ quotes: [best], criteria }: SelectedEvidence): boolean =>
    best?.evidence.cells?.some(({ header, text }) => {
      const terms = textTerms(`${header} ${text}`, best.evidence.own.language)
      return isNegated(text) && criteria.keywords.some((keyword) => contains(terms, keyword))
    }) ?? false
  // A question for a figure is not answered by evidence without one. In a section, any statement or item may have the figure.
  const hasType = ({ quotes, criteria }: SelectedEvidence): boolean =>
    quotes.some(
      ({ features: { figure }, matchesHeading, evidence }, i) =>
        ((i === 0 && figure >= 0) ||
          (matchesHeading && (figure >= 0 || containsAnswer(evidence, criteria)))) &&
        hasValue(evidence, criteria, question.text),
    )
  const isFound =
    !isNegated(question.text) &&
    selected.every((answer) => answer.stated && hasType(answer) && !isNegatedRow(answer))
  return {
    verdict: isAbsent ? 'absent' : isFound ? 'found' : 'close',
    selected,
    unknown: [...new Set([...unknownCodes, ...unknown.map(({ word }) => word)])],
    hasUnknownName: hasUnknownName(state, keywords),
    hasUnknownCode: unknownCodes.length > 0,
  }
}

/** The step before or after the one that the question names. */
function requestedStep({ state, whole }: Prepared): SelectedEvidence | undefined {
  const { message, question, statistics } = state
  const neighbour = neighbourAsked(message.part(question.text), question.language)
  if (!neighbour) return undefined
  const known = questionKeywords(
    { text: message.part(neighbour.known), language: question.language },
    statistics,
  )
  const evidence = neighbourOf(whole.pieces, known, neighbour.direction)
  if (!evidence) return undefined
  const { criteria } = whole
  const quote = { evidence, features: featuresOf(evidence, criteria, false), matchesHeading: false, score: 0 }
  return { criteria, quotes: [quote] }
}

/** Whether the question contains a code, or a word written as a name, that is in no chunk. */
function hasUnknownName({ question }: RetrievalState, keywords: readonly Keyword[]): boolean {
  const inNames = wordsOfNames(question.writtenNames)
  // A text about the time before July need not contain "July".
  const compared = wordsOfNames(comparedPeriods(question.text))
  return keywords.some(
    ({ word, isKnown }) => !isKnown && !compared.has(fold(word)) && (inNames.has(fold(word)) || isCode(word)),
  )
}

/**
 * The words that no document contains. In languages other than English, only names, codes and words written like them are returned,
 * because any other word may be an inflection. Everyday words are returned only if no other word is unknown.
 */
function unknownIn(text: string, language: Language, keywords: readonly Keyword[]): Keyword[] {
  const type = answerType(text)
  const unknown = keywords.filter(
    ({ word, isKnown, isInCompound }) =>
      !isKnown && !isInCompound && !namesType(type, word) && (language === 'en' || /^[^\p{Ll}]/u.test(word)),
  )
  const rare = unknown.filter(({ isGeneric }) => !isGeneric)
  return rare.length > 0 ? rare : unknown
}

// The largest share of the question's weight that may be in words that no document contains: "What is the capital of Oregon?" is not
// answered by a text about Oregon if no text has "capital". At 0.25 a few right answers of XQuAD are no longer stated; at 0.28 all of
// them are. Applied to English only, because in other languages an unknown word may be an inflection.
const MAX_UNKNOWN_SHARE = 0.28

interface JudgedEvidence extends SelectedEvidence {
  answered: boolean
  stated: boolean
}

export const MAX_QUOTES = 6
export const MAX_QUOTES_PER_SIDE = 2
// Evidence with this share of the question's weight counts as having all of the question.
const WHOLE_QUESTION = 0.9

/** The quotes for one question, whether the documents answer it, and whether the best quote may be stated as its answer. */
function answerTo(
  state: RetrievalState,
  { part: { side }, criteria, pieces, candidates }: Candidates,
  weights: Weights,
  maxQuotes: number,
): JudgedEvidence {
  const ranked = inOrder(candidates, weights)
  const [first] = ranked
  if (!first)
    return { criteria, quotes: [], answered: false, stated: false, ...(side !== undefined && { side }) }
  const [best = first] = withItems(first, criteria)
  // Evidence with both the code of the question and a figure is the answer, whatever its wording.
  const isCoded = best.features.figure > 0 && criteria.codes.some((code) => hasCode(best.evidence.text, code))
  const signs = signsOf(state, best, criteria)
  const stated = isStated(signs, weights)
  const { text, language } = state.question
  const unknown = unknownIn(text, language, criteria.keywords)
  const hasTooManyUnknown = language === 'en' && total(unknown) > MAX_UNKNOWN_SHARE * total(criteria.keywords)
  const isNarrow = stated || best.features.figure > 0
  const chosen = quotesOf(ranked, weights, { maxQuotes, isNarrow, asked: askedBy(state, criteria) })
  const amended = withAmendment(chosen, { state, ranked, pieces, criteria }).flatMap((quote) =>
    withItems(quote, criteria),
  )
  const quotes = amended.some(({ isAmendment }) => isAmendment)
    ? amended
    : latestFirst(amended, pieces, criteria)
  // The sentences of a speaker's turn are about one thing, so they are counted together.
  const whole = asQuoted(best, criteria)
  // "What does clause 5 say?" is answered by the clause, whether or not a document contains "say".
  const isPart =
    criteria.part !== undefined && best.matchesHeading && unknown.every(({ isGeneric }) => isGeneric)
  // Evidence that has the whole question and the figure is the answer. So is a clause with the figure together with its amendment,
  // because the two were found through their references to each other.
  const isWhole =
    isCoded ||
    isPart ||
    (best.features.figure > 0 &&
      (best.features.own > WHOLE_QUESTION || quotes.some(({ isAmendment }) => isAmendment)))
  // A row is the answer only if it, its column names and its heading have the whole question. A row that has most of it may be one of
  // several, or the one that a condition of the question excludes.
  const isCovered =
    isCoded ||
    isPart ||
    (best.evidence.cells
      ? shareOf(best) > WHOLE_QUESTION && (!best.matchesHeading || saysRest(best, criteria))
      : (best.matchesHeading || shareOf(whole) >= MIN_STATED) &&
        // A turn need not contain the verb of a question about its speaker ("suggests", "agrees").
        ((best.evidence.speaker !== undefined && shareOf(whole) >= MIN_STATED_BY_SPEAKER) ||
          coversAsked(whole, criteria, state)))
  // Evidence that has the whole question is the answer, however few words the question has.
  const saysAll = unknown.length === 0 && best.features.own > WHOLE_QUESTION && criteria.keywords.length > 1
  return {
    criteria,
    quotes,
    answered: isCoded || isAnswered(signs, weights),
    stated:
      (isWhole || saysAll || (stated && !hasTooManyUnknown)) &&
      isCovered &&
      isAboutSame(best.evidence, state, criteria),
    ...(side !== undefined && { side }),
  }
}

/** A sentence of a turn with the neighbours that are quoted with it. */
function asQuoted(scored: ScoredEvidence, criteria: Criteria): ScoredEvidence {
  const { paragraph, text, own, speaker } = scored.evidence
  if (speaker === undefined) return scored
  const at = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
  if (!paragraph || at < 0 || paragraph.length < 2) return scored
  const { from, to } = unitAround(paragraph, at)
  const unit = paragraph.slice(from, to).map((sentence) => sentence.text)
  const evidence = { ...scored.evidence, own: textTerms(unit.join('\n'), own.language) }
  return { ...scored, evidence, features: featuresOf(evidence, criteria, scored.matchesHeading) }
}

/** The items of a list that answer the question by themselves; else the evidence as it is. */
function withItems(scored: ScoredEvidence, criteria: Criteria): ScoredEvidence[] {
  const items = criteria.part === undefined ? itemsWithAnswer(scored.evidence, criteria) : []
  if (items.length === 0) return [scored]
  return items.map((evidence) => ({
    ...scored,
    evidence,
    features: featuresOf(evidence, criteria, false),
    matchesHeading: false,
  }))
}

/** Whether a row below a heading that asks the question has the keywords that the heading and the title lack. */
function saysRest({ evidence }: ScoredEvidence, criteria: Criteria): boolean {
  const { title, headingAbove } = evidence
  const rest = criteria.keywords.filter(
    (keyword) =>
      !contains(headingAbove.terms, keyword) &&
      !contains(title, keyword) &&
      !namesType(criteria.type, keyword.word),
  )
  return (
    rest.length === 0 || featuresOf(evidence, { ...criteria, keywords: rest }, false).own > WHOLE_QUESTION
  )
}

// Evidence may be stated as the answer if it has this share of the question's weight, and this share of the words other than names.
// The second is needed because rare names make up most of the weight. If there are only a few other words, the share is larger.
const MIN_STATED = 0.5
const MIN_STATED_BY_SPEAKER = 0.55
const MIN_COVERED = 0.3
const FEW_WORDS = 2
const MIN_COVERED_OF_FEW = 0.6

/** Whether evidence, its heading or its title has enough of the question's words other than names. */
function coversAsked(
  { evidence: { own, headers, headingAbove, title } }: ScoredEvidence,
  { keywords, type }: Criteria,
  { question: { writtenNames } }: RetrievalState,
): boolean {
  const names = wordsOfNames(writtenNames)
  const asked = keywords.filter(
    ({ word, isTopic }) =>
      !isTopic && !namesType(type, word) && !isCode(word) && !/^\d/.test(word) && !names.has(fold(word)),
  )
  // Words in the title only name the thing that the question is about, so they do not count: a mail titled "Wedding" need not tell the
  // weather at the wedding. If all words are in the title, the evidence has to repeat them: not every sentence of the rules for rooms
  // tells which rooms there are. A question that names the kind of its answer, such as a fee, is an exception.
  const besidesTitle = asked.filter((keyword) => !contains(title, keyword))
  const namesKind = keywords.some(({ word }) => namesType(type, word))
  const attributes = besidesTitle.length > 0 || namesKind ? besidesTitle : asked
  // Among few words, weights are used, because an everyday word that no document contains weighs next to nothing. Many words count
  // equally.
  const isFew = attributes.length <= FEW_WORDS
  const weightOf = ({ weight }: Keyword): number => (isFew ? weight : 1)
  const sum = (worth: (keyword: Keyword) => number): number =>
    attributes.reduce((all, keyword) => all + worth(keyword), 0)
  const shareIn = (keyword: Keyword): number =>
    contains(headers, keyword) || contains(headingAbove.terms, keyword) ? 1 : matching(own, keyword)
  const covered = sum((keyword) => weightOf(keyword) * shareIn(keyword))
  return covered >= (isFew ? MIN_COVERED_OF_FEW : MIN_COVERED) * sum(weightOf)
}

/**
 * Whether evidence is about the same thing as the question. It, its heading or its title must have each identifying number (Unit 8,
 * version 3.3, a year). A row must have the name of the question as its own name, not in another column.
 */
function isAboutSame(
  { own, cells, text, headingAbove, title, found: { passage } }: Evidence,
  { question: { identifiers, writtenNames } }: RetrievalState,
  { keywords }: Criteria,
): boolean {
  const headers = (cells ?? []).map(({ header }) => header)
  const wholeText = [text, ...headers, headingAbove.text, passage.heading, passage.document_title].join('\n')
  const isIn = (number: string): boolean => hasCode(wholeText, number) || title.terms.has(number)
  if (!identifiers.every(isIn)) return false
  if (!cells) return true
  // A code identifies its row in any column, but a name in a row may be that of another thing.
  const names = writtenNames.filter((name) => !isCode(name) && /\s/.test(name))
  const named = keywords.filter(({ word }) => names.some((name) => name.split(/\s+/).includes(word)))
  const isAsked = ({ header }: { header: string }): boolean => {
    const terms = textTerms(header, own.language)
    return keywords.some((keyword) => contains(terms, keyword))
  }
  const has = (cell: { text: string }): boolean => {
    const terms = textTerms(cell.text, own.language)
    return named.length > 0 && named.every((keyword) => contains(terms, keyword))
  }
  const at = cells.findIndex(has)
  // A row is named by its first cells, such as a number, a code and a name.
  return at < NAMING_CELLS || cells.some((cell) => has(cell) && isAsked(cell))
}

const NAMING_CELLS = 3

const total = (keywords: readonly Keyword[]): number => keywords.reduce((sum, { weight }) => sum + weight, 0)

interface AskedFor {
  keywords: readonly Keyword[]
  /** The total weight of the keywords, in units of the weight of a word that no chunk contains. */
  length: number
}

export const askedBy = ({ statistics: { chunks } }: RetrievalState, { keywords }: Criteria): AskedFor => ({
  keywords,
  length: total(keywords) / Math.log(1 + (chunks + 0.5) / 0.5),
})

// How many of the first passages are checked for the largest share of the question.
const FIRST_PASSAGES = 10
// Questions longer than this count as this long, because no unit of text has most of the words of either.
const MAX_LENGTH = 5

/** The signs that decide whether the documents answer the question, and whether its best evidence may be stated as the answer. */
export function signsOf(state: RetrievalState, best: ScoredEvidence, criteria: Criteria): StatedSigns {
  const { keywords, length } = askedBy(state, criteria)
  const passages = [...state.found.values()].filter(({ rank }) => rank < FIRST_PASSAGES)
  const minShare = best.matchesHeading ? 1 : 0
  const share = Math.max(
    minShare,
    ...passages.map((found) => coverage(keywords, [passageTerms(found.passage)])),
  )
  const { own, figure, type, passage, meant, relevance, first } = best.features
  return {
    evidence: shareOf(best),
    passage: share,
    unknownName: hasUnknownName(state, keywords) ? 1 : 0,
    meant,
    length: Math.log(1 + Math.min(length, MAX_LENGTH)),
    own,
    type: figure + type,
    around: passage,
    relevance,
    first,
  }
}

// Evidence after this many pieces is ignored.
const MAX_PIECES = 60
// Subtracted from the score for each earlier quote of the same document, so that each document that the question names is quoted once
// before one is quoted twice.
const REPEAT_PENALTY = 1
// A document counts as named by the question if its `meant` has this share of the largest one.
const NAMED_SHARE = 0.8
// The weight of keywords that no earlier quote has.
const GAIN_WEIGHT = 2

/** Evidence in the order in which it is quoted, one piece per passage, each with the signs of whether it belongs to the answer. */
export function quotesInOrder(
  ranked: readonly ScoredEvidence[],
  maxQuotes: number,
  { keywords, length }: AskedFor,
): { scored: ScoredEvidence; signs: QuoteSigns }[] {
  const pool = ranked.slice(0, MAX_PIECES)
  const top = pool[0]?.score ?? 0
  const meant = Math.max(0, ...pool.map(({ features }) => features.meant))
  const quotes: { scored: ScoredEvidence; signs: QuoteSigns }[] = []
  const totalWeight = total(keywords) || 1
  // For each keyword, the largest share of it that a quote has.
  const quotedShares = keywords.map(() => 0)
  const keywordShares = ({ evidence: { own, headers, title } }: ScoredEvidence): number[] =>
    keywords.map((keyword) =>
      contains(headers, keyword) || contains(title, keyword) ? 1 : matching(own, keyword),
    )
  const sharesOf = new Map(pool.map((scored) => [scored, keywordShares(scored)]))
  const gainOf = (scored: ScoredEvidence): number =>
    keywords.reduce(
      (sum, { weight }, i) =>
        sum + weight * Math.max(0, (sharesOf.get(scored)?.[i] ?? 0) - (quotedShares[i] ?? 0)),
      0,
    ) / totalWeight
  const documentOf = ({ evidence }: ScoredEvidence): string => evidence.found.passage.document_id
  while (quotes.length < maxQuotes) {
    const quoted = quotes.map(({ scored }) => scored)
    const priority = (scored: ScoredEvidence): number => {
      const ofDocument = quoted.filter((quote) => documentOf(quote) === documentOf(scored)).length
      if (meant > 0)
        return scored.score - (scored.features.meant >= NAMED_SHARE * meant ? REPEAT_PENALTY * ofDocument : 0)
      return scored.score + (quoted.length ? GAIN_WEIGHT * gainOf(scored) : 0)
    }
    const [first, ...others] = pool.filter(
      ({ evidence }) => !quoted.some((quote) => quote.evidence.found === evidence.found),
    )
    if (!first) break
    const next = others.reduce(
      (best, candidate) => (priority(candidate) > priority(best) ? candidate : best),
      first,
    )
    const { features, score } = next
    quotes.push({
      scored: next,
      signs: {
        behind: score - top,
        place: quoted.length,
        meant: features.meant,
        anyMeant: meant > 0 ? 1 : 0,
        around: features.passage,
        relevance: features.relevance,
        own: features.own,
        gain: gainOf(next),
        sameDocument: quoted.some((quote) => documentOf(quote) === documentOf(next)) ? 1 : 0,
        length: Math.log(1 + length),
      },
    })
    for (const [i, share] of (sharesOf.get(next) ?? []).entries())
      quotedShares[i] = Math.max(quotedShares[i] ?? 0, share)
  }
  return quotes
}

/**
 * The quotes for one question. If `isNarrow`, the best quote is stated as the answer or has the figure that the question asks for. Then
 * further quotes must have nearly as much of the question, and the figure too. Otherwise each quote may cover another part of the
 * question. If the heading above the best quote asks the question, the whole section is the answer, and nothing else is quoted.
 */
export function quotesOf(
  ranked: readonly ScoredEvidence[],
  weights: Weights,
  { maxQuotes, isNarrow, asked }: { maxQuotes: number; isNarrow: boolean; asked: AskedFor },
): ScoredEvidence[] {
  const [best] = ranked
  if (best?.matchesHeading) return linesAskedFor(sectionOf(best, ranked), asked)
  const minOwn = isNarrow && best ? best.features.own ** 2 : 0
  const minFigure = isNarrow && best ? best.features.figure : -1
  return quotesInOrder(ranked, maxQuotes, asked)
    .filter(
      ({ scored, signs }, i) =>
        i === 0 ||
        (scored.features.own >= minOwn && scored.features.figure >= minFigure && isQuoted(signs, weights)),
    )
    .map(({ scored }) => scored)
}

/** The share of the question in the evidence, its headings and its title. */
const shareOf = ({ features: { own, title, row } }: ScoredEvidence): number =>
  row ? own : Math.min(1, own + title)

const MAX_SECTION_QUOTES = 8

/** The evidence below the heading, in reading order. Items of a list are left out if the list itself is there. */
function sectionOf(best: ScoredEvidence, ranked: readonly ScoredEvidence[]): ScoredEvidence[] {
  const { found, headingAbove } = best.evidence
  const section = ranked.filter(
    ({ matchesHeading, evidence: other }) =>
      matchesHeading &&
      other.headingAbove.text === headingAbove.text &&
      other.found.passage.document_id === found.passage.document_id,
  )
  const lists = section.filter(({ evidence }) => evidence.list)
  const isIn = ({ evidence: { list, text } }: ScoredEvidence): boolean =>
    !list && lists.some(({ evidence }) => evidence.text.includes(text))
  const placeOf = ({ evidence: { found, text } }: ScoredEvidence): number =>
    found.passage.chunk_no * 1e6 + found.passage.text.indexOf(text)
  return section
    .filter((scored) => !isIn(scored))
    .sort((a, b) => placeOf(a) - placeOf(b))
    .slice(0, MAX_SECTION_QUOTES)
}

/** The lines of a record whose names are in the question, such as "Budget"; the whole section if there are none. */
function linesAskedFor(section: ScoredEvidence[], { keywords }: AskedFor): ScoredEvidence[] {
  const named = section.filter(({ evidence: { isOfRecord, text, own } }) => {
    const keys = isOfRecord ? attributesOf(text).map(({ header }) => header) : []
    const terms = textTerms(keys.join('\n'), own.language)
    return keywords.some((keyword) => contains(terms, keyword))
  })
  return named.length > 0 ? named : section
}

// An amendment that does not name the clause must have this share of what the best quote has of the question, and the best quote must
// have this share of the question itself.
const AMENDMENT_SHARE = 0.4
const AMENDED_SHARE = 0.5

const MAX_AMENDMENTS = 2
// Another clause is as likely the answer as the best quote if it has this share of what the best quote has of the question.
const SIMILAR_SHARE = 0.9
const MAX_SIMILAR = 5

interface RankedEvidence extends Pick<Candidates, 'pieces' | 'criteria'> {
  state: RetrievalState
  ranked: readonly ScoredEvidence[]
}
/** Adds the amendments of the best quote, or the clause that the best quote amends. Only together are they the answer. The latest comes first. */
function withAmendment(
  quotes: ScoredEvidence[],
  { state, ranked, pieces, criteria }: RankedEvidence,
): ScoredEvidence[] {
  const [best] = quotes
  if (!best) return quotes
  const beginnings = beginningsOf(pieces)
  const near = ranked.filter(
    (scored) =>
      shareOf(best) >= AMENDED_SHARE &&
      shareOf(scored) >= AMENDMENT_SHARE * shareOf(best) &&
      containsAnswer(scored.evidence, criteria),
  )
  const isNear = (piece: Evidence): boolean => near.some(({ evidence }) => evidence === piece)
  /** The clause that the evidence changes, or the evidence itself if it changes none. */
  const baseOf = (scored: ScoredEvidence): ScoredEvidence =>
    [...ranked.filter(({ evidence }) => namesClause(scored.evidence, evidence)), ...near].find(
      ({ evidence }) => amends(scored.evidence, evidence, beginnings),
    ) ?? scored
  /** One piece of each amendment: the one with the answer, else the one that names the clause. The latest comes first. */
  const changesOf = (base: Evidence): Evidence[] => {
    const namesBase = namingClause(base)
    const changes = pieces.filter(
      (piece) => (namesBase(piece) || isNear(piece)) && amends(piece, base, beginnings),
    )
    const byDocument = new Map<string, Evidence>()
    for (const piece of changes) {
      const { document_id: id } = piece.found.passage
      const earlier = byDocument.get(id)
      if (!earlier || (!containsAnswer(earlier, criteria) && containsAnswer(piece, criteria)))
        byDocument.set(id, piece)
    }
    return [...byDocument.values()].sort((a, b) => laterFirst(a, b, beginnings)).slice(0, MAX_AMENDMENTS)
  }
  const hasAnswer = containsAnswer(best.evidence, criteria)
  const similar = near
    .filter(
      (scored) =>
        !hasAnswer ||
        (shareOf(scored) >= SIMILAR_SHARE * shareOf(best) && coversAsked(scored, criteria, state)),
    )
    .slice(0, MAX_SIMILAR)
  for (const clause of [best, ...similar]) {
    const base = baseOf(clause)
    const changes = changesOf(base.evidence)
    // A clause such as "either party may end the lease" and its amendment may both lack the answer, here the date.
    const hasAnyAnswer = [base.evidence, ...changes].some((evidence) => containsAnswer(evidence, criteria))
    if (changes.length === 0 || !hasAnyAnswer) continue
    const changed =
      criteria.part === undefined
        ? [{ ...base, isAmended: true }]
        : quotes.filter((quote) => !changes.includes(quote.evidence))
    const later = changes.map((evidence) => ({
      ...(ranked.find((scored) => scored.evidence === evidence) ?? { ...base, matchesHeading: false }),
      evidence,
      isAmendment: true,
    }))
    return [...later, ...changed]
  }
  return quotes
}

/** Whether the passage has every word of a side of a comparison. */
function mentions(passage: Evidence['found']['passage'], side: string): boolean {
  const { terms } = passageTerms(passage)
  return contentTerms(side, passage.language).every((term) => terms.has(term))
}
