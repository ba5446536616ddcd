// Selects the quotes of an answer and decides whether they answer the question. Quotes are the best evidence of each passage, as
// long as it probably belongs to the answer; documents that the question names come first. A section whose heading asks the
// question is quoted as a whole, and an amendment together with the clause that it changes. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { fold } from '../../language/words.ts'
import { decimalSignOf } from '../compute/cell-value.ts'
import { isWithin, readRange } from '../compute/range.ts'
import { inUnit } from '../compute/units.ts'
import type { Cell } from '../markdown-table.ts'
import { amends, beginningsOf, isOfAmendment, laterFirst, namesClause, namingClause } from './amendments.ts'
import { answerType, isTypeWord } from './answer-type.ts'
import type { SelectedEvidence, Verdict } from './compose.ts'
import { withoutEndedRows } from './ended-rows.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import { type Criteria, containsAnswer, featuresOf } from './features.ts'
import { itemsWithAnswer, neighbourAsked, neighbourOf } from './items.ts'
import {
  containsKeyword,
  coverage,
  type Keyword,
  matchStrength,
  questionKeywords,
  termsOfPassage,
  textTerms,
} from './keywords.ts'
import { withLatestStatement, withMailFirst } from './later.ts'
import { isCode, isNegated, type SubQuestion, wordsOfNames } from './question.ts'
import {
  mayAnswer,
  mayQuote,
  mayState,
  type QuoteFeatures,
  type StatementFeatures,
  type Weights,
} from './ranker.ts'
import { type Candidate, candidatesIn, hasCode, rankCandidates, type ScoredEvidence } from './ranking.ts'
import { attributesOf } from './records.ts'
import { criteriaFor, isKnownCode, type RetrievalState, wholeOf } from './retrieval.ts'
import { comparedPeriods, type Measure, tableQuestion } from './tables/question.ts'
import { unitAround } from './unit.ts'
import { hasValue } from './value.ts'

export interface Selection {
  verdict: Verdict
  /** The quotes for each side of a comparison, or for the whole question. */
  selected: SelectedEvidence[]
  /** Words of the question that no document contains. */
  unknownWords: string[]
  /** Whether a name of the question is in no document. */
  hasUnknownName: boolean
  /** Whether a code of the question is in no document. Then the documents cannot answer it. */
  hasUnknownCode: boolean
}

/** The evidence for the whole question or for one side of a comparison. */
export interface Candidates {
  subQuestion: SubQuestion
  criteria: Criteria
  pieces: Evidence[]
  candidates: Candidate[]
}

export interface PreparedQuestion {
  state: RetrievalState
  whole: Candidates
  sides: Candidates[]
}

/**
 * Collects the candidates for the whole question and for each side of a comparison. They are not scored yet.
 * @param evidenceOf extracts the evidence; lab/ranker passes a function that caches
 * @param today the day of the question, such as `2026-11-29`
 */
export function prepare(
  state: RetrievalState,
  evidenceOf = evidenceIn,
  today = new Date().toISOString().slice(0, 10),
): PreparedQuestion {
  const { question } = state
  const measures = tableQuestion(question.text, question.language)?.measures.values() ?? []
  const amounts = [...measures].filter(({ unit }) => unit !== '')
  // A row for another amount, such as another weight, does not answer the question even if it contains all of its words.
  const present = withoutEndedRows(evidenceOf([...state.foundPassages.values()]), question.text, today)
  const usablePieces = present.filter(
    ({ cells, ownTerms }) =>
      !cells || !amounts.some((amount) => excludesAmount(cells, amount, ownTerms.language)),
  )
  const candidatesOf = (subQuestion: SubQuestion): Candidates => {
    const criteria = criteriaFor(state, subQuestion)
    const { side } = subQuestion
    const pieces =
      side === undefined
        ? usablePieces
        : usablePieces.filter(({ foundPassage: { passage } }) => containsSide(passage, side))
    return {
      subQuestion,
      criteria,
      pieces,
      candidates: candidatesIn(piecesOfConversation(pieces, state), criteria),
    }
  }
  return {
    state,
    whole: candidatesOf(wholeOf(question)),
    sides: question.sides.map(candidatesOf),
  }
}

