// Whether a piece of evidence supports a claim, contradicts it, or says nothing of it. A claim is supported where its words,
// names and values all stand in the evidence, bound to each other, and it denies what that denies. It is contradicted where all
// of it stands there but one value, of which the evidence has another one in the same place. What is between is no verdict. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { fold, words } from '../../language/words.ts'
import { decimalSignOf } from '../compute/cell-value.ts'
import { isWithin, readRange } from '../compute/range.ts'
import type { Evidence } from '../extractive/evidence.ts'
import { combined, matching, type TextTerms, textTerms } from '../extractive/keywords.ts'
import { hasCode } from '../extractive/ranking.ts'
import type { Cell } from '../markdown-table.ts'
import { type Claim, type ClaimWord, namesOf, type Sense, senseOf } from './claim.ts'
import { type Clause, clausesOf, type PlacedName } from './clauses.ts'
import { compareQualifiers } from './qualifiers.ts'
import {
  compareValues,
  isCurrency,
  isCurrencyColumn,
  scaleIn,
  type TextValue,
  type ValueComparison,
  valuesIn,
} from './values.ts'

export interface Judgement {
  verdict: 'supported' | 'contradicted' | 'none'
  /** The weighted share of the claim's words that the evidence has, 0 to 1. */
  share: number
}

// Shares of the claim's words that the evidence must have, by their weights; of what it says itself, without headings and title.
const MIN_SUPPORT = 0.8
// Where a value of the claim is the same, fewer words are needed.
const MIN_WITH_VALUE = 0.72
const MIN_CONTRADICTION = 0.75
const MIN_OWN = 0.45
// A word of the title or of the sentence before it, and another word that means the same.
const OF_CONTEXT = 0.85
const OF_SYNONYM = 0.8
const NONE: Judgement = { verdict: 'none', share: 0 }

interface Shares {
  share: number
  own: number
  /** Whether each name and code is there. */
  hasNames: boolean
  /** Whether the evidence itself has one of the words that are no names. */
  saysSomething: boolean
}

export function judge(claim: Claim, evidence: Evidence): Judgement {
  // The sentences of a list are evidence each.
  if (evidence.list || evidence.isFrontMatter) return NONE
  const context = contextOf(claim, evidence)
  const shares = sharesOf(claim, evidence, textTerms(context, evidence.own.language))
  if (!hasCodes(claim, evidence, context) || isOfAnotherSubject(claim, evidence))
    return { ...NONE, share: shares.share }
  if (
    !shares.hasNames ||
    !(shares.saysSomething || claim.values.length > 0 || relatesNames(claim, evidence)) ||
    shares.own < MIN_OWN ||
    shares.share < MIN_WITH_VALUE
  )
    return { ...NONE, share: shares.share }
  const places = evidence.cells
    ? rowPlaces(claim, evidence, evidence.cells, context)
    : textPlaces(claim, evidence, context)
  if (!places) return { ...NONE, share: shares.share }
  return { verdict: verdictOf(claim, evidence, shares, places), share: shares.share }
}

/** A row says of each of its names that it belongs to the others. */
const relatesNames = ({ names }: Claim, { cells }: Evidence): boolean =>
  cells !== undefined &&
  names.filter((name) => cells.some(({ text }) => fold(text).includes(fold(name)))).length > 1

const hasCodes = ({ codes }: Claim, { text }: Evidence, context: string): boolean => {
  const all = fold(`${text}\n${context}`)
  return codes.every((code) => hasCode(all, fold(code)))
}

/** "The landlord may end the lease" is not "The tenant may end the lease by giving the landlord notice": another one is first. */
function isOfAnotherSubject(claim: Claim, { text, cells, own: { language } }: Evidence): boolean {
  const [subject, ...others] = claim.words
  if (cells || !subject?.isName) return false
  const positions = [...words(text)].map(({ raw, start }) => ({ start, terms: textTerms(raw, language) }))
  const placeOf = (word: ClaimWord): number | undefined =>
    positions.find(({ terms }) => isIn(word, terms))?.start
  const at = placeOf(subject)
  const rest = others.filter(({ isName }) => !isName).flatMap((word) => placeOf(word) ?? [])
  const isOther = (name: string): boolean => !isNameOf(claim, name) && text.indexOf(name) < Math.min(...rest)
  return (
    at !== undefined &&
    2 * rest.filter((place) => place < at).length > rest.length &&
    namesOf(text, language).some(isOther)
  )
}

