// Editions of one document. Documents are a series if their names differ only in a year, a date, a number or a state. If they
// are rules, such as a policy or a price list, one edition is in force and the others do not apply. Reports and minutes describe a
// period, so each edition stays true for its period. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import type { Language } from '../../../language/language.ts'
import { endOf, placedPeriods, startOf } from '../../../language/periods.ts'
import { sentences } from '../../../language/sentences.ts'
import { fold, words } from '../../../language/words.ts'
import { isAmendmentDocument } from '../amendments.ts'
import {
  compareNumbers,
  type EditionState,
  editionNumbers,
  marksInName,
  type NameMarks,
  ownTitle,
  stemOf,
  type ValidityMarks,
  validityIn,
} from './marks.ts'

export interface DocumentDescription {
  id: string
  title: string
  /** The path of its file, with folders. */
  path: string
  /** The text of its first passage. */
  beginning: string
  language: Language
}

export interface Edition {
  documentId: string
  title: string
  /** `[2, 1]` for version 2.1. */
  number: number[] | undefined
  /** The period in its name. */
  period: string | undefined
  /** The first day on which it applies. If the document does not state it: the first day of its period, else its date. */
  starts: string | undefined
  /** The last day on which it applies, if the document states it. */
  ends: string | undefined
  state: EditionState
}

export interface Series {
  /** Rules apply until the next edition. Reports describe what happened in a period. */
  kind: 'rules' | 'reports'
  /** The oldest first. */
  editions: Edition[]
  /**
   * The terms of the title and the path of one of the documents without the marks of its edition, in the language of the documents.
   */
  terms: ReadonlySet<string>
  language: Language
  /** For rules, the edition that applies on the day of the question. For reports, the newest edition. */
  currentEdition: Edition
}

interface MarkedDocument {
  description: DocumentDescription
  title: NameMarks
  path: NameMarks
  /** The words of its folders without marks: "nord" of "nord/2026/preise.md". */
  folderWords: string
  /** Computed only when needed, because most documents are in no series. */
  validity: () => ValidityMarks
}

/** The series among the documents. Each has at least two editions. @param today the day of the question, such as `2026-11-29` */
export function seriesAmong(descriptions: readonly DocumentDescription[], today: string): Series[] {
  const groups: MarkedDocument[][] = []
  for (const description of descriptions) {
    const document = markDocument(description)
    // Amendments are not editions of each other. Each of them changes the document that it names.
    if (isAmendmentDocument(description.title, description.beginning)) continue
    const matchingGroup = groups.find((group) => group.some((other) => isSameSeries(document, other)))
    if (matchingGroup) matchingGroup.push(document)
    else groups.push([document])
  }
  return groups.flatMap((group) => seriesOf(group, today) ?? [])
}

function markDocument(description: DocumentDescription): MarkedDocument {
  const { title, path, beginning } = description
  const titleWithoutFile = ownTitle(title, path)
  const [file, folders] = [stemOf(path), path.split('/').slice(0, -1).join(' ')]
  return {
    description,
    title: marksInName(titleWithoutFile),
    path: marksInName(`${folders} ${file}`.trim()),
    folderWords: marksInName(folders).nameWords,
    validity: once(() => validityIn(beginning)),
  }
}

/** A function that calls `compute` the first time and returns the same value later. */
function once<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

/**
 * Whether two documents are editions of one series. Names are compared without the marks of editions. With the same title and the
 * same path they are. With the same path only, one title must have all words of the other. With the same title only, both titles
 * must have marks and be in folders of the same name, or both texts must state an edition and the paths must not show different subjects.
 */
function isSameSeries(a: MarkedDocument, b: MarkedDocument): boolean {
  const hasSameTitle = a.title.nameWords !== '' && a.title.nameWords === b.title.nameWords
  const hasSamePath = a.path.nameWords !== '' && a.path.nameWords === b.path.nameWords
  if (!hasSameTitle) return hasSamePath && isOneNameWithinOther(a.title.nameWords, b.title.nameWords)
  const haveMarksInTitles = hasMarks(a.title) && hasMarks(b.title) && a.folderWords === b.folderWords
  return hasSamePath || haveMarksInTitles || areEditionsByText(a, b)
}

/**
 * Whether two documents of one title state that they are editions, and their paths do not show different subjects. The path
 * "rules-north.md" shows the subject "north" if the text contains "north". The path "scan-0012.pdf" shows no subject.
 */
function areEditionsByText(a: MarkedDocument, b: MarkedDocument): boolean {
  const [wordsOfFirst, wordsOfSecond] = [a.path.nameWords.split(' '), b.path.nameWords.split(' ')]
  return (
    hasEditionStatement(a) &&
    hasEditionStatement(b) &&
    !wordsOfFirst.some((word) => !wordsOfSecond.includes(word) && isOutsideMarks(word, a)) &&
    !wordsOfSecond.some((word) => !wordsOfFirst.includes(word) && isOutsideMarks(word, b))
  )
}