/** The evidence in the documents of the conversation and in their amendments; all evidence if the question is no follow-up. */
function piecesOfConversation(
  pieces: readonly Evidence[],
  { documents }: RetrievalState,
): readonly Evidence[] {
  if (documents.size === 0) return pieces
  const idOf = ({ foundPassage: { passage } }: Evidence): string => passage.document_id
  const onePerDocument = new Map(
    pieces.filter((piece) => documents.has(idOf(piece))).map((piece) => [idOf(piece), piece]),
  )
  const beginnings = beginningsOf(pieces)
  return pieces.filter(
    (piece) =>
      documents.has(idOf(piece)) ||
      [...onePerDocument.values()].some((earlier) => isOfAmendment(piece, earlier, beginnings)),
  )
}

/** Whether the row has ranges in a unit of the same dimension, such as weight, and none of them contains the amount. */
function excludesAmount(cells: readonly Cell[], { amount, unit }: Measure, language: Language): boolean {
  // For each range of the row: whether it contains the amount.
  const rangeMatches = cells.flatMap(({ text }) => {
    const range = readRange(text, decimalSignOf(language))
    const converted = range && (range.unit === unit ? amount : inUnit(amount, unit, range.unit))
    return range && converted ? [isWithin(range, converted.toNumber())] : []
  })
  return rangeMatches.length > 0 && !rangeMatches.includes(true)
}

/** The parts that are answered separately: the sides of a comparison if each of them has candidates, else the whole question. */
export const partsOf = ({ whole, sides }: PreparedQuestion): Candidates[] =>
  sides.length > 1 && sides.every(({ candidates }) => candidates.length > 0) ? sides : [whole]

/** The quotes for the question, and whether they answer it. */
export function decide(prepared: PreparedQuestion, weights: Weights): Selection {
  const { state, whole } = prepared
  const { question } = state
  const { keywords } = whole.criteria
  const step = requestedStep(prepared)
  if (step)
    return {
      verdict: 'found',
      selected: [step],
      unknownWords: [],
      hasUnknownName: false,
      hasUnknownCode: false,
    }
  const wholeAnswer = answerFor(state, whole, weights, MAX_QUOTES)
  const parts = partsOf(prepared)
  const selected = parts.includes(whole)
    ? [wholeAnswer]
    : parts.map((part) => answerFor(state, part, weights, MAX_QUOTES_PER_SIDE))
  const unknown = unknownKeywords(question.text, question.language, keywords)
  const unknownCodes = question.writtenNames
    .flatMap((name) => name.split(/\s+/))
    .filter((code) => isCode(code) && !isKnownCode(state, code))
  const hasWords = keywords.some(({ word }) => /\p{L}/u.test(word))
  const isAbsent = unknownCodes.length > 0 || !hasWords || !wholeAnswer.isAnswered
  // A row with "not paid" does not answer "Who has paid?", although the words match.
  const isNegatedRow = ({ quotes: [best], criteria }: SelectedEvidence): boolean =>
    best?.evidence.cells?.some(({ header, text }) => {
      const terms = textTerms(`${header} ${text}`, best.evidence.ownTerms.language)
      return isNegated(text) && criteria.keywords.some((keyword) => containsKeyword(terms, keyword))
    }) ?? false
  // A question for a figure is not answered by evidence without one. In a section, any statement or item may have the figure.
  const hasAnswerType = ({ quotes, criteria }: SelectedEvidence): boolean =>
    quotes.some(
      ({ features: { figure }, matchesHeading, evidence }, i) =>
        ((i === 0 && figure >= 0) ||
          (matchesHeading && (figure >= 0 || containsAnswer(evidence, criteria)))) &&
        hasValue(evidence, criteria, question.text),
    )
  // A negated question, "Who was not present?", is not answered by a list of who was present.
  const isFound =
    !isNegated(question.text) &&
    selected.every((answer) => answer.isStated && hasAnswerType(answer) && !isNegatedRow(answer))
  return {
    verdict: isAbsent ? 'absent' : isFound ? 'found' : 'close',
    selected,
    unknownWords: [...new Set([...unknownCodes, ...unknown.map(({ word }) => word)])],
    hasUnknownName: hasUnknownName(state, keywords),
    hasUnknownCode: unknownCodes.length > 0,
  }
}

