// Editions of one document. Documents whose names are the same but for a year, a date, a number or a state are a series. Of one that
// states what applies (a policy, a price list, a manual) one edition is in force and the others are not; one that tells what
// happened in its periods (reports, minutes) stays true for each of them. Pure.

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

/** A document as its name and its first passage describe it. */
export interface DocumentDescription {
  id: string
  title: string
  /** Of its file, with folders. */
  path: string
  /** The text of its first passage. */
  beginning: string
  language: Language
}

export interface Edition {
  documentId: string
  title: string
  number: number[] | undefined
  /** The period in its name. */
  period: string | undefined
  /** The first day on which it applies; the first of its period or its date, where it says no other. */
  starts: string | undefined
  /** The last day on which it applies, where it says one. */
  ends: string | undefined
  state: EditionState
}

export interface Series {
  /** Rules state what applies until the next edition; reports tell what happened in a period. */
  kind: 'rules' | 'reports'
  /** The oldest first. */
  editions: Edition[]
  /** The terms of the name that they share, in the language of the documents. */
  terms: ReadonlySet<string>
  language: Language
  /** The only edition that applies on the day of the question; of reports the newest. */
  inForce: Edition
}

interface Marked {
  description: DocumentDescription
  title: NameMarks
  path: NameMarks
  /** Read where it is asked for: most documents are in no series. */
  validity: () => ValidityMarks
}

/** The series among the documents, of two editions or more each. @param today `2026-11-29` */
export function seriesAmong(descriptions: readonly DocumentDescription[], today: string): Series[] {
  const groups: Marked[][] = []
  for (const description of descriptions) {
    const marked = markedOf(description)
    // Each amendment changes what it names, and no other amendment.
    if (isAmendmentDocument(description.title, description.beginning)) continue
    const own = groups.find((group) => group.some((other) => isSameSeries(marked, other)))
    if (own) own.push(marked)
    else groups.push([marked])
  }
  return groups.flatMap((group) => seriesOf(group, today) ?? [])
}

function markedOf(description: DocumentDescription): Marked {
  const { title, path, beginning } = description
  const own = ownTitle(title, path)
  const [file, folders] = [stemOf(path), path.split('/').slice(0, -1).join(' ')]
  return {
    description,
    title: marksInName(own),
    path: marksInName(`${folders} ${file}`.trim()),
    validity: once(() => validityIn(beginning)),
  }
}

function once<T>(read: () => T): () => T {
  let value: { of: T } | undefined
  return () => {
    value ??= { of: read() }
    return value.of
  }
}

/** Whether the names differ in nothing but what marks an edition. */
function isSameSeries(a: Marked, b: Marked): boolean {
  const isTitled = a.title.rest !== '' && a.title.rest === b.title.rest
  const isFiled = a.path.rest !== '' && a.path.rest === b.path.rest
  if (!isTitled) return isFiled && isWithin(a.title.rest, b.title.rest)
  return isFiled || (isMarked(a.title) && isMarked(b.title)) || isOfOneThing(a, b)
}

/**
 * Whether documents of one title say that they are editions, and nothing that their files are called by tells other things of that
 * title apart: "rules-north.md" is about what its text calls north, "scan-0012.pdf" is not.
 */
function isOfOneThing(a: Marked, b: Marked): boolean {
  const [one, other] = [a.path.rest.split(' '), b.path.rest.split(' ')]
  return (
    isDeclared(a) &&
    isDeclared(b) &&
    !one.some((word) => !other.includes(word) && isSaidIn(word, a)) &&
    !other.some((word) => !one.includes(word) && isSaidIn(word, b))
  )
}

function isDeclared({ validity }: Marked): boolean {
  const { number, starts, replaces } = validity()
  return number !== undefined || starts !== undefined || replaces
}

/** Whether the text says a word, but as the number of the edition or in a date. */
function isSaidIn(word: string, { description: { beginning } }: Marked): boolean {
  const text = [...editionNumbers(beginning), ...placedPeriods(beginning)]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, beginning)
  return [...words(text)].some(({ raw }) => fold(raw) === word)
}

const isMarked = ({ number, period, state }: NameMarks): boolean =>
  number !== undefined || period !== undefined || state !== 'released'

/** Whether one has all words of the other: "Travel Policy" and "Travel Policy – Intranet". */
function isWithin(a: string, b: string): boolean {
  const [one, other] = [new Set(a.split(' ')), new Set(b.split(' '))]
  return [...one].every((word) => other.has(word)) || [...other].every((word) => one.has(word))
}

function seriesOf(group: readonly Marked[], today: string): Series | undefined {
  if (group.length < 2) return undefined
  const editions = group.map(editionOf).sort(inOrder)
  // What nothing tells apart are copies, or things of one name.
  if (!editions.some((edition, i) => i > 0 && isApart(edition, editions[i - 1]))) return undefined
  const kind = statesRules(group) ? 'rules' : 'reports'
  const inForce = kind === 'rules' ? inForceOn(editions, today) : editions.at(-1)
  const [first] = group
  if (!inForce || !first) return undefined
  const { language } = first.description
  const terms = new Set(contentTerms(`${first.title.rest} ${first.path.rest}`, language))
  return { kind, editions, terms, language, inForce }
}

