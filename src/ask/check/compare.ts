// Whether a piece of evidence supports a claim, contradicts it, or neither. A claim is supported if its words, names and values are
// in the evidence and belong together there, and if both have the same negations. A claim is contradicted if only one value
// differs, and the evidence has another value in the same place. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { fold, words } from '../../language/words.ts'
import { decimalSignOf } from '../compute/cell-value.ts'
import { isWithin, readRange } from '../compute/range.ts'
import type { Evidence } from '../extractive/evidence.ts'
import { combineTerms, matchStrength, type TextTerms, textTerms } from '../extractive/keywords.ts'
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
  /** The weighted share of the claim's words that the evidence covers, 0 to 1. */
  share: number
}

// The weighted share of the claim's words that the evidence must cover with its headings and title to support the claim.
const MIN_SUPPORT = 0.8
// The same if a value of the claim is in the evidence too.
const MIN_WITH_VALUE = 0.72
// The same to contradict the claim.
const MIN_CONTRADICTION = 0.75
// The share that the evidence must cover without its headings and title.
const MIN_OWN = 0.45
// The share of a word that counts if it is only in the context of the evidence.
const CONTEXT_SHARE = 0.85
// The share of a word that counts if the evidence has a synonym of it.
const SYNONYM_SHARE = 0.8
const NONE: Judgement = { verdict: 'none', share: 0 }

interface Shares {
  /** The share with the context. */
  share: number
  /** The share of the evidence without its context. Words that only the context has do not count. */
  own: number
  /** Whether the evidence has each name and code. */
  hasNames: boolean
  /** Whether the evidence itself has one of the words that are not names. */
  hasOtherWords: boolean
}

export function judge(claim: Claim, evidence: Evidence): Judgement {
  // The items of a list are separate evidence.
  if (evidence.list || evidence.isFrontMatter) return NONE
  const context = contextOf(claim, evidence)
  const shares = sharesOf(claim, evidence, textTerms(context, evidence.ownTerms.language))
  if (!hasCodes(claim, evidence, context) || isOfAnotherSubject(claim, evidence))
    return { ...NONE, share: shares.share }
  if (
    !shares.hasNames ||
    !(shares.hasOtherWords || claim.values.length > 0 || relatesNames(claim, evidence)) ||
    shares.own < MIN_OWN ||
    shares.share < MIN_WITH_VALUE
  )
    return { ...NONE, share: shares.share }
  const matches = evidence.cells
    ? matchesInRow(claim, evidence, evidence.cells, context)
    : matchesInText(claim, evidence, context)
  if (!matches) return { ...NONE, share: shares.share }
  return { verdict: verdictOf(claim, evidence, shares, matches), share: shares.share }
}

/** Whether a row has several names of the claim. A row states that its names belong together. */
const relatesNames = ({ names }: Claim, { cells }: Evidence): boolean =>
  cells !== undefined &&
  names.filter((name) => cells.some(({ text }) => fold(text).includes(fold(name)))).length > 1

const hasCodes = ({ codes }: Claim, { text }: Evidence, context: string): boolean => {
  const all = fold(`${text}\n${context}`)
  return codes.every((code) => hasCode(all, fold(code)))
}

/**
 * Whether a sentence has another subject than the claim: another name comes first. "The tenant may end the lease by giving the
 * landlord notice" is not about "The landlord may end the lease".
 */
function isOfAnotherSubject(claim: Claim, { text, cells, ownTerms: { language } }: Evidence): boolean {
  const [subject, ...others] = claim.words
  if (cells || !subject?.isName) return false
  const positions = [...words(text)].map(({ raw, start }) => ({ start, terms: textTerms(raw, language) }))
  const positionOf = (word: ClaimWord): number | undefined =>
    positions.find(({ terms }) => isIn(word, terms))?.start
  const subjectPosition = positionOf(subject)
  const otherPositions = others.filter(({ isName }) => !isName).flatMap((word) => positionOf(word) ?? [])
  const isOtherSubject = (name: string): boolean =>
    !isNameOf(claim, name) && text.indexOf(name) < Math.min(...otherPositions)
  return (
    subjectPosition !== undefined &&
    2 * otherPositions.filter((position) => position < subjectPosition).length > otherPositions.length &&
    namesOf(text, language).some(isOtherSubject)
  )
}

/**
 * How the evidence has a value or a name of the claim. `around`: only the rest of the passage has it, which is enough for a date.
 * `other`: the evidence has another value in its place.
 */