/** The quote for a question such as "What comes after step 3?": the step before or after the one that the question names. */
function requestedStep({ state, whole }: PreparedQuestion): SelectedEvidence | undefined {
  const { message, question, statistics } = state
  const neighbour = neighbourAsked(message.part(question.text), question.language)
  if (!neighbour) return undefined
  const namedStep = questionKeywords(
    { text: message.part(neighbour.namedStep), language: question.language },
    statistics,
  )
  const evidence = neighbourOf(whole.pieces, namedStep, neighbour.direction)
  if (!evidence) return undefined
  const { criteria } = whole
  const quote = { evidence, features: featuresOf(evidence, criteria, false), matchesHeading: false, score: 0 }
  return { criteria, quotes: [quote] }
}

/** Whether the question contains a code, or a word written as a name, that is in no chunk. */
function hasUnknownName({ question }: RetrievalState, keywords: readonly Keyword[]): boolean {
  const nameWords = wordsOfNames(question.writtenNames)
  // "What happened before July?" may be answered by texts that do not contain "July".
  const periodWords = wordsOfNames(comparedPeriods(question.text))
  const isName = (word: string): boolean => nameWords.has(fold(word)) || isCode(word)
  return keywords.some(
    ({ word, isInWorkspace }) => !isInWorkspace && !periodWords.has(fold(word)) && isName(word),
  )
}

/**
 * The keywords that no document contains. In languages other than English, only words that do not begin with a small letter are
 * returned, such as names and codes, because any other word may be an inflection. Everyday words are returned only if no other word
 * is unknown.
 */
function unknownKeywords(text: string, language: Language, keywords: readonly Keyword[]): Keyword[] {
  const type = answerType(text)
  const unknown = keywords.filter(
    ({ word, isInWorkspace, isInCompound }) =>
      !isInWorkspace &&
      !isInCompound &&
      !isTypeWord(type, word) &&
      (language === 'en' || /^[^\p{Ll}]/u.test(word)),
  )
  const rare = unknown.filter(({ isGeneric }) => !isGeneric)
  return rare.length > 0 ? rare : unknown
}

// The largest share of the question's weight that may be in words that no document contains: "What is the capital of Oregon?" is
// not answered by a text about Oregon if no text contains "capital". At 0.25 a few right answers of XQuAD are lost; at 0.28 none
// is. Applied to English only, because in other languages an unknown word may be an inflection.
const MAX_UNKNOWN_SHARE = 0.28

interface JudgedEvidence extends SelectedEvidence {
  /** Whether the documents contain the answer. */
  isAnswered: boolean
  /** Whether the best quote may be stated as the answer. */
  isStated: boolean
}

export const MAX_QUOTES = 6
export const MAX_QUOTES_PER_SIDE = 2
// Evidence that covers more than this share of the question's weight counts as covering the whole question.
const WHOLE_QUESTION_SHARE = 0.9

