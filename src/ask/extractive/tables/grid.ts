// A table as a grid of amounts, each called by its row and its column, and a calculation over those that a question names:
// every word of it must be the name of a row, of the rows above it, of a column, or what the table is about. Pure.

import type { Language } from '../../../language/language.ts'
import { isStopWord, stem } from '../../../language/stem.ts'
import { fold } from '../../../language/words.ts'
import { Decimal, isSameUnit, notationOf, readValue } from '../../compute/cell-value.ts'
import type { Comparison } from '../../compute/compute.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { type Calculation, yearsIn } from './calculation.ts'
import { SCALE, TOTAL_COLUMN } from './phrases.ts'
import type { Bound } from './question.ts'

interface Amount {
  amount: Decimal
  unit: string
  /** As it is written. */
  text: string
  row: PassageRow
}

/** A row or a column by its name. */
interface Line {
  label: string
  words: ReadonlySet<string>
  /** The words of the row that stands above it as a heading. */
  section: ReadonlySet<string>
  year: number | undefined
}

interface Grid {
  rows: Line[]
  columns: Line[]
  amount(row: Line, column: Line): Amount | undefined
  /** What the table is called by. */
  about: ReadonlySet<string>
  /** The same with the sentence above it. */
  described: ReadonlySet<string>
  /** "In thousands", and by how much it multiplies. */
  scale: { text: string; factor: number }
}

export interface CellResult {
  /** Of a year, or of all. */
  of?: number | 'sum' | 'mean'
  text: string
  /** It is the difference of two percentages. */
  isInPoints?: true
}

export interface CellReading {
  results: CellResult[]
  formula: string
  /** The rows by name, then the columns. */
  subject: string
  scale: string
  rows: PassageRow[]
  /** How much of the question rows and columns name, 0 to 1; more where its years are columns. */
  fit: number
}

const FOOTNOTE = /\s*\((?:\d{1,2}|\p{Ll})\)(?!\p{L})/gu
// How a statement adds a row up.
const PREFIX = /^(?:less|add|plus|minus|abzüglich|zuzüglich|moins|menos|más)\s*:\s*/iu
const WORD = /[\p{L}\p{N}]+/gu
// They carry no meaning elsewhere, and part one row from another.
const PARTING =
  /^(?:other|before|after|without|not|no|net|under|over|per|excluding|andere|vor|nach|ohne|nicht|autres?|avant|après|sans|otros?|antes|después|sin)$/iu
// What is said of any amount.
const OF_ANY =
  /^(?:years?|fiscal|fy|financial|ended|ending|period|amounts?|values?|figures?|numbers?|company|reported|recorded|table|respectively|less|add|plus|thousands?|millions?|jahr|betrag|wert|exercice|année|montant|valeur|año|importe|valor)$/iu

const isOfName = (word: string, language: Language): boolean =>
  PARTING.test(word) || /\d/.test(word) || (!isStopWord(fold(word), language) && word.length > 1)

const stemsOf = (some: readonly string[], language: Language): Set<string> =>
  new Set(some.map((word) => stem(fold(word), language)))

/** The words of a name: all of them where none has a meaning of its own ("Other"). */
function nameWords(text: string, language: Language): Set<string> {
  const all = text.match(WORD) ?? []
  return stemsOf(
    all.filter((word) => isOfName(word, language)),
    language,
  )
}

/** The words of a question that must be placed, those that may be a part of a name, and all as they are written. */
interface Bag {
  text: string
  required: ReadonlySet<string>
  optional: ReadonlySet<string>
}

function bagOf(text: string, language: Language): Bag {
  const names = (text.match(WORD) ?? []).filter((word) => isOfName(word, language))
  return {
    text: plain(text),
    required: stemsOf(
      names.filter((word) => !OF_ANY.test(word)),
      language,
    ),
    optional: stemsOf(
      names.filter((word) => OF_ANY.test(word)),
      language,
    ),
  }
}

const plain = (text: string): string => ` ${(text.match(WORD) ?? []).map(fold).join(' ')} `