/**
 * How each value of the claim, and its name, is in the evidence. `around`: it stands elsewhere in the passage, which tells when or of
 * which thing something is said, and no more; `other`: another one stands in its place.
 */
type Place = 'same' | 'around' | 'other' | 'missing'

function verdictOf(
  claim: Claim,
  evidence: Evidence,
  { share }: Shares,
  places: readonly Place[],
): Judgement['verdict'] {
  const others = places.filter((place) => place === 'other').length
  const isBeside = places.includes('same') || others > 0
  if (places.includes('missing') || (places.includes('around') && !isBeside)) return 'none'
  const statement = relevantText(claim, evidence)
  const senseSaid = senseOf(statement)
  const qualifiers = compareQualifiers(claim.text, statement)
  if (
    qualifiers === 'other' ||
    senseSaid.isWithout !== claim.sense.isWithout ||
    senseSaid.deniesInSubclause !== claim.sense.deniesInSubclause
  )
    return 'none'
  const isDeniedAlike = senseSaid.denials === claim.sense.denials
  // The cells of a row have no verbs.
  const isQualified = qualifiers === 'same' || evidence.cells !== undefined
  if (others === 0 && isDeniedAlike)
    return share >= (isAnchored(claim, places) ? MIN_WITH_VALUE : MIN_SUPPORT) &&
      isQualified &&
      !isBroader(claim.sense, senseSaid)
      ? 'supported'
      : 'none'
  const isOpposite = others === 0 && isQualified && senseSaid.denials + claim.sense.denials === 1
  return (isOpposite || (others === 1 && isDeniedAlike)) && share >= MIN_CONTRADICTION
    ? 'contradicted'
    : 'none'
}

/** Whether an amount, a date or the like is the same; a number that names a thing is part of what is spoken of. */
const isAnchored = ({ values }: Claim, places: readonly Place[]): boolean =>
  values.some(({ content }, i) => content.kind !== 'label' && places[i] === 'same')

/** "All" is more than some, and what holds without a condition more than what holds under one. */
const isBroader = (claimed: Sense, senseSaid: Sense): boolean =>
  (claimed.isUniversal && !senseSaid.isUniversal) || (senseSaid.isConditional && !claimed.isConditional)

/** The clauses of a sentence that contain words of the claim. A denial in another clause is about something else. */
function relevantText({ words }: Claim, { text, cells, own: { language } }: Evidence): string {
  if (cells) return text
  return clausesOf(text, [])
    .filter((clause) => {
      const terms = textTerms(clause.text, language)
      return words.some((word) => isIn(word, terms))
    })
    .map((clause) => clause.text)
    .join(', ')
}

const MAX_SENTENCES_BEFORE = 2

/**
 * The context that a reader of the evidence has read before it: title, headings, and the previous sentences of its paragraph. These
 * sentences are left out if the evidence names somebody else, because then it is about another person.
 */
function contextOf(
  claim: Claim,
  { paragraph, text, own, found: { passage }, headingAbove }: Evidence,
): string {
  const at = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
  const isOfOther = namesOf(text, own.language).some((name) => !isNameOf(claim, name))
  const before = isOfOther
    ? []
    : (paragraph?.slice(Math.max(0, at - MAX_SENTENCES_BEFORE), Math.max(0, at)) ?? [])
  const headings = [passage.document_title, passage.heading, headingAbove.text]
  return [...headings, ...before.map((sentence) => sentence.text)].join('\n')
}

/** Whether a name is one of the claim, or a part of it. */
const isNameOf = ({ names }: Claim, name: string): boolean =>
  names.some((own) => fold(own).includes(fold(name)) || fold(name).includes(fold(own)))

// "Semaine normale de travail" says "Arbeitswoche"; words that stand further apart are about two things.
const MAX_PART_DISTANCE = 2

const hasSynonym = ({ synonyms, parts }: ClaimWord, { terms, sequence }: TextTerms): boolean => {
  if ([...synonyms].some((term) => terms.has(term))) return true
  const [first = [], second = []] = parts.map((meanings) =>
    sequence.flatMap((term, i) => (meanings.has(term) ? [i] : [])),
  )
  return first.some((at) => second.some((other) => Math.abs(at - other) <= MAX_PART_DISTANCE))
}

const isIn = ({ keyword }: ClaimWord, terms: TextTerms): boolean => matching(terms, keyword) > 0