/** The quotes for one question, whether the documents answer it, and whether the best quote may be stated as its answer. */
function answerFor(
  state: RetrievalState,
  { subQuestion: { side }, criteria, pieces, candidates }: Candidates,
  weights: Weights,
  maxQuotes: number,
): JudgedEvidence {
  const ranked = rankCandidates(candidates, weights)
  const [first] = ranked
  if (!first)
    return { criteria, quotes: [], isAnswered: false, isStated: false, ...(side !== undefined && { side }) }
  const [best = first] = withItems(first, criteria)
  // Evidence with both the code of the question and a figure is the answer, whatever its wording.
  const hasCodeAndFigure =
    best.features.figure > 0 && criteria.codes.some((code) => hasCode(best.evidence.text, code))
  const features = statementFeatures(state, best, criteria)
  const mayBeStated = mayState(features, weights)
  const { text, language } = state.question
  const unknown = unknownKeywords(text, language, criteria.keywords)
  const hasTooManyUnknown =
    language === 'en' && totalWeight(unknown) > MAX_UNKNOWN_SHARE * totalWeight(criteria.keywords)
  const isNarrow = mayBeStated || best.features.figure > 0
  const rankedQuotes = quotesOf(ranked, weights, {
    maxQuotes,
    isNarrow,
    question: weightQuestion(state, criteria),
  })
  const quotesWithAmendment = amendmentsOrQuotes(rankedQuotes, { state, ranked, pieces, criteria }).flatMap(
    (quote) => withItems(quote, criteria),
  )
  const quotes = quotesWithAmendment.some(({ isAmendment }) => isAmendment)
    ? quotesWithAmendment
    : withMailFirst(withLatestStatement(quotesWithAmendment, pieces, criteria), criteria)
  const quotedTurn = withNeighboursOfTurn(best, criteria)
  // "What does clause 5 say?" is answered by the clause, whether or not a document contains "say".
  const isNamedPart =
    criteria.part !== undefined && best.matchesHeading && unknown.every(({ isGeneric }) => isGeneric)
  // Evidence that covers the whole question and has the figure is the answer. So is a clause with the figure together with its
  // amendment, because the two were found through their references to each other.
  const isCompleteAnswer =
    hasCodeAndFigure ||
    isNamedPart ||
    (best.features.figure > 0 &&
      (best.features.own > WHOLE_QUESTION_SHARE || quotes.some(({ isAmendment }) => isAmendment)))
  // A row is the answer only if it covers the whole question together with its column names and its heading. A row that covers most
  // of the question may be one of several, or the one that a condition of the question excludes.
  const doesRowCover = (): boolean =>
    shareOf(best) > WHOLE_QUESTION_SHARE && (!best.matchesHeading || coversRest(best, criteria))
  // A turn need not contain the verb of a question about its speaker ("suggests", "agrees").
  const doesTextCover = (): boolean =>
    (best.matchesHeading || shareOf(quotedTurn) >= MIN_STATED) &&
    ((best.evidence.speaker !== undefined && shareOf(quotedTurn) >= MIN_STATED_BY_SPEAKER) ||
      coversContentWords(quotedTurn, criteria, state))
  const isCovered =
    hasCodeAndFigure || isNamedPart || (best.evidence.cells ? doesRowCover() : doesTextCover())
  const coversWholeQuestion =
    unknown.length === 0 && best.features.own > WHOLE_QUESTION_SHARE && criteria.keywords.length > 1
  return {
    criteria,
    quotes,
    isAnswered: hasCodeAndFigure || mayAnswer(features, weights),
    isStated:
      (isCompleteAnswer || coversWholeQuestion || (mayBeStated && !hasTooManyUnknown)) &&
      isCovered &&
      isAboutSame(best.evidence, state, criteria),
    ...(side !== undefined && { side }),
  }
}

/**
 * A sentence of a speaker's turn together with the sentences that are quoted with it, because the sentences of a turn are about one
 * thing. Other evidence stays as it is.
 */