function editionOf({ description, title, path, validity: read }: Marked): Edition {
  const validity = read()
  const states = [title.state, path.state, validity.state]
  const period = title.period ?? path.period
  return {
    documentId: description.id,
    title: description.title,
    number: title.number ?? path.number ?? validity.number,
    period,
    starts: validity.starts ?? (period === undefined ? validity.dated : startOf(period)),
    ends: validity.ends,
    state: states.includes('draft') ? 'draft' : states.includes('withdrawn') ? 'withdrawn' : 'released',
  }
}

/** The oldest first: by number where both have one, else by date. */
function inOrder(a: Edition, b: Edition): number {
  const byNumber = a.number && b.number ? compareNumbers(a.number, b.number) : 0
  return byNumber || (a.starts ?? '').localeCompare(b.starts ?? '') || a.title.localeCompare(b.title)
}

/** Whether anything tells two editions from each other; two copies of one are alike. */
export const isApart = (edition: Edition, other: Edition | undefined): boolean =>
  other === undefined ||
  edition.state !== other.state ||
  edition.starts !== other.starts ||
  (edition.number !== undefined && other.number !== undefined
    ? compareNumbers(edition.number, other.number) !== 0
    : edition.number !== other.number)

// So many of the editions say that they are such: of the first one nobody may have thought so.
const RULES_SHARE = 0.5

/**
 * Whether the documents state what applies. They do if they say from when on, what they replace, or their number or state; without
 * that, if years tell them apart and they are not told in the past tense. Days, months and quarters are periods of which is told.
 */
function statesRules(group: readonly Marked[]): boolean {
  const numbers = new Set(group.map(numberOf))
  const isNumbered = numbers.size === group.length
  const declared = group.filter((marked) => {
    const { title, path, validity } = marked
    const { starts, replaces, state } = validity()
    return (
      starts !== undefined ||
      replaces ||
      (isNumbered && numberOf(marked) !== '') ||
      [title.state, path.state, state].some((one) => one !== 'released')
    )
  })
  if (declared.length >= RULES_SHARE * group.length) return true
  const isYearly = group.every(({ title, path }) => /^\d{4}$/.test(title.period ?? path.period ?? ''))
  return isYearly && group.every(({ description }) => !isToldInPast(description))
}

const numberOf = ({ title, path, validity }: Marked): string =>
  (title.number ?? path.number ?? validity().number ?? []).join('.')

const PAST: Partial<Record<Language, RegExp>> = {
  en: /(?<!\p{L})(?:was|were|had|did|has been|have been)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:war|waren|wurden?|hatten?)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:(?:a|ont) été|étai(?:t|ent)|avai(?:t|ent)|fut|furent)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:fue(?:ron)?|eran?|había[n]?|hubo|ha sido|han sido)(?!\p{L})/iu,
}
const PAST_SHARE = 0.2

/** Whether it is told in the past tense; of what has no sentences, as tables have none, it cannot be said that it is not. */
function isToldInPast({ beginning, language }: DocumentDescription): boolean {
  const statements = sentences(beginning).filter(
    (one) => /[.!]["”’»)]*$/u.test(one.text) && !one.text.includes('|'),
  )
  return (
    statements.length === 0 ||
    statements.filter((one) => PAST[language]?.test(one.text)).length >= PAST_SHARE * statements.length
  )
}

/** The newest that is released and has begun; without such a one the newest that is no draft. */
function inForceOn(editions: readonly Edition[], today: string): Edition | undefined {
  const released = editions.filter(({ state }) => state === 'released')
  return (
    released.findLast(
      ({ starts, ends }) => (starts ?? '') <= today && (ends === undefined || today <= ends),
    ) ??
    released.at(0) ??
    editions.findLast(({ state }) => state !== 'draft')
  )
}

/** The editions of a period, `2024` or `2024-Q3`: those named after it, else those in force at some time of it. */
export function inForceIn({ editions }: Series, period: string): Edition[] {
  const named = editions.filter((edition) => edition.period !== undefined && isIn(edition.period, period))
  return named.length > 0 ? named : inForceFrom(editions, startOf(period), endOf(period))
}

/** The edition in force on the day before a period. */
export const inForceBefore = ({ editions }: Series, period: string): Edition[] => {
  const day = dayBefore(startOf(period))
  return day === undefined ? [] : inForceFrom(editions, day, day)
}

function inForceFrom(editions: readonly Edition[], first: string, last: string): Edition[] {
  const released = editions.filter(({ state }) => state !== 'draft')
  return released.filter(({ starts, ends }, i) => {
    const end = ends ?? dayBefore(released.slice(i + 1).find((next) => next.starts !== starts)?.starts)
    return (starts ?? '') <= last && (end === undefined || first <= end)
  })
}

const isIn = (period: string, other: string): boolean =>
  period === other || period.startsWith(`${other}-`) || other.startsWith(`${period}-`)

function dayBefore(day: string | undefined): string | undefined {
  if (day === undefined) return undefined
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? undefined : new Date(time - 86_400_000).toISOString().slice(0, 10)
}

/** The edition before another; drafts are none. */
export const predecessorOf = ({ editions }: Series, edition: Edition): Edition | undefined =>
  editions.slice(0, editions.indexOf(edition)).findLast(({ state }) => state !== 'draft')