/** Whether the text of a document states its number, its start or that it replaces another document. */
function hasEditionStatement({ validity }: MarkedDocument): boolean {
  const { number, starts, replaces } = validity()
  return number !== undefined || starts !== undefined || replaces
}

/** Whether the text contains the word outside the number of the edition and outside dates. */
function isOutsideMarks(word: string, { description: { beginning } }: MarkedDocument): boolean {
  // From the last to the first, so that the offsets of the others stay valid.
  const text = [...editionNumbers(beginning), ...placedPeriods(beginning)]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, beginning)
  return [...words(text)].some(({ raw }) => fold(raw) === word)
}

const hasMarks = ({ number, period, state }: NameMarks): boolean =>
  number !== undefined || period !== undefined || state !== 'released'

/** Whether one name has all words of the other: "Travel Policy" and "Travel Policy – Intranet". */
function isOneNameWithinOther(a: string, b: string): boolean {
  const [wordsOfFirst, wordsOfSecond] = [new Set(a.split(' ')), new Set(b.split(' '))]
  return (
    [...wordsOfFirst].every((word) => wordsOfSecond.has(word)) ||
    [...wordsOfSecond].every((word) => wordsOfFirst.has(word))
  )
}

function seriesOf(group: readonly MarkedDocument[], today: string): Series | undefined {
  if (group.length < 2) return undefined
  const editions = group.map(editionOf).sort(oldestFirst)
  // Documents that differ in no mark are copies, or different documents with the same name.
  if (editions.slice(1).every((edition, i) => !isOtherEdition(edition, editions[i]))) return undefined
  const kind = areRules(group) ? 'rules' : 'reports'
  const currentEdition = kind === 'rules' ? currentEditionOn(editions, today) : editions.at(-1)
  const [first] = group
  if (!currentEdition || !first) return undefined
  const { language } = first.description
  const terms = new Set(contentTerms(`${first.title.nameWords} ${first.path.nameWords}`, language))
  return { kind, editions, terms, language, currentEdition }
}

function editionOf({ description, title, path, validity: read }: MarkedDocument): Edition {
  const validity = read()
  const allStates = [title.state, path.state, validity.state]
  const period = title.period ?? path.period
  return {
    documentId: description.id,
    title: description.title,
    number: title.number ?? path.number ?? validity.number,
    period,
    starts: validity.starts ?? (period === undefined ? validity.firstDate : startOf(period)),
    ends: validity.ends,
    state: allStates.includes('draft') ? 'draft' : allStates.includes('withdrawn') ? 'withdrawn' : 'released',
  }
}

/** Compares two editions, the oldest first: by number if both have one, then by date, then by title. */
function oldestFirst(a: Edition, b: Edition): number {
  const numberOrder = a.number && b.number ? compareNumbers(a.number, b.number) : 0
  return numberOrder || (a.starts ?? '').localeCompare(b.starts ?? '') || a.title.localeCompare(b.title)
}

/** Whether two documents differ in state, start or number. If not, they are copies of one edition. */
export const isOtherEdition = (edition: Edition, other: Edition | undefined): boolean =>
  other === undefined ||
  edition.state !== other.state ||
  edition.starts !== other.starts ||
  (edition.number !== undefined && other.number !== undefined
    ? compareNumbers(edition.number, other.number) !== 0
    : edition.number !== other.number)

// The share of the documents that must have marks of rules. Not all, because the first edition often has none.
const MIN_RULES_SHARE = 0.5

/**
 * Whether the documents are rules and not reports. They are rules if enough of them state their start, what they replace, or that
 * they are a draft or withdrawn, or have a number while all numbers differ. Otherwise they are rules only if each has a whole year
 * in its name, or they are named after rules and one after its start ("prices from May 2026"), and no text is in the past tense.
 */
function areRules(group: readonly MarkedDocument[]): boolean {
  const numbers = new Set(group.map(numberOf))
  const haveDifferentNumbers = numbers.size === group.length
  const documentsWithRuleMarks = group.filter((document) => {
    const { title, path, validity } = document
    const { starts, replaces, state } = validity()
    return (
      starts !== undefined ||
      replaces ||
      (haveDifferentNumbers && numberOf(document) !== '') ||
      [title.state, path.state, state].some((one) => one !== 'released')
    )
  })
  if (documentsWithRuleMarks.length >= MIN_RULES_SHARE * group.length) return true
  const isYearly = group.every(({ title, path }) => /^\d{4}$/.test(title.period ?? path.period ?? ''))
  return (isYearly || nameStarts(group)) && group.every(({ description }) => !isInPastTense(description))
}