type Match = 'same' | 'around' | 'other' | 'missing'

function verdictOf(
  claim: Claim,
  evidence: Evidence,
  { share }: Shares,
  matches: readonly Match[],
): Judgement['verdict'] {
  const others = matches.filter((match) => match === 'other').length
  const hasOtherMatches = matches.includes('same') || others > 0
  if (matches.includes('missing') || (matches.includes('around') && !hasOtherMatches)) return 'none'
  const statement = relevantText(claim, evidence)
  const statedSense = senseOf(statement)
  const qualifiers = compareQualifiers(claim.text, statement)
  if (
    qualifiers === 'other' ||
    statedSense.isWithout !== claim.sense.isWithout ||
    statedSense.deniesInSubclause !== claim.sense.deniesInSubclause
  )
    return 'none'
  const hasSameDenials = statedSense.denials === claim.sense.denials
  // The cells of a row have no verbs.
  const isQualified = qualifiers === 'same' || evidence.cells !== undefined
  if (others === 0 && hasSameDenials)
    return share >= (isAnchored(claim, matches) ? MIN_WITH_VALUE : MIN_SUPPORT) &&
      isQualified &&
      !isBroader(claim.sense, statedSense)
      ? 'supported'
      : 'none'
  const isOpposite = others === 0 && isQualified && statedSense.denials + claim.sense.denials === 1
  return (isOpposite || (others === 1 && hasSameDenials)) && share >= MIN_CONTRADICTION
    ? 'contradicted'
    : 'none'
}

/**
 * Whether an amount, a date or another value is the same. Labels such as "bench 5" do not count, because they are a kind of name.
 */
const isAnchored = ({ values }: Claim, matches: readonly Match[]): boolean =>
  values.some(({ content }, i) => content.kind !== 'label' && matches[i] === 'same')

/**
 * Whether the claim states more than the evidence: the evidence has no "all", or it has a condition that the claim does not have.
 */
const isBroader = (claimed: Sense, statedSense: Sense): boolean =>
  (claimed.isUniversal && !statedSense.isUniversal) || (statedSense.isConditional && !claimed.isConditional)