function sharesOf({ words, language }: Claim, { own, headers, cells }: Evidence, context: TextTerms): Shares {
  let [total, sum, ownTotal, ownSum] = [0, 0, 0, 0]
  let [hasNames, saysSomething] = [true, false]
  for (const word of words) {
    const { keyword, isName } = word
    const wordShare = Math.max(matching(own, keyword), matching(headers, keyword))
    const isSynonym = hasSynonym(word, own) || hasSynonym(word, headers)
    const ownShare = Math.max(wordShare, isSynonym && !isName ? OF_SYNONYM : 0)
    const share = Math.max(ownShare, OF_CONTEXT * matching(context, keyword))
    if (isName && share < OF_CONTEXT) hasNames = false
    const isSaid = matching(cells ? combined(own, headers) : own, keyword) > 0
    if (!isName && (isSaid || (isSynonym && own.language !== language))) saysSomething = true
    total += keyword.weight
    sum += keyword.weight * share
    // What the title says, the sentence need not repeat.
    if (ownShare === 0 && share > 0) continue
    ownTotal += keyword.weight
    ownSum += keyword.weight * ownShare
  }
  return { share: sum / (total || 1), own: ownTotal === 0 ? 1 : ownSum / ownTotal, hasNames, saysSomething }
}

/** A date, or a number that names a thing, may be in the context of the evidence. An amount must be in the evidence itself. */
function placeInContext(
  value: TextValue,
  context: string,
  { own: { language }, found: { passage } }: Evidence,
): Place {
  if (value.content.kind !== 'date' && value.content.kind !== 'label') return 'missing'
  // The nearest value decides which of several things is meant: "Unit 4 is too small. Ann presented Unit 11. It has 610 m²."
  const nearest = context
    .split('\n')
    .toReversed()
    .map((part) => valuesIn(part, language).map((other) => compareValues(value, other)))
    .find((compared) => compared.includes('same') || compared.includes('other'))
  if (nearest?.includes('same')) return 'same'
  const isInPassage = valuesIn(passage.text, language).some((other) => compareValues(value, other) === 'same')
  return isDate(value) && isInPassage ? 'around' : 'missing'
}

const isYear = ({ content }: TextValue): boolean => content.kind === 'date' && /^\d{4}$/.test(content.date)

function textPlaces(claim: Claim, evidence: Evidence, context: string): Place[] | undefined {
  const { text, own } = evidence
  const statedValues = valuesIn(text, own.language)
  const names = namesOf(text, own.language)
  const clauses = clausesOf(text, placesOfNames(names, text))
  const covered = clauses.map((clause) => wordsIn(claim, clause, clauses, own.language))
  const clauseAt = (at: number): number => clauses.findIndex(({ start, end }) => start <= at && at < end)
  const places = claim.values.map((value): Place => {
    const same = statedValues.filter((other) => compareValues(value, other) === 'same')
    const others = statedValues.filter((other) => compareValues(value, other) === 'other')
    if (same.length > 0)
      return same.some(
        (match) =>
          !isOfAnother(
            clauseAt(match.start),
            others.map(({ start }) => clauseAt(start)),
            covered,
          ),
      )
        ? 'same'
        : bound(
            clauseAt(same[0]?.start ?? 0),
            others.map(({ start }) => clauseAt(start)),
            covered,
          )
    if (others.length === 0) return placeInContext(value, context, evidence)
    // A statement about another year does not contradict the claim.
    if (isYear(value)) return 'missing'
    const unclaimed = others.filter(
      (other) => !claim.values.some((own) => compareValues(own, other) === 'same'),
    )
    const best = bestClause(
      unclaimed.map(({ start }) => clauseAt(start)),
      covered,
    )
    return unclaimed.length > 0 && best ? 'other' : 'missing'
  })
  const name = nameIn(claim, text, own.language)
  return name === undefined ? places : [...places, name]
}

/** The first position of each name, in reading order. */
const placesOfNames = (names: readonly string[], text: string): PlacedName[] =>
  names
    .map((name) => ({ start: text.indexOf(name), end: text.indexOf(name) + name.length }))
    .filter(({ start }) => start >= 0)
    .sort((a, b) => a.start - b.start)

/** The words of the claim in a clause, including words that the clause takes over from the previous one. */
function wordsIn(
  { words }: Claim,
  clause: Clause,
  clauses: readonly Clause[],
  language: Language,
): ReadonlySet<ClaimWord> {
  const terms = textTerms(`${clause.text} ${clause.takenOver(clauses, language)}`, language)
  return new Set(words.filter((word) => isIn(word, terms) || hasSynonym(word, terms)))
}