const RULE_NOUNS =
  /(?:^|\s)\p{L}*(?:prices?|fees?|fares?|rates?|tariffs?|rules|terms|timetables?|preise?|preisliste|gebühren|beiträge|tarife?|ordnung|regeln|fahrplan|öffnungszeiten|tarifs?|prix|règlement|horaires|precios|tarifas|cuotas|reglamento|normas|horarios)(?=\s|$)/iu

/** Whether the documents are named after rules, and one of them after its start: "prices 2025" and "prices from 1 March 2026". */
const nameStarts = (group: readonly MarkedDocument[]): boolean =>
  group.some(({ title, path }) => title.statesStart || path.statesStart) &&
  group.every(({ title, path }) => RULE_NOUNS.test(title.nameWords) || RULE_NOUNS.test(path.nameWords))

const numberOf = ({ title, path, validity }: MarkedDocument): string =>
  (title.number ?? path.number ?? validity().number ?? []).join('.')

const PAST_TENSE: Partial<Record<Language, RegExp>> = {
  en: /(?<!\p{L})(?:was|were|had|did|has been|have been)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:war|waren|wurden?|hatten?)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:(?:a|ont) été|étai(?:t|ent)|avai(?:t|ent)|fut|furent)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:fue(?:ron)?|eran?|había[n]?|hubo|ha sido|han sido)(?!\p{L})/iu,
}
// The share of the sentences that must be in the past tense.
const MIN_PAST_SHARE = 0.2

/**
 * Whether enough of the sentences are in the past tense. A text without sentences, such as a table, counts as past tense. A text
 * with sentences in a language without a pattern does not.
 */
function isInPastTense({ beginning, language }: DocumentDescription): boolean {
  const statements = sentences(beginning).filter(
    (one) => /[.!]["”’»)]*$/u.test(one.text) && !one.text.includes('|'),
  )
  return (
    statements.length === 0 ||
    statements.filter((one) => PAST_TENSE[language]?.test(one.text)).length >=
      MIN_PAST_SHARE * statements.length
  )
}

/**
 * The newest released edition that applies today; else the newest that has begun, the oldest released one, or the newest that is not
 * a draft.
 */
function currentEditionOn(editions: readonly Edition[], today: string): Edition | undefined {
  const releasedEditions = editions.filter(({ state }) => state === 'released')
  return (
    releasedEditions.findLast(
      ({ starts, ends }) => (starts ?? '') <= today && (ends === undefined || today <= ends),
    ) ??
    releasedEditions.findLast(({ starts }) => starts !== undefined && starts <= today) ??
    releasedEditions.at(0) ??
    editions.findLast(({ state }) => state !== 'draft')
  )
}

/**
 * The editions of a period such as `2024` or `2024-Q3`: those with the period in their names, else those in force in a part of it.
 */
export function editionsOfPeriod({ editions }: Series, period: string): Edition[] {
  const namedEditions = editions.filter(
    (edition) => edition.period !== undefined && isSamePeriodOrPart(edition.period, period),
  )
  return namedEditions.length > 0 ? namedEditions : editionsBetween(editions, startOf(period), endOf(period))
}

/** The editions in force on the day before a period. Copies of one edition are all in the list. */
export const editionsBefore = ({ editions }: Series, period: string): Edition[] => {
  const day = dayBefore(startOf(period))
  return day === undefined ? [] : editionsBetween(editions, day, day)
}

function editionsBetween(editions: readonly Edition[], first: string, last: string): Edition[] {
  const editionsWithoutDrafts = editions.filter(({ state }) => state !== 'draft')
  return editionsWithoutDrafts.filter(({ starts, ends }, i) => {
    // An edition without a stated end ends on the day before the next edition with another start.
    const nextStart = editionsWithoutDrafts.slice(i + 1).find((next) => next.starts !== starts)?.starts
    const end = ends ?? dayBefore(nextStart)
    return (starts ?? '') <= last && (end === undefined || first <= end)
  })
}

/**
 * Whether one period is written as a part of the other, as `2024-Q3` is of `2024`. A month is not recognised as a part of its
 * quarter.
 */
const isSamePeriodOrPart = (period: string, other: string): boolean =>
  period === other || period.startsWith(`${other}-`) || other.startsWith(`${period}-`)

function dayBefore(day: string | undefined): string | undefined {
  if (day === undefined) return undefined
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? undefined : new Date(time - 86_400_000).toISOString().slice(0, 10)
}

/** The edition before another one. Drafts are left out. */
export const predecessorOf = ({ editions }: Series, edition: Edition): Edition | undefined =>
  editions.slice(0, editions.indexOf(edition)).findLast(({ state }) => state !== 'draft')