function withNeighboursOfTurn(scored: ScoredEvidence, criteria: Criteria): ScoredEvidence {
  const { paragraph, text, ownTerms, speaker } = scored.evidence
  if (speaker === undefined) return scored
  const at = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
  if (!paragraph || at < 0 || paragraph.length < 2) return scored
  const { from, to } = unitAround(paragraph, at)
  const unit = paragraph.slice(from, to).map((sentence) => sentence.text)
  const evidence = { ...scored.evidence, ownTerms: textTerms(unit.join('\n'), ownTerms.language) }
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

/** Whether a row below a heading that matches the question contains the keywords that the heading and the title lack. */
function coversRest({ evidence }: ScoredEvidence, criteria: Criteria): boolean {
  const { titleTerms, headingAbove } = evidence
  const rest = criteria.keywords.filter(
    (keyword) =>
      !containsKeyword(headingAbove.terms, keyword) &&
      !containsKeyword(titleTerms, keyword) &&
      !isTypeWord(criteria.type, keyword.word),
  )
  return (
    rest.length === 0 ||
    featuresOf(evidence, { ...criteria, keywords: rest }, false).own > WHOLE_QUESTION_SHARE
  )
}

// The share of the question's weight that evidence must cover to be stated as the answer.
const MIN_STATED = 0.5
// A speaker's turn that covers this share is stated without a check of its content words.
const MIN_STATED_BY_SPEAKER = 0.55
// The share of the content words that evidence must cover. Checked besides the weight, because rare names make up most of the
// weight.
const MIN_COVERED = 0.3
// If the question has at most this many content words besides names, a larger share of them must be covered.
const FEW_WORDS = 2
const MIN_COVERED_OF_FEW = 0.6

/**
 * Whether the evidence, its column names or its heading covers enough of the question's content words. Names, numbers and usually
 * the words of the title are left out.
 */
function coversContentWords(
  { evidence: { ownTerms, headerTerms, headingAbove, titleTerms } }: ScoredEvidence,
  { keywords, type }: Criteria,
  { question: { writtenNames } }: RetrievalState,
): boolean {
  const names = wordsOfNames(writtenNames)
  const contentKeywords = keywords.filter(
    ({ word, isTopic }) =>
      !isTopic && !isTypeWord(type, word) && !isCode(word) && !/^\d/.test(word) && !names.has(fold(word)),
  )
  // Words of the title are not checked, because they only say what the document is about: a mail titled "Wedding" need not state
  // the weather at the wedding. If all words are in the title they are checked in the text after all, because otherwise every
  // sentence of the document would pass. With a word for the type of the answer, such as "fee", they stay unchecked; if no other
  // word is left, nothing is checked here.
  const keywordsNotInTitle = contentKeywords.filter((keyword) => !containsKeyword(titleTerms, keyword))
  const hasTypeWord = keywords.some(({ word }) => isTypeWord(type, word))
  const checkedKeywords = keywordsNotInTitle.length > 0 || hasTypeWord ? keywordsNotInTitle : contentKeywords
  // If there are only a few words, each counts by its weight, because an everyday word that no document contains weighs next to
  // nothing. Otherwise all count equally.
  const isFew = checkedKeywords.length <= FEW_WORDS
  const weightOf = ({ weight }: Keyword): number => (isFew ? weight : 1)
  const sum = (termOf: (keyword: Keyword) => number): number =>
    checkedKeywords.reduce((all, keyword) => all + termOf(keyword), 0)
  const shareIn = (keyword: Keyword): number =>
    containsKeyword(headerTerms, keyword) || containsKeyword(headingAbove.terms, keyword)
      ? 1
      : matchStrength(ownTerms, keyword)
  const covered = sum((keyword) => weightOf(keyword) * shareIn(keyword))
  return covered >= (isFew ? MIN_COVERED_OF_FEW : MIN_COVERED) * sum(weightOf)
}

/**
 * Whether evidence is about the same thing as the question. It, its heading or its title must have each identifying number (Unit 8,
 * version 3.3, a year). If a row contains the name of the question, it must be in one of its first cells or in a column that the
 * question asks for.
 */
function isAboutSame(
  { ownTerms, cells, text, headingAbove, titleTerms, foundPassage: { passage } }: Evidence,
  { question: { identifiers, writtenNames } }: RetrievalState,
  { keywords }: Criteria,
): boolean {
  const headers = (cells ?? []).map(({ header }) => header)
  const wholeText = [text, ...headers, headingAbove.text, passage.heading, passage.document_title].join('\n')
  const isInEvidence = (number: string): boolean => hasCode(wholeText, number) || titleTerms.terms.has(number)
  if (!identifiers.every(isInEvidence)) return false
  if (!cells) return true
  // A code identifies its row in any column, but a name in a row may be that of another thing.
  const names = writtenNames.filter((name) => !isCode(name) && /\s/.test(name))
  const nameKeywords = keywords.filter(({ word }) => names.some((name) => name.split(/\s+/).includes(word)))
  const isRequestedColumn = ({ header }: { header: string }): boolean => {
    const terms = textTerms(header, ownTerms.language)
    return keywords.some((keyword) => containsKeyword(terms, keyword))
  }
  const containsName = (cell: { text: string }): boolean => {
    const terms = textTerms(cell.text, ownTerms.language)
    return nameKeywords.length > 0 && nameKeywords.every((keyword) => containsKeyword(terms, keyword))
  }
  // -1 if no cell contains the name. Such a row is not excluded.
  const nameIndex = cells.findIndex(containsName)
  // A row is named by its first cells, such as a number, a code and a name.
  return nameIndex < NAMING_CELLS || cells.some((cell) => containsName(cell) && isRequestedColumn(cell))
}

const NAMING_CELLS = 3

const totalWeight = (keywords: readonly Keyword[]): number =>
  keywords.reduce((sum, { weight }) => sum + weight, 0)

interface WeightedQuestion {
  keywords: readonly Keyword[]
  /** The total weight of the keywords, divided by the weight of a word that no chunk contains. */
  length: number
}

export const weightQuestion = (
  { statistics: { chunks } }: RetrievalState,
  { keywords }: Criteria,
): WeightedQuestion => ({
  keywords,
  length: totalWeight(keywords) / Math.log(1 + (chunks + 0.5) / 0.5),
})

// Of the found passages, only this many of the best ranked are compared to find the one that covers most of the question.
const FIRST_PASSAGES = 10
// A longer question counts as this long, because no sentence contains most of the words of a long question.
const MAX_LENGTH = 5

/**
 * The features that decide whether the documents answer the question, and whether its best evidence may be stated as the answer.
 */
export function statementFeatures(
  state: RetrievalState,
  best: ScoredEvidence,
  criteria: Criteria,
): StatementFeatures {
  const { keywords, length } = weightQuestion(state, criteria)
  const passages = [...state.foundPassages.values()].filter(({ rank }) => rank < FIRST_PASSAGES)
  const minShare = best.matchesHeading ? 1 : 0
  const bestPassageShare = Math.max(
    minShare,
    ...passages.map((foundPassage) => coverage(keywords, [termsOfPassage(foundPassage.passage)])),
  )
  const { own, figure, type, relevance, first, passage: ownPassageShare } = best.features
  return {
    evidence: shareOf(best),
    passage: bestPassageShare,
    unknownName: hasUnknownName(state, keywords) ? 1 : 0,
    meant: best.features.meant,
    length: Math.log(1 + Math.min(length, MAX_LENGTH)),
    own,
    type: figure + type,
    around: ownPassageShare,
    relevance,
    first,
  }
}

// Evidence after this many pieces is ignored.
const MAX_PIECES = 60
// Subtracted from the score for each earlier quote of the same document, so that each document that the question names is quoted
// once before one is quoted twice.
const REPEAT_PENALTY = 1
// A document counts as named by the question if the question names it (`meant`) at least this much, compared with the document that
// it names most strongly.
const NAMED_SHARE = 0.8
// The weight of keywords that no earlier quote contains.
const GAIN_WEIGHT = 2

/** Evidence in the order in which it is quoted, one piece per passage, each with the features that decide whether it is quoted. */
export function quotesInOrder(
  ranked: readonly ScoredEvidence[],
  maxQuotes: number,
  { keywords, length }: WeightedQuestion,
): { scored: ScoredEvidence; quoteFeatures: QuoteFeatures }[] {
  const pool = ranked.slice(0, MAX_PIECES)
  const bestScore = pool[0]?.score ?? 0
  const highestMeant = Math.max(0, ...pool.map(({ features }) => features.meant))
  const quotes: { scored: ScoredEvidence; quoteFeatures: QuoteFeatures }[] = []
  const questionWeight = totalWeight(keywords) || 1
  // For each keyword, how well a quote matches it at best.
  const quotedShares = keywords.map(() => 0)
  const keywordShares = ({ evidence: { ownTerms, headerTerms, titleTerms } }: ScoredEvidence): number[] =>
    keywords.map((keyword) =>
      containsKeyword(headerTerms, keyword) || containsKeyword(titleTerms, keyword)
        ? 1
        : matchStrength(ownTerms, keyword),
    )
  const sharesOf = new Map(pool.map((scored) => [scored, keywordShares(scored)]))
  const gainOf = (scored: ScoredEvidence): number =>
    keywords.reduce(
      (sum, { weight }, i) =>
        sum + weight * Math.max(0, (sharesOf.get(scored)?.[i] ?? 0) - (quotedShares[i] ?? 0)),
      0,
    ) / questionWeight
  const documentOf = ({ evidence }: ScoredEvidence): string => evidence.foundPassage.passage.document_id
  while (quotes.length < maxQuotes) {
    const quoted = quotes.map(({ scored }) => scored)
    const priorityOf = (scored: ScoredEvidence): number => {
      if (highestMeant === 0) return scored.score + (quoted.length ? GAIN_WEIGHT * gainOf(scored) : 0)
      const earlierQuotes = quoted.filter((quote) => documentOf(quote) === documentOf(scored)).length
      const isNamed = scored.features.meant >= NAMED_SHARE * highestMeant
      return scored.score - (isNamed ? REPEAT_PENALTY * earlierQuotes : 0)
    }
    const [first, ...others] = pool.filter(
      ({ evidence }) => !quoted.some((quote) => quote.evidence.foundPassage === evidence.foundPassage),
    )
    if (!first) break
    const next = others.reduce(
      (best, candidate) => (priorityOf(candidate) > priorityOf(best) ? candidate : best),
      first,
    )
    const { features, score } = next
    quotes.push({
      scored: next,
      quoteFeatures: {
        behind: score - bestScore,
        place: quoted.length,
        meant: features.meant,
        anyMeant: highestMeant > 0 ? 1 : 0,
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
 * The quotes for one question. If the heading above the best quote matches the question, the whole section is the answer, and
 * nothing else is quoted. `isNarrow` means that the best quote may be stated as the answer or has the figure that the question
 * asks for. Then a further quote must cover at least the square of the share that the best one covers, and have the figure if the
 * best one has it. Otherwise each quote may cover another part of the question.
 */
export function quotesOf(
  ranked: readonly ScoredEvidence[],
  weights: Weights,
  { maxQuotes, isNarrow, question }: { maxQuotes: number; isNarrow: boolean; question: WeightedQuestion },
): ScoredEvidence[] {
  const [best] = ranked
  if (best?.matchesHeading) return linesAskedFor(sectionOf(best, ranked), question)
  const minOwn = isNarrow && best ? best.features.own ** 2 : 0
  const minFigure = isNarrow && best ? best.features.figure : -1
  return quotesInOrder(ranked, maxQuotes, question)
    .filter(
      ({ scored, quoteFeatures }, i) =>
        i === 0 ||
        (scored.features.own >= minOwn &&
          scored.features.figure >= minFigure &&
          mayQuote(quoteFeatures, weights)),
    )
    .map(({ scored }) => scored)
}

/**
 * The share of the question that the evidence covers, with the words of its title. For a row the title does not count, because it
 * applies to every row.
 */
const shareOf = ({ features: { own, title, row } }: ScoredEvidence): number =>
  row ? own : Math.min(1, own + title)

const MAX_SECTION_QUOTES = 8

/** The evidence below the heading, in reading order. Items of a list are left out if the list itself is there. */
function sectionOf(best: ScoredEvidence, ranked: readonly ScoredEvidence[]): ScoredEvidence[] {
  const { foundPassage, headingAbove } = best.evidence
  const section = ranked.filter(
    ({ matchesHeading, evidence: other }) =>
      matchesHeading &&
      other.headingAbove.text === headingAbove.text &&
      other.foundPassage.passage.document_id === foundPassage.passage.document_id,
  )
  const lists = section.filter(({ evidence }) => evidence.list)
  const isInList = ({ evidence: { list, text } }: ScoredEvidence): boolean =>
    !list && lists.some(({ evidence }) => evidence.text.includes(text))
  // By chunk, then by position in the chunk, which is always shorter than 1e6.
  const positionOf = ({ evidence: { foundPassage, text } }: ScoredEvidence): number =>
    foundPassage.passage.chunk_no * 1e6 + foundPassage.passage.text.indexOf(text)
  return section
    .filter((scored) => !isInList(scored))
    .sort((a, b) => positionOf(a) - positionOf(b))
    .slice(0, MAX_SECTION_QUOTES)
}

/** The attributes of a record whose names, such as "Budget", are in the question; the whole section if there are none. */
function linesAskedFor(section: ScoredEvidence[], { keywords }: WeightedQuestion): ScoredEvidence[] {
  const namedAttributes = section.filter(({ evidence: { isOfRecord, text, ownTerms } }) => {
    const keys = isOfRecord ? attributesOf(text).map(({ header }) => header) : []
    const terms = textTerms(keys.join('\n'), ownTerms.language)
    return keywords.some((keyword) => containsKeyword(terms, keyword))
  })
  return namedAttributes.length > 0 ? namedAttributes : section
}

// An amendment that does not name the clause must cover this share of what the best quote covers of the question.
const MIN_SHARE_OF_BEST_FOR_AMENDMENT = 0.4
// Such an amendment is only added if the best quote covers this share of the question.
const MIN_SHARE_OF_AMENDED_QUOTE = 0.5

const MAX_AMENDMENTS = 2
// Another clause is as likely the answer as the best quote if it covers this share of what the best quote covers of the question.
const SIMILAR_SHARE = 0.9
const MAX_SIMILAR = 5

interface RankedEvidence extends Pick<Candidates, 'pieces' | 'criteria'> {
  state: RetrievalState
  ranked: readonly ScoredEvidence[]
}

/**
 * If the best quote or a similar clause is amended, or amends a clause: the amendments, the latest first, and the amended clause,
 * in place of all quotes, because only both together are the answer. If the question names a part of a document, the other quotes
 * stay.
 */
function amendmentsOrQuotes(
  quotes: ScoredEvidence[],
  { state, ranked, pieces, criteria }: RankedEvidence,
): ScoredEvidence[] {
  const [best] = quotes
  if (!best) return quotes
  const beginnings = beginningsOf(pieces)
  const comparable = ranked.filter(
    (scored) =>
      shareOf(best) >= MIN_SHARE_OF_AMENDED_QUOTE &&
      shareOf(scored) >= MIN_SHARE_OF_BEST_FOR_AMENDMENT * shareOf(best) &&
      containsAnswer(scored.evidence, criteria),
  )
  const isComparable = (piece: Evidence): boolean => comparable.some(({ evidence }) => evidence === piece)
  /** The clause that the evidence changes, or the evidence itself if it changes no clause. */
  const baseOf = (scored: ScoredEvidence): ScoredEvidence =>
    [...ranked.filter(({ evidence }) => namesClause(scored.evidence, evidence)), ...comparable].find(
      ({ evidence }) => amends(scored.evidence, evidence, beginnings),
    ) ?? scored
  /** One piece of each amendment: the one with the answer, else the one that names the clause. The latest comes first. */
  const amendmentsOf = (base: Evidence): Evidence[] => {
    const namesBase = namingClause(base)
    const amendingPieces = pieces.filter(
      (piece) => (namesBase(piece) || isComparable(piece)) && amends(piece, base, beginnings),
    )
    const byDocument = new Map<string, Evidence>()
    for (const piece of amendingPieces) {
      const { document_id: id } = piece.foundPassage.passage
      const earlier = byDocument.get(id)
      if (!earlier || (!containsAnswer(earlier, criteria) && containsAnswer(piece, criteria)))
        byDocument.set(id, piece)
    }
    return [...byDocument.values()].sort((a, b) => laterFirst(a, b, beginnings)).slice(0, MAX_AMENDMENTS)
  }
  const hasAnswer = containsAnswer(best.evidence, criteria)
  const similarClauses = comparable
    .filter(
      (scored) =>
        !hasAnswer ||
        (shareOf(scored) >= SIMILAR_SHARE * shareOf(best) && coversContentWords(scored, criteria, state)),
    )
    .slice(0, MAX_SIMILAR)
  for (const clause of [best, ...similarClauses]) {
    const base = baseOf(clause)
    const amendments = amendmentsOf(base.evidence)
    // A clause such as "either party may end the lease" and its amendment may both lack the answer, such as a date.
    const hasAnyAnswer = [base.evidence, ...amendments].some((evidence) => containsAnswer(evidence, criteria))
    if (amendments.length === 0 || !hasAnyAnswer) continue
    const amendedQuotes =
      criteria.part === undefined
        ? [{ ...base, isAmended: true }]
        : quotes.filter((quote) => !amendments.includes(quote.evidence))
    const amendmentQuotes = amendments.map((evidence) => ({
      ...(ranked.find((scored) => scored.evidence === evidence) ?? { ...base, matchesHeading: false }),
      evidence,
      isAmendment: true,
    }))
    return [...amendmentQuotes, ...amendedQuotes]
  }
  return quotes
}

/** Whether the passage contains every content word of a side of a comparison. */
function containsSide(passage: Evidence['foundPassage']['passage'], side: string): boolean {
  const { terms } = termsOfPassage(passage)
  return contentTerms(side, passage.language).every((term) => terms.has(term))
}