const NO_WORDS: ReadonlySet<string> = new Set()
const union = (...sets: ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]))
const without = (set: ReadonlySet<string>, ...others: ReadonlySet<string>[]): Set<string> =>
  new Set([...set].filter((word) => !others.some((other) => other.has(word))))
const shared = (set: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...set].filter((word) => other.has(word)).length

// In accounts a dash is nothing.
const DASH = /^[$€£]?\s?[-–—]$/
const NOTHING = { kind: 'number', amount: new Decimal(0), unit: '' } as const
// "$ (20.0)", "(265 )".
const INNER_SPACE = /(?<=[($€£])\s+|\s+(?=[)%])/g
const MIN_AMOUNTS = 2

/** Undefined for a table whose rows have no names, or that has no amounts. */
function gridOf(
  { rows, title, heading, before = '', file }: SourceTable,
  language: Language,
): Grid | undefined {
  const firsts = rows.flatMap(({ cells: [first] }) => first?.header ?? [])
  const countOf = (header: string): number => firsts.filter((one) => one === header).length
  const [label] = [...new Set(firsts)].sort((a, b) => countOf(b) - countOf(a))
  if (label === undefined) return undefined
  const headers = [...new Set(rows.flatMap(({ cells }) => cells.map(({ header }) => header)))]
  const isTwice = (header: string): boolean =>
    rows.some(({ cells }) => cells.filter((cell) => cell.header === header).length > 1)
  const all = rows.flatMap(({ cells }) => cells.map(({ text }) => text))
  const amounts = new Map<PassageRow, Map<string, Omit<Amount, 'row'>>>()
  const heads = new Map<Line, string>()
  for (const header of headers.filter((one) => one !== label && one !== '' && !isTwice(one))) {
    heads.set(lineOf(header, NO_WORDS), header)
    const textOf = (row: PassageRow) => row.cells.find((cell) => cell.header === header)?.text
    const texts = rows.flatMap((row) => textOf(row) ?? [])
    const notation = notationOf(texts, all, language)
    const ofColumn = texts.includes('%') ? '%' : ''
    for (const row of rows) {
      const text = textOf(row)?.replace(INNER_SPACE, '') ?? ''
      const value = DASH.test(text) ? NOTHING : readValue(text, notation)
      if (value?.kind !== 'number') continue
      const own = amounts.get(row) ?? new Map()
      amounts.set(
        row,
        own.set(header, {
          amount: value.amount,
          unit: value.unit || ofColumn,
          text: DASH.test(text) ? '0' : text,
        }),
      )
    }
  }
  let section = NO_WORDS
  const lines = new Map<Line, PassageRow>()
  for (const row of rows) {
    const [first, second] = row.cells
    if (first?.header !== label) continue
    if (amounts.has(row)) lines.set(lineOf(first.text, section), row)
    else if (!second) section = nameWords(first.text, language)
  }
  if (lines.size * heads.size < MIN_AMOUNTS) return undefined
  const called = [title, heading, file.replace(/[_-]/g, ' '), label].join(' ')
  const said = SCALE.exec([label, ...headers, ...all, heading, before].join('\n'))?.[0] ?? ''
  return {
    rows: [...lines.keys()],
    columns: [...heads.keys()],
    about: nameWords(called, language),
    described: nameWords(`${called} ${lastSentence(before)}`, language),
    scale: { text: said, factor: factorOf(said) },
    amount: (line, column) => {
      const row = lines.get(line)
      const value = row && amounts.get(row)?.get(heads.get(column) ?? '')
      return row && value && { ...value, row }
    },
  }

  function lineOf(written: string, above: ReadonlySet<string>): Line {
    const text = written.replace(FOOTNOTE, '').replace(PREFIX, '').trim()
    const [year, ...others] = new Set(yearsIn(text))
    return {
      label: text,
      words: nameWords(text, language),
      section: above,
      year: others.length === 0 ? year : undefined,
    }
  }
}

/** Directly above a table it says what the table shows. */
const lastSentence = (text: string): string =>
  text
    .trim()
    .split(/\n|(?<=[.!?:])\s/u)
    .at(-1) ?? ''