type Covered = readonly ReadonlySet<ClaimWord>[]

const weightOf = (words: Iterable<ClaimWord>): number =>
  [...words].reduce((sum, { keyword }) => sum + keyword.weight, 0)

const missingFrom = (
  one: ReadonlySet<ClaimWord> | undefined,
  other: ReadonlySet<ClaimWord> | undefined,
): number => weightOf([...(one ?? [])].filter((word) => !other?.has(word)))

/** Whether a clause with another value has more of the claim's words than the clause of the value that matches. */
const isOfAnother = (at: number, rivals: readonly number[], covered: Covered): boolean =>
  rivals.some(
    (rival) =>
      rival !== at && missingFrom(covered[rival], covered[at]) > missingFrom(covered[at], covered[rival]),
  )

/** The result if the matching value is about something else. It is `other` only if the other clause has all the words. */
const bound = (at: number, rivals: readonly number[], covered: Covered): Place =>
  rivals.some(
    (rival) =>
      rival !== at &&
      missingFrom(covered[rival], covered[at]) > 0 &&
      missingFrom(covered[at], covered[rival]) === 0,
  )
    ? 'other'
    : 'missing'

/** Whether one of the clauses has as many of the claim's words as any. */
function bestClause(among: readonly number[], covered: Covered): boolean {
  const most = Math.max(...covered.map(weightOf))
  return among.some((at) => weightOf(covered[at] ?? []) >= most)
}

/**
 * Whether the statement about a name of the claim is in the clauses of that name. A sentence may have other clauses about other names:
 * "Ann heads sales, Bob runs the workshop". Undefined if the sentence has no name of the claim, or if nothing is wrong.
 */
function nameIn(claim: Claim, text: string, language: Language): Place | undefined {
  const names = text.split(/[\n()]/).flatMap((part) => namesOf(part, language))
  const clauses = clausesOf(text, placesOfNames(names, text))
  const covered = clauses.map((clause) => wordsIn(claim, clause, clauses, language))
  const clauseAt = (at: number): number => clauses.findIndex(({ start, end }) => start <= at && at < end)
  const own = names.filter((name) => isNameOf(claim, name))
  const others = names.filter((name) => !isNameOf(claim, name))
  if (own.length === 0) return undefined
  const rest = (at: number): ReadonlySet<ClaimWord> =>
    new Set([...(covered[at] ?? [])].filter(({ isName }) => !isName))
  const bare = covered.map((_, at) => rest(at))
  const ownWords = (at: number): ClaimWord[] => {
    const terms = textTerms(clauses[at]?.text ?? '', language)
    return claim.words.filter((word) => !word.isName && isIn(word, terms))
  }
  const places = own.map((name) => clauseAt(text.indexOf(name)))
  const rivals = others.map((name) => clauseAt(text.indexOf(name)))
  const isWrong = places.every((at) =>
    isOfAnother(
      at,
      rivals.filter((rival) => !places.includes(rival)),
      bare,
    ),
  )
  if (isWrong) return bound(places[0] ?? 0, rivals, bare)
  // The statement is in other clauses than the name.
  const isApart =
    places.every((at) => at > 0 && ownWords(at).length === 0) && bare.some((word) => word.size > 0)
  return isApart ? 'missing' : undefined
}

// Tables.

interface CellValue {
  cell: Cell
  value: TextValue
}

function rowPlaces(
  claim: Claim,
  evidence: Evidence,
  cells: readonly Cell[],
  context: string,
): Place[] | undefined {
  const { language } = evidence.own
  const statedValues = cells.flatMap((cell) =>
    valuesOfCell(cell, cells, language).map((value): CellValue => ({ cell, value })),
  )
  const headerWeight = ({ header }: Cell): number => {
    const terms = textTerms(header, language)
    const dates = valuesIn(header, language)
    const isDated = claim.values.some(
      (value) => isDate(value) && dates.some((date) => compareValues(value, date) === 'same'),
    )
    return (
      weightOf(claim.words.filter((word) => isIn(word, terms) || hasSynonym(word, terms))) +
      (isDated ? HEADER_DATE : 0)
    )
  }
  const places: Place[] = []
  for (const value of claim.values) {
    const ranges = rangesFor(value, cells, language)
    const place = cellPlace(value, statedValues, headerWeight)
    const isInside = ranges.some(({ isInside }) => isInside)
    const rivals = statedValues.filter((one) => compareInCell(value, one, headerWeight) === 'other')
    const isCondition = ranges.some(
      ({ cell }) => headerWeight(cell) >= Math.max(0, ...rivals.map((rival) => headerWeight(rival.cell))),
    )
    // A row with another range does not apply to this amount.
    if (!isInside && isCondition && place !== 'same') return undefined
    places.push(isInside ? 'same' : (place ?? headerPlace(value, cells, evidence, context)))
  }
  const text = cells.map((cell) => cell.text).join('\n')
  const name = nameIn(claim, text, language)
  return name === undefined ? places : [...places, name]
}