/** The clauses of a sentence that contain words of the claim. A denial in another clause is about something else. */
function relevantText({ words }: Claim, { text, cells, ownTerms: { language } }: Evidence): string {
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
 * The context of the evidence: title, headings, and the previous sentences of its paragraph. The sentences are left out if the
 * evidence contains a name that the claim does not have, because then it is about another person.
 */
function contextOf(
  claim: Claim,
  { paragraph, text, ownTerms, foundPassage: { passage }, headingAbove }: Evidence,
): string {
  const at = paragraph?.findIndex((sentence) => sentence.text === text) ?? -1
  const hasOtherName = namesOf(text, ownTerms.language).some((name) => !isNameOf(claim, name))
  const previousSentences = hasOtherName
    ? []
    : (paragraph?.slice(Math.max(0, at - MAX_SENTENCES_BEFORE), Math.max(0, at)) ?? [])
  const headings = [passage.document_title, passage.heading, headingAbove.text]
  return [...headings, ...previousSentences.map((sentence) => sentence.text)].join('\n')
}

/** Whether a name is a name of the claim, or a part of one. */
const isNameOf = ({ names }: Claim, name: string): boolean =>
  names.some((ofClaim) => fold(ofClaim).includes(fold(name)) || fold(name).includes(fold(ofClaim)))

// In terms. "Semaine normale de travail" means "Arbeitswoche". Words that are further apart are about two things.
const MAX_PART_DISTANCE = 2

const hasSynonym = ({ synonyms, parts }: ClaimWord, { terms, sequence }: TextTerms): boolean => {
  if ([...synonyms].some((term) => terms.has(term))) return true
  const [first = [], second = []] = parts.map((meanings) =>
    sequence.flatMap((term, i) => (meanings.has(term) ? [i] : [])),
  )
  return first.some((at) => second.some((other) => Math.abs(at - other) <= MAX_PART_DISTANCE))
}

const isIn = ({ keyword }: ClaimWord, terms: TextTerms): boolean => matchStrength(terms, keyword) > 0

function sharesOf(
  { words, language }: Claim,
  { ownTerms, headerTerms, cells }: Evidence,
  context: TextTerms,
): Shares {
  let [total, sum, ownTotal, ownSum] = [0, 0, 0, 0]
  let [hasNames, hasOtherWords] = [true, false]
  for (const word of words) {
    const { keyword, isName } = word
    const wordShare = Math.max(matchStrength(ownTerms, keyword), matchStrength(headerTerms, keyword))
    const isSynonym = hasSynonym(word, ownTerms) || hasSynonym(word, headerTerms)
    const ownShare = Math.max(wordShare, isSynonym && !isName ? SYNONYM_SHARE : 0)
    const share = Math.max(ownShare, CONTEXT_SHARE * matchStrength(context, keyword))
    if (isName && share < CONTEXT_SHARE) hasNames = false
    const isInText = matchStrength(cells ? combineTerms(ownTerms, headerTerms) : ownTerms, keyword) > 0
    if (!isName && (isInText || (isSynonym && ownTerms.language !== language))) hasOtherWords = true
    total += keyword.weight
    sum += keyword.weight * share
    // The evidence need not repeat the words of its title.
    if (ownShare === 0 && share > 0) continue
    ownTotal += keyword.weight
    ownSum += keyword.weight * ownShare
  }
  return { share: sum / (total || 1), own: ownTotal === 0 ? 1 : ownSum / ownTotal, hasNames, hasOtherWords }
}

/**
 * The match of a value in the context. A date or a label may be in the context of the evidence. An amount must be in the evidence
 * itself.
 */
function matchInContext(
  value: TextValue,
  context: string,
  { ownTerms: { language }, foundPassage: { passage } }: Evidence,
): Match {
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

function matchesInText(claim: Claim, evidence: Evidence, context: string): Match[] | undefined {
  const { text, ownTerms } = evidence
  const statedValues = valuesIn(text, ownTerms.language)
  const names = namesOf(text, ownTerms.language)
  const clauses = clausesOf(text, positionsOfNames(names, text))
  const covered = clauses.map((clause) => wordsIn(claim, clause, clauses, ownTerms.language))
  const clauseAt = (at: number): number => clauses.findIndex(({ start, end }) => start <= at && at < end)
  const matches = claim.values.map((value): Match => {
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
        : matchOfRival(
            clauseAt(same[0]?.start ?? 0),
            others.map(({ start }) => clauseAt(start)),
            covered,
          )
    if (others.length === 0) return matchInContext(value, context, evidence)
    // A statement about another year does not contradict the claim.
    if (isYear(value)) return 'missing'
    const unclaimed = others.filter(
      (other) => !claim.values.some((own) => compareValues(own, other) === 'same'),
    )
    const isInBestClause = hasBestClause(
      unclaimed.map(({ start }) => clauseAt(start)),
      covered,
    )
    return unclaimed.length > 0 && isInBestClause ? 'other' : 'missing'
  })
  const name = nameIn(claim, text, ownTerms.language)
  return name === undefined ? matches : [...matches, name]
}

/** The first position of each name, in reading order. */
const positionsOfNames = (names: readonly string[], text: string): PlacedName[] =>
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

/** The words of the claim in each clause. */
type Covered = readonly ReadonlySet<ClaimWord>[]

const weightOf = (words: Iterable<ClaimWord>): number =>
  [...words].reduce((sum, { keyword }) => sum + keyword.weight, 0)

/** The weight of the words that only the first clause has. */
const missingFrom = (
  first: ReadonlySet<ClaimWord> | undefined,
  second: ReadonlySet<ClaimWord> | undefined,
): number => weightOf([...(first ?? [])].filter((word) => !second?.has(word)))

/** Whether a clause with another value (a rival) has more of the claim's words than the clause of the matching value. */
const isOfAnother = (at: number, rivals: readonly number[], covered: Covered): boolean =>
  rivals.some(
    (rival) =>
      rival !== at && missingFrom(covered[rival], covered[at]) > missingFrom(covered[at], covered[rival]),
  )

/**
 * The match if the value belongs to other words. It is `other` only if a rival clause has all the words of the claim in this
 * clause.
 */
const matchOfRival = (at: number, rivals: readonly number[], covered: Covered): Match =>
  rivals.some(
    (rival) =>
      rival !== at &&
      missingFrom(covered[rival], covered[at]) > 0 &&
      missingFrom(covered[at], covered[rival]) === 0,
  )
    ? 'other'
    : 'missing'

/** Whether one of the clauses has the most weight of the claim's words. */
function hasBestClause(clauses: readonly number[], covered: Covered): boolean {
  const maxWeight = Math.max(...covered.map(weightOf))
  return clauses.some((at) => weightOf(covered[at] ?? []) >= maxWeight)
}

/**
 * The match of the names of the claim. A sentence may have clauses about different names: "Ann heads sales, Bob runs the workshop".
 * The words of the claim must be in the clauses of its own names. Undefined if they are, or if the sentence has no name of the
 * claim.
 */
function nameIn(claim: Claim, text: string, language: Language): Match | undefined {
  const names = text.split(/[\n()]/).flatMap((part) => namesOf(part, language))
  const clauses = clausesOf(text, positionsOfNames(names, text))
  const covered = clauses.map((clause) => wordsIn(claim, clause, clauses, language))
  const clauseAt = (at: number): number => clauses.findIndex(({ start, end }) => start <= at && at < end)
  const claimedNames = names.filter((name) => isNameOf(claim, name))
  const otherNames = names.filter((name) => !isNameOf(claim, name))
  if (claimedNames.length === 0) return undefined
  const withoutNames = covered.map(
    (words): ReadonlySet<ClaimWord> => new Set([...words].filter(({ isName }) => !isName)),
  )
  const otherWordsIn = (at: number): ClaimWord[] => {
    const terms = textTerms(clauses[at]?.text ?? '', language)
    return claim.words.filter((word) => !word.isName && isIn(word, terms))
  }
  const nameClauses = claimedNames.map((name) => clauseAt(text.indexOf(name)))
  const rivals = otherNames.map((name) => clauseAt(text.indexOf(name)))
  const isAboutOtherName = nameClauses.every((at) =>
    isOfAnother(
      at,
      rivals.filter((rival) => !nameClauses.includes(rival)),
      withoutNames,
    ),
  )
  if (isAboutOtherName) return matchOfRival(nameClauses[0] ?? 0, rivals, withoutNames)
  // The words of the claim are in other clauses than its names.
  const areApart =
    nameClauses.every((at) => at > 0 && otherWordsIn(at).length === 0) &&
    withoutNames.some((words) => words.size > 0)
  return areApart ? 'missing' : undefined
}

// Tables.

interface CellValue {
  cell: Cell
  value: TextValue
}

function matchesInRow(
  claim: Claim,
  evidence: Evidence,
  cells: readonly Cell[],
  context: string,
): Match[] | undefined {
  const { language } = evidence.ownTerms
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
  const matches: Match[] = []
  for (const value of claim.values) {
    const ranges = rangesFor(value, cells, language)
    const match = matchInCells(value, statedValues, headerWeight)
    const isInside = ranges.some(({ isInside }) => isInside)
    const rivals = statedValues.filter(
      (statedValue) => compareInCell(value, statedValue, headerWeight) === 'other',
    )
    const isCondition = ranges.some(
      ({ cell }) => headerWeight(cell) >= Math.max(0, ...rivals.map((rival) => headerWeight(rival.cell))),
    )
    // A row with another range does not apply to this amount.
    if (!isInside && isCondition && match !== 'same') return undefined
    matches.push(isInside ? 'same' : (match ?? matchInHeaders(value, cells, evidence, context)))
  }
  const text = cells.map((cell) => cell.text).join('\n')
  const name = nameIn(claim, text, language)
  return name === undefined ? matches : [...matches, name]
}

// Added to the weight of a header. A date in a header weighs more than all of its words.
const HEADER_DATE = 100

const isDate = ({ content }: TextValue): boolean => content.kind === 'date'

/** The values of a cell. A number without a unit has the unit of the table, or counts the things that its header names. */
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
  const tableScale = scaleIn(cells.map((cell) => cell.header).join(' '))
  if (tableScale) return [inUnit(tableScale.unit, tableScale.scale)]
  return [only, ...contentTerms(header, language).map((unit) => inUnit(unit))]
}

/** The ranges of a row that have the unit of an amount, in the cell or in the column name. */
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

function matchInCells(
  value: TextValue,
  statedValues: readonly CellValue[],
  headerWeight: (cell: Cell) => number,
): Match | undefined {
  const compared = statedValues.map((statedValue) => ({
    ...statedValue,
    comparison: compareInCell(value, statedValue, headerWeight),
    weight: headerWeight(statedValue.cell),
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

/** Compares a value with that of a cell. A number without a unit contradicts an amount only if the claim names its column. */
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

function matchInHeaders(
  value: TextValue,
  cells: readonly Cell[],
  evidence: Evidence,
  context: string,
): Match {
  const headers = cells.flatMap(({ header }) => valuesIn(header, evidence.ownTerms.language))
  return headers.some((other) => compareValues(value, other) === 'same')
    ? 'same'
    : matchInContext(value, context, evidence)
}