const factorOf = (said: string): number =>
  /billion|milliard|mrd|bn/iu.test(said)
    ? 1e9
    : /milli?on|mio|mm|(?<![\p{L}])m(?![\p{L}])/iu.test(said)
      ? 1e6
      : said
        ? 1e3
        : 1

const turned = (grid: Grid): Grid => ({
  ...grid,
  rows: grid.columns,
  columns: grid.rows,
  amount: (row, column) => grid.amount(column, row),
})

// Of a name, so much may be left out in the question.
const MAX_REST = 0.5

/** The line that the words name: no other has as many of them, or it has no others. */
function namedLine(lines: readonly Line[], { text, required, optional }: Bag): Line | undefined {
  const score = ({ words, section }: Line): number =>
    shared(required, words) * 100 + shared(without(required, words), section) * 10 + shared(optional, words)
  const restOf = ({ words }: Line): number => without(words, required, optional).size
  const most = Math.max(...lines.map(score))
  const best = lines.filter(
    (line) => score(line) === most && shared(union(required, optional), line.words) > 0,
  )
  const exact = best.filter((line) => restOf(line) === 0)
  // "From" and "to" part one row from another, too.
  const verbatim = exact.filter(({ label }) => text.includes(plain(label)))
  const [one, ...others] = verbatim.length > 0 ? verbatim : exact.length > 0 ? exact : best
  return one && others.length === 0 && restOf(one) <= one.words.size * MAX_REST ? one : undefined
}

/** What a table gives for a calculation; undefined where a word is not placed or another cell may be meant. */
export function readCells(
  table: SourceTable,
  calculations: readonly Calculation[],
  language: Language,
): CellReading | undefined {
  const grid = gridOf(table, table.rows[0]?.passage.language ?? 'en')
  if (!grid) return undefined
  for (const calculation of calculations) {
    const [first, ...others] = [grid, turned(grid)].flatMap(
      (one) => calculated(one, calculation, language) ?? [],
    )
    if (first)
      return others.every(({ results }) => results[0]?.text === first.results[0]?.text) ? first : undefined
  }
  return undefined
}

function calculated(grid: Grid, calculation: Calculation, language: Language): CellReading | undefined {
  const { operation, operands, years, said } = calculation
  const sides = operands.map((text) => bagOf(text, language))
  const rows = grid.rows.filter((row) => grid.columns.some((column) => grid.amount(row, column)))
  const lines = sides.flatMap((side) => namedLine(rows, side) ?? [])
  const [first] = lines
  if (!first || new Set(lines).size < operands.length) return undefined
  // The total of assets is a row of its own, or a sum.
  if (operation === 'value' && said && !plain(first.label).startsWith(plain(said))) return undefined
  // Of no year, a row that is called otherwise as well may be one of several.
  if (
    operation === 'value' &&
    years.length === 0 &&
    without(first.words, ...sides.flatMap(({ required, optional }) => [required, optional])).size > 0
  )
    return undefined
  const all = union(...sides.map(({ required }) => required), bagOf(calculation.shared, language).required)
  const open = without(all, ...lines.flatMap(({ words, section }) => [words, section]))
  const columns = columnsOf(grid, first, calculation, { text: '', required: open, optional: NO_WORDS })
  if (!columns) return undefined
  // What one column says and another does not is not said of both.
  const left = new Set([...open].filter((word) => !columns.every(({ words }) => words.has(word))))
  if (without(left, operation === 'value' ? grid.about : grid.described).size > 0) return undefined
  const cells = lines.flatMap((line) => columns.flatMap((column) => grid.amount(line, column) ?? []))
  if (cells.length < lines.length * columns.length) return undefined
  const result = resultOf(calculation, cells, { columns, language, factor: grid.scale.factor })
  if (!result) return undefined
  const { unit, ...written } = result
  const own = columns.map(({ label }) => /\(in [^()]+\)/u.exec(label)?.[0]).find(Boolean)
  return {
    ...written,
    subject: [lines.map(({ label }) => label), columns.map(({ label, year }) => year ?? label)]
      .map((names) => names.join(', '))
      .join('; '),
    scale: unit === '%' || own || unit === 'none' ? '' : grid.scale.text,
    rows: [...new Set(cells.map(({ row }) => row))],
    fit: (all.size === 0 ? 1 : 1 - left.size / all.size) + (years.length > 0 ? 1 : 0),
  }
}

