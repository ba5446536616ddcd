// Selects the quotes of an answer and judges them: the best evidence of each passage, most of all of those documents that the
// question means, while it is probable that they belong to the answer; a section under a heading that asks the question as a
// whole; an amendment with what it amends. Pure.

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
import { criteriaFor, type RetrievalState, wholeOf } from './retrieval.ts'
import { comparedPeriods, type Measure, tableQuestion } from './tables/question.ts'
import { unitAround } from './unit.ts'
import { hasValue } from './value.ts'

export interface Selection {
  verdict: Verdict
  /** Of each side of a comparison, or of the whole question. */
  selected: SelectedEvidence[]
  /** Words of the question that no document has. */
  unknown: string[]
  /** Whether a name of the question is in no document. */
  hasUnknownName: boolean
  /** Whether a code of the question is in no document: then nothing else can answer it. */
  hasUnknownCode: boolean
}

/** What is judged: the question as a whole, and each side of a comparison. */
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

/** All that can be known before anything is weighed. @param evidenceOf is another one where it keeps what it made */
export function prepare(state: RetrievalState, evidenceOf = evidenceIn): Prepared {
  const { question } = state
  const measures = tableQuestion(question.text, question.language)?.measures.values() ?? []
  const amounts = [...measures].filter(({ unit }) => unit !== '')
  // A row for another weight is no answer, however many words it shares.
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

/** The evidence in the documents of the conversation and in their amendments; all where the question is no follow-up. */
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

/** Whether a range in a row, in a unit of the same dimension, does not have the amount. */
function excludes(cells: readonly Cell[], { amount, unit }: Measure, language: Language): boolean {
  const within = cells.flatMap(({ text }) => {
    const range = readRange(text, decimalSignOf(language))
    const own = range && (range.unit === unit ? amount : inUnit(amount, unit, range.unit))
    return range && own ? [isWithin(range, own.toNumber())] : []
  })
  return within.length > 0 && !within.includes(true)
}

/** The parts that are judged each: the sides of a comparison of which something was found for all, else the whole question. */
export const partsOf = ({ whole, sides }: Prepared): Candidates[] =>
  sides.length > 1 && sides.every(({ candidates }) => candidates.length > 0) ? sides : [whole]

/** The quotes that answer the question, and how well. A comparison whose sides no document mentions is asked as one question. */
export function decide(prepared: Prepared, weights: Weights): Selection {
  const { state, whole } = prepared
  const { question } = state
  const { keywords } = whole.criteria
  const step = stepAsked(prepared)
  if (step)
    return { verdict: 'found', selected: [step], unknown: [], hasUnknownName: false, hasUnknownCode: false }
  const all = judged(state, whole, weights, MAX_QUOTES)
  const parts = partsOf(prepared)
  const selected = parts.includes(whole)
    ? [all]
    : parts.map((part) => judged(state, part, weights, MAX_OF_A_SIDE))
  const unknown = unknownIn(question.text, question.language, keywords)
  const unknownCodes = question.writtenNames
    .flatMap((name) => name.split(/\s+/))
    .filter(
      (code) => isCode(code) && ![...state.found.values()].some(({ passage }) => hasCode(passage.text, code)),
    )
  const isAbsent =
    unknownCodes.length > 0 || !keywords.some(({ word }) => /\p{L}/u.test(word)) || !all.answered
  // "Who was not present?" is not answered by who was present, nor "Who has paid?" by a row with "not paid": words cannot tell.
  const saysNot = ({ quotes: [best], criteria }: SelectedEvidence): boolean =>
    best?.evidence.cells?.some(({ header, text }) => {
      const terms = textTerms(`${header} ${text}`, best.evidence.own.language)
      return isNegated(text) && criteria.keywords.some((keyword) => contains(terms, keyword))
    }) ?? false
  // A question for a figure is not answered by evidence without one; of a section any statement or item may have it.
  const hasType = ({ quotes, criteria }: SelectedEvidence): boolean =>
    quotes.some(
      ({ features: { figure }, matchesHeading, evidence }, i) =>
        ((i === 0 && figure >= 0) ||
          (matchesHeading && (figure >= 0 || containsAnswer(evidence, criteria)))) &&
        hasValue(evidence, criteria, question.text),
    )
  const isFound =
    !isNegated(question.text) && selected.every((one) => one.stated && hasType(one) && !saysNot(one))
  return {
    verdict: isAbsent ? 'absent' : isFound ? 'found' : 'close',
    selected,
    unknown: [...new Set([...unknownCodes, ...unknown.map(({ word }) => word)])],
    hasUnknownName: hasUnknownName(state, keywords),
    hasUnknownCode: unknownCodes.length > 0,
  }
}

/** The step before or after the one that the question names. */
function stepAsked({ state, whole }: Prepared): SelectedEvidence | undefined {
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

/** Whether no chunk has a word that the question writes as a name, or a code. */
function hasUnknownName({ question }: RetrievalState, keywords: readonly Keyword[]): boolean {
  const inNames = wordsOfNames(question.writtenNames)
  // What is before July says no "July".
  const compared = wordsOfNames(comparedPeriods(question.text))
  return keywords.some(
    ({ word, isKnown }) => !isKnown && !compared.has(fold(word)) && (inNames.has(fold(word)) || isCode(word)),
  )
}

/**
 * The words that no document has. Elsewhere than in English only names, codes and what is written as one are told: any word may
 * be an inflection there. An everyday word is told where no other is unknown.
 */
function unknownIn(text: string, language: Language, keywords: readonly Keyword[]): Keyword[] {
  const type = answerType(text)
  const untold = keywords.filter(
    ({ word, isKnown }) =>
      !isKnown && !namesType(type, word) && (language === 'en' || /^[^\p{Ll}]/u.test(word)),
  )
  const rare = untold.filter(({ isGeneric }) => !isGeneric)
  return rare.length > 0 ? rare : untold
}

// "What is the capital of Oregon?" is not answered by what is said of Oregon where nothing says "capital". At a quarter a few of
// XQuAD's right answers are no longer stated, at .28 none is. Elsewhere than in English an unknown word may be an inflection.
const MAX_UNKNOWN = 0.28

interface Judged extends SelectedEvidence {
  answered: boolean
  stated: boolean
}

export const MAX_QUOTES = 6
export const MAX_OF_A_SIDE = 2
const ALL = 0.9

/** The quotes for one question, whether the documents answer it, and whether the best quote may be stated as its answer. */
function judged(
  state: RetrievalState,
  { part: { side }, criteria, pieces, candidates }: Candidates,
  weights: Weights,
  most: number,
): Judged {
  const ranked = inOrder(candidates, weights)
  const [first] = ranked
  if (!first)
    return { criteria, quotes: [], answered: false, stated: false, ...(side !== undefined && { side }) }
  const [best = first] = withItems(first, criteria)
  // With the very code that is asked for and the figure, it is the answer in any wording.
  const isCoded = best.features.figure > 0 && criteria.codes.some((code) => hasCode(best.evidence.text, code))
  const signs = signsOf(state, best, criteria)
  const stated = isStated(signs, weights)
  const { text, language } = state.question
  const unknown = unknownIn(text, language, criteria.keywords)
  const isBesides = language === 'en' && total(unknown) > MAX_UNKNOWN * total(criteria.keywords)
  const isNarrow = stated || best.features.figure > 0
  const chosen = quotesOf(ranked, weights, { most, isNarrow, asked: askedBy(state, criteria) })
  const amended = withAmendment(chosen, { state, ranked, pieces, criteria }).flatMap((quote) =>
    withItems(quote, criteria),
  )
  const quotes = amended.some(({ isAmendment }) => isAmendment)
    ? amended
    : latestFirst(amended, pieces, criteria)
  // What is said in a turn is said of one thing, in one sentence or in several.
  const whole = asQuoted(best, criteria)
  // A clause and what changes it were found by what they say of each other; what says the question and has the
  // figure is the answer too.
  // "What does clause 5 say?" is answered by the clause, whether or not a document has "say".
  const isPart =
    criteria.part !== undefined && best.matchesHeading && unknown.every(({ isGeneric }) => isGeneric)
  const isWhole =
    isCoded ||
    isPart ||
    (best.features.figure > 0 && (best.features.own > ALL || quotes.some(({ isAmendment }) => isAmendment)))
  // One row of many is the answer only if it, its columns and its heading have all that is asked: a row that has most of it may be
  // one of several, or the very one that a condition leaves out.
  const isCovered =
    isCoded ||
    isPart ||
    (best.evidence.cells
      ? shareOf(best) > ALL && (!best.matchesHeading || saysRest(best, criteria))
      : (best.matchesHeading || shareOf(whole) >= MIN_STATED) &&
        // What is asked of a speaker, "suggests", "agrees", is what a turn does and does not say.
        ((best.evidence.speaker !== undefined && shareOf(whole) >= MIN_STATED_BY_SPEAKER) ||
          coversAsked(whole, criteria, state)))
  // What says all that is asked is the answer, however few words that is.
  const saysAll = unknown.length === 0 && best.features.own > ALL && criteria.keywords.length > 1
  return {
    criteria,
    quotes,
    answered: isCoded || isAnswered(signs, weights),
    stated:
      (isWhole || saysAll || (stated && !isBesides)) &&
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

/** Of a list the items that answer by themselves. */
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

/** Whether a row below a heading that asks the question has what the heading and the title do not say of it. */
function saysRest({ evidence }: ScoredEvidence, criteria: Criteria): boolean {
  const { title, under } = evidence
  const rest = criteria.keywords.filter(
    (keyword) =>
      !contains(under.terms, keyword) && !contains(title, keyword) && !namesType(criteria.type, keyword.word),
  )
  return rest.length === 0 || featuresOf(evidence, { ...criteria, keywords: rest }, false).own > ALL
}

// What is stated has this share of the question's weight, and this share of the words that say what is asked of the things that
// it names: the rare names alone make up most of the weight. Of one or two such words more is asked.
const MIN_STATED = 0.5
const MIN_STATED_BY_SPEAKER = 0.55
const MIN_COVERED = 0.3
const FEW = 2
const MIN_OF_FEW = 0.6

/** Whether evidence, its heading or its title has enough of what is asked besides names. */
function coversAsked(
  { evidence: { own, headers, under, title } }: ScoredEvidence,
  { keywords, type }: Criteria,
  { question: { writtenNames } }: RetrievalState,
): boolean {
  const names = wordsOfNames(writtenNames)
  const asked = keywords.filter(
    ({ word, isTopic }) =>
      !isTopic && !namesType(type, word) && !isCode(word) && !/^\d/.test(word) && !names.has(fold(word)),
  )
  // What stands above names the thing of which something is asked: a mail on a wedding has not the weather of it. Where all that
  // is asked stands above, the evidence has to say it again: not every sentence of the rules for rooms tells which rooms there are. A fee is asked for by its kind.
  const besidesTitle = asked.filter((keyword) => !contains(title, keyword))
  const namesKind = keywords.some(({ word }) => namesType(type, word))
  const attributes = besidesTitle.length > 0 || namesKind ? besidesTitle : asked
  // An everyday word that no document has weighs next to nothing; of many words each counts the same.
  const isFew = attributes.length <= FEW
  const weightOf = ({ weight }: Keyword): number => (isFew ? weight : 1)
  const sum = (worth: (keyword: Keyword) => number): number =>
    attributes.reduce((all, keyword) => all + worth(keyword), 0)
  const shareIn = (keyword: Keyword): number =>
    contains(headers, keyword) || contains(under.terms, keyword) ? 1 : matching(own, keyword)
  const covered = sum((keyword) => weightOf(keyword) * shareIn(keyword))
  return covered >= (isFew ? MIN_OF_FEW : MIN_COVERED) * sum(weightOf)
}

/**
 * Whether evidence is about the very thing that is asked for: it, its heading or its title has each number that tells one thing
 * from another (Unit 8, version 3.3, a year); and a row's name is the one that is asked for, not a name in another column.
 */
function isAboutSame(
  { own, cells, text, under, title, found: { passage } }: Evidence,
  { question: { identifiers, writtenNames } }: RetrievalState,
  { keywords }: Criteria,
): boolean {
  const headers = (cells ?? []).map(({ header }) => header)
  const said = [text, ...headers, under.text, passage.heading, passage.document_title].join('\n')
  const isIn = (number: string): boolean => hasCode(said, number) || title.terms.has(number)
  if (!identifiers.every(isIn)) return false
  if (!cells) return true
  // A code is a row's own wherever it stands; a name may be that of another thing.
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
  // The first cells name a row: a number, a code, a name.
  return at < NAMING_CELLS || cells.some((cell) => has(cell) && isAsked(cell))
}

const NAMING_CELLS = 3

const total = (keywords: readonly Keyword[]): number => keywords.reduce((sum, { weight }) => sum + weight, 0)

/** What is asked for, and how long that is in words as heavy as one that no chunk has. */
interface AskedFor {
  keywords: readonly Keyword[]
  length: number
}

export const askedBy = ({ statistics: { chunks } }: RetrievalState, { keywords }: Criteria): AskedFor => ({
  keywords,
  length: total(keywords) / Math.log(1 + (chunks + 0.5) / 0.5),
})

// The share of the question that one passage has is looked for in so many.
const FOREMOST = 10
// Of a longer question no unit says most, however much longer it is.
const LONG = 5

/** What tells whether the documents answer the question, and whether its best evidence may be stated as the answer. */
export function signsOf(state: RetrievalState, best: ScoredEvidence, criteria: Criteria): StatedSigns {
  const { keywords, length } = askedBy(state, criteria)
  const foremost = [...state.found.values()].filter(({ rank }) => rank < FOREMOST)
  const least = best.matchesHeading ? 1 : 0
  const share = Math.max(least, ...foremost.map((found) => coverage(keywords, [passageTerms(found.passage)])))
  const { own, figure, type, passage, meant, relevance, first } = best.features
  return {
    evidence: shareOf(best),
    passage: share,
    unknownName: hasUnknownName(state, keywords) ? 1 : 0,
    meant,
    length: Math.log(1 + Math.min(length, LONG)),
    own,
    type: figure + type,
    around: passage,
    relevance,
    first,
  }
}

// Further evidence is never looked at.
const POOL = 60
// Of documents that are meant, each is heard before one is heard twice.
const HEARD = 1
const MEANT = 0.8
// What says another part of the question goes before what says the same again.
const GAIN = 2

/** Evidence in the order in which it is quoted, one piece a passage, each with what tells whether it belongs to the answer. */
export function quotesInOrder(
  ranked: readonly ScoredEvidence[],
  most: number,
  { keywords, length }: AskedFor,
): { scored: ScoredEvidence; signs: QuoteSigns }[] {
  const pool = ranked.slice(0, POOL)
  const top = pool[0]?.score ?? 0
  const meant = Math.max(0, ...pool.map(({ features }) => features.meant))
  const quotes: { scored: ScoredEvidence; signs: QuoteSigns }[] = []
  const all = total(keywords) || 1
  const said = keywords.map(() => 0)
  const says = ({ evidence: { own, headers, title } }: ScoredEvidence): number[] =>
    keywords.map((keyword) =>
      contains(headers, keyword) || contains(title, keyword) ? 1 : matching(own, keyword),
    )
  const sayings = new Map(pool.map((scored) => [scored, says(scored)]))
  const gainOf = (scored: ScoredEvidence): number =>
    keywords.reduce(
      (sum, { weight }, i) => sum + weight * Math.max(0, (sayings.get(scored)?.[i] ?? 0) - (said[i] ?? 0)),
      0,
    ) / all
  const documentOf = ({ evidence }: ScoredEvidence): string => evidence.found.passage.document_id
  while (quotes.length < most) {
    const taken = quotes.map(({ scored }) => scored)
    const worth = (scored: ScoredEvidence): number => {
      const heard = taken.filter((other) => documentOf(other) === documentOf(scored)).length
      if (meant > 0) return scored.score - (scored.features.meant >= MEANT * meant ? HEARD * heard : 0)
      return scored.score + (taken.length ? GAIN * gainOf(scored) : 0)
    }
    const left = pool.filter(
      ({ evidence }) => !taken.some((other) => other.evidence.found === evidence.found),
    )
    const [first, ...others] = left
    if (!first) break
    const next = others.reduce((best, other) => (worth(other) > worth(best) ? other : best), first)
    const { features, score } = next
    quotes.push({
      scored: next,
      signs: {
        behind: score - top,
        place: taken.length,
        meant: features.meant,
        anyMeant: meant > 0 ? 1 : 0,
        around: features.passage,
        relevance: features.relevance,
        own: features.own,
        gain: gainOf(next),
        sameDocument: taken.some((other) => documentOf(other) === documentOf(next)) ? 1 : 0,
        length: Math.log(1 + length),
      },
    })
    for (const [i, share] of (sayings.get(next) ?? []).entries()) said[i] = Math.max(said[i] ?? 0, share)
  }
  return quotes
}

/**
 * The quotes of one question. Where the best is stated as the answer or has the figure that is asked for, a further one says
 * nearly as much and has it too; of what only comes near, each may say another part. Below a heading that asks the question everything is the
 * answer, and nothing else is.
 */
export function quotesOf(
  ranked: readonly ScoredEvidence[],
  weights: Weights,
  { most, isNarrow, asked }: { most: number; isNarrow: boolean; asked: AskedFor },
): ScoredEvidence[] {
  const [best] = ranked
  if (best?.matchesHeading) return ofRecord(sectionOf(best, ranked), asked)
  const least = isNarrow && best ? best.features.own ** 2 : 0
  const figure = isNarrow && best ? best.features.figure : -1
  return quotesInOrder(ranked, most, asked)
    .filter(
      ({ scored, signs }, place) =>
        place === 0 ||
        (scored.features.own >= least && scored.features.figure >= figure && isQuoted(signs, weights)),
    )
    .map(({ scored }) => scored)
}

/** The share of the question in the evidence, with what is above it. */
const shareOf = ({ features: { own, title, row } }: ScoredEvidence): number =>
  row ? own : Math.min(1, own + title)

const MAX_OF_A_SECTION = 8

/** What stands below the heading, in reading order; of a list and its items the list. */
function sectionOf(best: ScoredEvidence, ranked: readonly ScoredEvidence[]): ScoredEvidence[] {
  const { found, under } = best.evidence
  const section = ranked.filter(
    ({ matchesHeading, evidence: other }) =>
      matchesHeading &&
      other.under.text === under.text &&
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
    .slice(0, MAX_OF_A_SECTION)
}

/** Of a record the lines that are asked for by their names, "Budget"; all where none is. */
function ofRecord(section: ScoredEvidence[], { keywords }: AskedFor): ScoredEvidence[] {
  const named = section.filter(({ evidence: { isOfRecord, text, own } }) => {
    const keys = isOfRecord ? attributesOf(text).map(({ header }) => header) : []
    const terms = textTerms(keys.join('\n'), own.language)
    return keywords.some((keyword) => contains(terms, keyword))
  })
  return named.length > 0 ? named : section
}

// What amends the best quote has this share of the question that it has; where no clause is named, that is half of the question
// at least.
const AMENDMENT_SHARE = 0.4
const AMENDED_SHARE = 0.5

const MAX_AMENDMENTS = 2
const AS_MUCH = 0.9
const MAX_ALIKE = 5

/** With what amends the best quote, or what the best quote amends: the two are the whole answer, the latest one first. */
function withAmendment(
  quotes: ScoredEvidence[],
  {
    state,
    ranked,
    pieces,
    criteria,
  }: {
    state: RetrievalState
    ranked: readonly ScoredEvidence[]
    pieces: readonly Evidence[]
    criteria: Criteria
  },
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
  /** What another changes, or itself. */
  const baseOf = (scored: ScoredEvidence): ScoredEvidence =>
    [...ranked.filter(({ evidence }) => namesClause(scored.evidence, evidence)), ...near].find(
      ({ evidence }) => amends(scored.evidence, evidence, beginnings),
    ) ?? scored
  /** Of each amendment what has the answer, else what names the clause; the latest first. */
  const changesOf = (base: Evidence): Evidence[] => {
    const namesBase = namingClause(base)
    const changes = pieces.filter(
      (piece) => (namesBase(piece) || isNear(piece)) && amends(piece, base, beginnings),
    )
    const byDocument = new Map<string, Evidence>()
    for (const piece of changes) {
      const { document_id: id } = piece.found.passage
      const other = byDocument.get(id)
      if (!other || (!containsAnswer(other, criteria) && containsAnswer(piece, criteria)))
        byDocument.set(id, piece)
    }
    return [...byDocument.values()].sort((a, b) => laterFirst(a, b, beginnings)).slice(0, MAX_AMENDMENTS)
  }
  // Another clause that says as much of the question is as likely to be the one that is asked for.
  const hasAnswer = containsAnswer(best.evidence, criteria)
  const alike = near
    .filter(
      (scored) =>
        !hasAnswer || (shareOf(scored) >= AS_MUCH * shareOf(best) && coversAsked(scored, criteria, state)),
    )
    .slice(0, MAX_ALIKE)
  for (const clause of [best, ...alike]) {
    const base = baseOf(clause)
    const changes = changesOf(base.evidence)
    // Neither tells what is asked: "either party may end the lease", when it ends.
    const tellsIt = [base.evidence, ...changes].some((evidence) => containsAnswer(evidence, criteria))
    if (changes.length === 0 || !tellsIt) continue
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