// A date in a header weighs more than any words of it.
const HEADER_DATE = 100

const isDate = ({ content }: TextValue): boolean => content.kind === 'date'

/** The values of a cell; a bare number is in the unit of the table, or counts what its header names. */
function valuesOfCell({ header, text }: Cell, cells: readonly Cell[], language: Language): TextValue[] {
  const values = valuesIn(text, language)
  const [only] = values
  const isBare = /^\s*[-+−]?[\d.,\u00a0\u202f ]+\s*$/.test(text)
  if (!isBare || values.length !== 1 || only?.content.kind !== 'amount') return values
  const { amount } = only.content
  const inUnit = (unit: string, scale = 1): TextValue => ({
    ...only,
    content: { kind: 'amount', amount: amount * scale, unit, bound: undefined, isExact: true },
  })
  const whole = scaleIn(cells.map((cell) => cell.header).join(' '))
  if (whole) return [inUnit(whole.unit, whole.scale)]
  return [only, ...contentTerms(header, language).map((unit) => inUnit(unit))]
}

/** The ranges of a row in the unit of an amount, by their own unit or that of their column. */
function rangesFor(
  { content }: TextValue,
  cells: readonly Cell[],
  language: Language,
): { cell: Cell; isInside: boolean }[] {
  if (content.kind !== 'amount') return []
  const unitTerms = [content.unit, ...contentTerms(content.unit, language)]
  return cells.flatMap((cell) => {
    const range = readRange(cell.text, decimalSignOf(language))
    if (!range) return []
    const isOfUnit =
      range.unit === content.unit ||
      contentTerms(cell.header, language).some((term) => unitTerms.includes(term))
    return isOfUnit ? [{ cell, isInside: isWithin(range, content.amount) }] : []
  })
}

function cellPlace(
  value: TextValue,
  statedValues: readonly CellValue[],
  headerWeight: (cell: Cell) => number,
): Place | undefined {
  const compared = statedValues.map((one) => ({
    ...one,
    comparison: compareInCell(value, one, headerWeight),
    weight: headerWeight(one.cell),
  }))
  const same = compared.filter(({ comparison }) => comparison === 'same')
  const others = compared.filter(({ comparison }) => comparison === 'other')
  const heaviest = (all: readonly { weight: number }[]): number =>
    Math.max(0, ...all.map(({ weight }) => weight))
  if (same.length > 0) return heaviest(same) >= heaviest(others) ? 'same' : 'other'
  if (others.length === 0) return undefined
  if (isYear(value)) return 'missing'
  const cells = new Set(others.map(({ cell }) => cell))
  const best = new Set(
    others.filter(({ weight }) => weight > 0 && weight === heaviest(others)).map(({ cell }) => cell),
  )
  // If no header shows which cell is meant, it must be the only one of its kind, and must not be a bare number.
  const isOnly =
    cells.size === 1 &&
    others.every(({ value: other }) => other.content.kind !== 'amount' || other.content.unit !== '')
  return best.size === 1 || isOnly ? 'other' : 'missing'
}

/** A bare number contradicts an amount only if the claim is about its column. */
function compareInCell(
  value: TextValue,
  { value: cellValue, cell }: CellValue,
  headerWeight: (cell: Cell) => number,
): ValueComparison {
  if (value.content.kind !== 'amount' || cellValue.content.kind !== 'amount' || cellValue.content.unit !== '')
    return compareValues(value, cellValue)
  if (cellValue.content.amount === value.content.amount) return 'same'
  return isCurrency(value.content.unit) &&
    isCurrencyColumn(cell.header, value.content.unit) &&
    headerWeight(cell) > 0
    ? 'other'
    : 'unrelated'
}

function headerPlace(value: TextValue, cells: readonly Cell[], evidence: Evidence, context: string): Place {
  const headers = cells.flatMap(({ header }) => valuesIn(header, evidence.own.language))
  return headers.some((other) => compareValues(value, other) === 'same')
    ? 'same'
    : placeInContext(value, context, evidence)
}