/** The columns that are meant: those of the years, or the one that the words name; in the order of time for a calculation. */
function columnsOf(
  grid: Grid,
  row: Line,
  { operation, operands, years, yearCount, isSpan }: Calculation,
  words: Bag,
): Line[] | undefined {
  const filled = grid.columns.filter((column) => grid.amount(row, column))
  const every = [...new Set(filled.flatMap(({ year }) => year ?? []))].sort((a, b) => a - b)
  if (yearCount !== undefined && yearCount !== every.length) return undefined
  const [from = 0, to = 0] = years.toSorted((a, b) => a - b)
  const isOfTwo = operation === 'difference' || operation === 'change'
  const isOfMany = operation === 'mean' || operation === 'sum'
  let asked = operation === 'value' ? years : years.toSorted((a, b) => a - b)
  if (operands.length === 1) {
    const isOfAll = operation === 'years' || operation === 'count of years' || operation === 'mean'
    if (years.length === 0 && (isOfAll || (isOfTwo && every.length === 2))) asked = every
    // A change in a year is from the year before.
    if (isOfTwo && years.length === 1) asked = [from - 1, from]
    const isOfSpan = isSpan && years.length === 2 && years.every((year) => every.includes(year))
    if (isOfSpan && (isOfMany || operation === 'value'))
      asked = every.filter((year) => year >= from && year <= to)
    if (operation !== 'value' && asked.length < 2) return undefined
    if (isOfTwo && asked.length > 2) return undefined
  } else if (asked.length > 1) return undefined
  if (asked.length === 0) {
    const [only, ...others] = filled
    const total = filled.filter(({ label }) => TOTAL_COLUMN.test(label))
    const one =
      others.length === 0
        ? only
        : operation === 'value'
          ? undefined
          : (namedLine(filled, words) ?? (total.length === 1 ? total[0] : undefined))
    return one && [one]
  }
  const columns = asked.flatMap((year) => {
    const own = filled.filter((column) => column.year === year)
    return (own.length > 1 ? namedLine(own, words) : own[0]) ?? []
  })
  return columns.length === asked.length ? columns : undefined
}

interface Context {
  columns: readonly Line[]
  language: Language
  /** What the table's amounts are multiplied with. */
  factor: number
}

function resultOf(
  { operation, operands, isOfEach, said, bound }: Calculation,
  cells: readonly Amount[],
  { columns, language, factor }: Context,
): { results: CellResult[]; formula: string; unit: string } | undefined {
  const units = cells.map(({ unit }) => unit).filter(Boolean)
  const [unit = ''] = units
  const isOneUnit = units.every((other) => isSameUnit(other, unit))
  if (!isOneUnit || (unit === '%' && cells.some((cell) => cell.unit !== '%' && !cell.amount.isZero())))
    return undefined
  const amounts = cells.map(({ amount }) => amount)
  const write = (amount: Decimal, of = unit): string => written(amount, of, language)
  const inner = amounts.map((amount) => {
    const text = write(amount, unit === '%' ? unit : '')
    return amount.isNegative() ? `(${text})` : text
  })
  const only = (amount: Decimal, formula: string, of = unit) => ({
    results: [{ text: write(amount, of) }],
    formula,
    unit: of,
  })
  const yearOf = (i: number): { of?: number } => {
    const year = columns[i]?.year
    return year === undefined ? {} : { of: year }
  }
  const each: CellResult[] = cells.map(({ text }, i) => ({ ...yearOf(i), text: asWritten(text, unit) }))
  const sum = amounts.reduce((all, one) => all.plus(one), new Decimal(0))
  const mean = round(sum.div(amounts.length))
  const added = inner.join(' + ')
  const [a, b] = amounts
  if (!a) return undefined
  if (operation === 'years' || operation === 'count of years') {
    const chosen = bound && yearsWithin(amounts, bound, factor)
    if (!chosen) return undefined
    const labels = columns.filter((_, i) => chosen[i]).map(({ year }) => String(year))
    const formula = each.map(({ of, text }) => `${of}: ${text}`).join(', ')
    if (operation === 'years' && labels.length === 0) return undefined
    const text = operation === 'years' ? labels.join(', ') : String(labels.length)
    return { results: [{ text }], formula, unit }
  }
  if (operation === 'value') {
    if (each.length === 1) return { results: each.map(({ text }) => ({ text })), formula: '', unit }
    const total: CellResult[] = isOfEach || unit === '%' ? [] : [{ of: 'sum', text: write(sum) }]
    return { results: [...each, ...total], formula: '', unit }
  }
  if (operation === 'mean' && said)
    return { results: [...each, { of: 'mean', text: write(mean) }], formula: '', unit }
  if (operation === 'mean') return only(mean, `(${added}) / ${amounts.length}`)
  if (operation === 'sum') return only(sum, added)
  if (!b) return undefined
  // Of years the earlier comes first, of names the one that is named first.
  const isOfYears = operands.length === 1
  const [from, to] = isOfYears ? [a, b] : [b, a]
  const [fromText, toText] = isOfYears ? inner : [inner[1], inner[0]]
  // The difference of percentages is in points, and so their change is told.
  if (unit === '%' && (operation === 'difference' || operation === 'change'))
    return {
      results: [{ text: write(to.minus(from), ''), isInPoints: true }],
      formula: `${toText} − ${fromText}`,
      unit,
    }
  if (operation === 'difference') return only(to.minus(from), `${toText} − ${fromText}`)
  if (from.isZero() || (operation === 'change' && from.isNegative())) return undefined
  const quotient = to.div(from)
  if (operation === 'ratio') return only(round(quotient), `${toText} / ${fromText}`, '')
  return operation === 'share'
    ? only(round(quotient.times(100)), `${toText} / ${fromText}`, '%')
    : only(round(quotient.minus(1).times(100)), `(${toText} − ${fromText}) / ${fromText}`, '%')
}

/** Which of the amounts are the most or the least, of which there is one, or in bounds; undefined where that is not certain. */
function yearsWithin(
  amounts: readonly Decimal[],
  bound: 'most' | 'least' | Bound,
  factor: number,
): boolean[] | undefined {
  if (typeof bound === 'string') {
    const best = bound === 'most' ? Decimal.max(...amounts) : Decimal.min(...amounts)
    const chosen = amounts.map((amount) => amount.eq(best))
    return chosen.filter(Boolean).length === 1 ? chosen : undefined
  }
  const { is, amount, said } = bound
  const within = (by: number): boolean[] =>
    amounts.map((one) => compares(one.times(by).cmp(amount.amount), is))
  // "Over 50,000" of a table in thousands may be of what it writes, and "10 thousand" of one that does not say it.
  const saidFactor = factorOf(SAID_SCALE.exec(said)?.[0] ?? '')
  const [first = [], ...others] =
    saidFactor > 1 && factor > 1 ? [within(factor)] : [within(1), within(factor), within(saidFactor)]
  return others.every((other) => other.every((one, i) => one === first[i])) ? first : undefined
}

const SAID_SCALE = /(?<=\d\s?)(?:thousand|million|billion|tausend|mio|mille|miles|millones)/iu

const compares = (order: number, is: Comparison): boolean =>
  is === 'more' ? order > 0 : is === 'at_least' ? order >= 0 : is === 'less' ? order < 0 : order <= 0

const round = (amount: Decimal): Decimal =>
  amount.abs().lt(1) ? amount.toSignificantDigits(2) : amount.toDecimalPlaces(2)

function written(amount: Decimal, unit: string, language: Language): string {
  const text = new Intl.NumberFormat(language === 'xx' ? 'en' : language, {
    maximumFractionDigits: 20,
  }).format(amount.toFixed() as Intl.StringNumericLiteral)
  if (/^[$£¥]$/.test(unit)) return text.replace(/^-?/, `$&${unit}`)
  return unit ? `${text} ${unit}` : text
}

const asWritten = (text: string, unit: string): string =>
  /[\d)]$/.test(text) && unit === '%' ? `${text} %` : text
