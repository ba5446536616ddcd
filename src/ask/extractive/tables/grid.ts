// A table as a grid of amounts, each named by its row and its column, and a calculation with the amounts that a question names. Every
// word of the question must name a row, the section of a row, a column, or the subject of the table. Pure.

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
interface NamedLine {
  label: string
  words: ReadonlySet<string>
  /** The words in their order, without what is in parentheses. */
  sequence: readonly string[]
  /** The words of the row that stands above it as a heading. */
  section: ReadonlySet<string>
  year: number | undefined
}

interface Grid {
  rows: NamedLine[]
  columns: NamedLine[]
  amount(row: NamedLine, column: NamedLine): Amount | undefined
  /** The words of the table's title, heading and file name, and of the header above the row names. */
  about: ReadonlySet<string>
  /** The same words with those of the sentence above the table. */
  described: ReadonlySet<string>
  /** The scale as the table states it, "in thousands", and its factor. */
  scale: { text: string; factor: number }
}

export interface CellResult {
  /** The year of the result. `sum` and `mean` are results of all years. */
  of?: number | 'sum' | 'mean'
  text: string
  /** The result is the difference of two percentages. */
  isInPoints?: true
}

export interface CellReading {
  results: CellResult[]
  formula: string
  /** The rows by name, then the columns. */
  subject: string
  scale: string
  rows: PassageRow[]
  /** The share of the question's words that rows and columns contain, 0 to 1. It is 1 higher if the question names years. */
  fit: number
}

const FOOTNOTE = /\s*\((?:\d{1,2}|\p{Ll})\)(?!\p{L})/gu
// The beginning of a row name that shows how the row enters a sum.
const PREFIX = /^(?:less|add|plus|minus|abzüglich|zuzüglich|moins|menos|más)\s*:\s*/iu
const WORD = /[\p{L}\p{N}]+/gu
// Function words that distinguish rows from each other.
const DISTINGUISHING =
  /^(?:other|before|after|without|not|no|net|under|over|per|excluding|andere|vor|nach|ohne|nicht|autres?|avant|après|sans|otros?|antes|después|sin)$/iu
// Words that may be about any amount, so they need not be in the name of a row.
const GENERAL_WORDS =
  /^(?:years?|fiscal|fy|financial|ended|ending|period|amounts?|values?|figures?|numbers?|company|reported|recorded|table|respectively|less|add|plus|thousands?|millions?|jahr|betrag|wert|exercice|année|montant|valeur|año|importe|valor)$/iu

const isNameWord = (word: string, language: Language): boolean =>
  DISTINGUISHING.test(word) || /\d/.test(word) || (!isStopWord(fold(word), language) && word.length > 1)

const stemsOf = (words: readonly string[], language: Language): Set<string> =>
  new Set(words.map((word) => stem(fold(word), language)))

/** The stems of the words of a name in their order, without stop words. */
const stemSequence = (text: string, language: Language): string[] =>
  (text.match(WORD) ?? [])
    .filter((word) => isNameWord(word, language))
    .map((word) => stem(fold(word), language))

const nameWords = (text: string, language: Language): Set<string> => new Set(stemSequence(text, language))

/** The words of a question: those that the table must contain, those that may be in a name, and the text as written. */
interface QuestionWords {
  text: string
  required: ReadonlySet<string>
  optional: ReadonlySet<string>
  /** The stems of each two words that only a space separates: "total asset". */
  pairs: ReadonlySet<string>
}

function pairsIn(text: string, language: Language): Set<string> {
  const placed = [...text.matchAll(WORD)]
  return new Set(
    placed.flatMap(({ 0: word, index }, i) => {
      const next = placed[i + 1]
      return next && /^ +$/.test(text.slice(index + word.length, next.index))
        ? `${stem(fold(word), language)} ${stem(fold(next[0]), language)}`
        : []
    }),
  )
}

function questionWordsOf(text: string, language: Language): QuestionWords {
  const names = (text.match(WORD) ?? []).filter((word) => isNameWord(word, language))
  return {
    text: normalised(text),
    required: stemsOf(
      names.filter((word) => !GENERAL_WORDS.test(word)),
      language,
    ),
    optional: stemsOf(
      names.filter((word) => GENERAL_WORDS.test(word)),
      language,
    ),
    pairs: pairsIn(text, language),
  }
}

const normalised = (text: string): string => ` ${(text.match(WORD) ?? []).map(fold).join(' ')} `

const NO_WORDS: ReadonlySet<string> = new Set()
const union = (...sets: ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]))
const without = (set: ReadonlySet<string>, ...others: ReadonlySet<string>[]): Set<string> =>
  new Set([...set].filter((word) => !others.some((other) => other.has(word))))
const sharedCount = (set: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...set].filter((word) => other.has(word)).length

// In accounts a dash stands for 0.
const DASH_CELL = /^[$€£]?\s?[-–—]$/
const ZERO = { kind: 'number', amount: new Decimal(0), unit: '' } as const
// "$ (20.0)", "(265 )".
const INNER_SPACE = /(?<=[($€£])\s+|\s+(?=[)%])/g
const MIN_AMOUNTS = 2

/** The grid of a table. Undefined if the table has no column of row names or fewer than MIN_AMOUNTS amounts. */
function gridOf(
  { rows, title, heading, before = '', file }: SourceTable,
  language: Language,
): Grid | undefined {
  const firstHeaders = rows.flatMap(({ cells: [first] }) => first?.header ?? [])
  const countOf = (header: string): number => firstHeaders.filter((one) => one === header).length
  const [nameHeader] = [...new Set(firstHeaders)].sort((a, b) => countOf(b) - countOf(a))
  if (nameHeader === undefined) return undefined
  const headers = [...new Set(rows.flatMap(({ cells }) => cells.map(({ header }) => header)))]
  const isRepeated = (header: string): boolean =>
    rows.some(({ cells }) => cells.filter((cell) => cell.header === header).length > 1)
  const cellTexts = rows.flatMap(({ cells }) => cells.map(({ text }) => text))
  const amounts = new Map<PassageRow, Map<string, Omit<Amount, 'row'>>>()
  const headerByColumn = new Map<NamedLine, string>()
  for (const header of headers.filter((one) => one !== nameHeader && one !== '' && !isRepeated(one))) {
    headerByColumn.set(lineOf(header, NO_WORDS), header)
    const textOf = (row: PassageRow) => row.cells.find((cell) => cell.header === header)?.text
    const texts = rows.flatMap((row) => textOf(row) ?? [])
    const notation = notationOf(texts, cellTexts, language)
    const columnUnit = texts.includes('%') ? '%' : ''
    for (const row of rows) {
      const text = textOf(row)?.replace(INNER_SPACE, '') ?? ''
      const value = DASH_CELL.test(text) ? ZERO : readValue(text, notation)
      if (value?.kind !== 'number') continue
      const rowAmounts = amounts.get(row) ?? new Map()
      amounts.set(
        row,
        rowAmounts.set(header, {
          amount: value.amount,
          unit: value.unit || columnUnit,
          text: DASH_CELL.test(text) ? '0' : text,
        }),
      )
    }
  }
  let section = NO_WORDS
  const rowByLine = new Map<NamedLine, PassageRow>()
  for (const row of rows) {
    const [first, second] = row.cells
    if (first?.header !== nameHeader) continue
    if (amounts.has(row)) rowByLine.set(lineOf(first.text, section), row)
    else if (!second) section = nameWords(first.text, language)
  }
  if (rowByLine.size * headerByColumn.size < MIN_AMOUNTS) return undefined
  const nameTexts = [title, heading, file.replace(/[_-]/g, ' '), nameHeader].join(' ')
  const scaleText = SCALE.exec([nameHeader, ...headers, ...cellTexts, heading, before].join('\n'))?.[0] ?? ''
  return {
    rows: [...rowByLine.keys()],
    columns: [...headerByColumn.keys()],
    about: nameWords(nameTexts, language),
    described: nameWords(`${nameTexts} ${lastSentence(before)}`, language),
    scale: { text: scaleText, factor: factorOf(scaleText) },
    amount: (line, column) => {
      const row = rowByLine.get(line)
      const value = row && amounts.get(row)?.get(headerByColumn.get(column) ?? '')
      return row && value && { ...value, row }
    },
  }

  function lineOf(formattedAmount: string, above: ReadonlySet<string>): NamedLine {
    const text = formattedAmount.replace(FOOTNOTE, '').replace(PREFIX, '').trim()
    const [year, ...others] = new Set(yearsIn(text))
    return {
      label: text,
      words: nameWords(text, language),
      sequence: stemSequence(text.replace(/\([^()]*\)/g, ' '), language),
      section: above,
      year: others.length === 0 ? year : undefined,
    }
  }
}

/** The last sentence of a text. Directly above a table it describes the table. */
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

const transposed = (grid: Grid): Grid => ({
  ...grid,
  rows: grid.columns,
  columns: grid.rows,
  amount: (row, column) => grid.amount(column, row),
})

// This share of a name's words may be missing in the question.
const MAX_UNNAMED_SHARE = 0.5

/** The line that the words name. It has the most of them; of several such lines, it has no other words. */
function namedLine(lines: readonly NamedLine[], question: QuestionWords): NamedLine | undefined {
  const { text, required, optional } = question
  const score = ({ words, section }: NamedLine): number =>
    sharedCount(required, words) * 100 +
    sharedCount(without(required, words), section) * 10 +
    sharedCount(optional, words)
  const unnamedCount = ({ words }: NamedLine): number => without(words, required, optional).size
  const highestScore = Math.max(...lines.map(score))
  const bestLines = lines.filter(
    (line) =>
      score(line) === highestScore &&
      sharedCount(union(required, optional), line.words) > 0 &&
      !isInterrupted(line, question),
  )
  const exact = bestLines.filter((line) => unnamedCount(line) === 0)
  // Function words such as "from" and "to" may distinguish rows, so a verbatim name comes first.
  const verbatim = exact.filter(({ label }) => text.includes(normalised(label)))
  const [one, ...others] = verbatim.length > 0 ? verbatim : exact.length > 0 ? exact : bestLines
  return one && others.length === 0 && unnamedCount(one) <= one.words.size * MAX_UNNAMED_SHARE
    ? one
    : undefined
}

/**
 * Whether the name has other words between two that stand together in the question. "Total deferred tax assets" are not "total assets",
 * and "net interest income" is not "net income".
 */
function isInterrupted({ sequence }: NamedLine, { required, optional, pairs }: QuestionWords): boolean {
  const places = sequence.flatMap((word, place) => (required.has(word) || optional.has(word) ? place : []))
  return places.some((place, i) => {
    const next = places[i + 1]
    return next !== undefined && next > place + 1 && pairs.has(`${sequence[place]} ${sequence[next]}`)
  })
}

/** The result of the first calculation that the table allows. Undefined if a word is not placed or other cells may be meant. */
export function readCells(
  table: SourceTable,
  calculations: readonly Calculation[],
  language: Language,
): CellReading | undefined {
  const grid = gridOf(table, table.rows[0]?.passage.language ?? 'en')
  if (!grid) return undefined
  for (const calculation of calculations) {
    const [first, ...others] = [grid, transposed(grid)].flatMap(
      (one) => calculateCells(one, calculation, language) ?? [],
    )
    if (first)
      return others.every(({ results }) => results[0]?.text === first.results[0]?.text) ? first : undefined
  }
  return undefined
}

function calculateCells(grid: Grid, calculation: Calculation, language: Language): CellReading | undefined {
  const { operation, operands, years, said } = calculation
  const operandWords = operands.map((text) => questionWordsOf(text, language))
  const rows = grid.rows.filter((row) => grid.columns.some((column) => grid.amount(row, column)))
  const lines = operandWords.flatMap((side) => namedLine(rows, side) ?? [])
  const [first] = lines
  if (!first || new Set(lines).size < operands.length) return undefined
  // "Total assets" may be a row of its own, whose name begins with "total", or a sum of rows.
  if (operation === 'value' && said && !normalised(first.label).startsWith(normalised(said))) return undefined
  // Without a year, a row whose name has further words may be one of several that are meant.
  if (
    operation === 'value' &&
    years.length === 0 &&
    without(first.words, ...operandWords.flatMap(({ required, optional }) => [required, optional])).size > 0
  )
    return undefined
  const all = union(
    ...operandWords.map(({ required }) => required),
    questionWordsOf(calculation.shared, language).required,
  )
  const columnWords = without(all, ...lines.flatMap(({ words, section }) => [words, section]))
  const columns = columnsOf(grid, first, calculation, {
    text: '',
    required: columnWords,
    optional: NO_WORDS,
    pairs: NO_WORDS,
  })
  if (!columns) return undefined
  // A word must be in the names of all columns that are used.
  const unplacedWords = new Set(
    [...columnWords].filter((word) => !columns.every(({ words }) => words.has(word))),
  )
  if (without(unplacedWords, operation === 'value' ? grid.about : grid.described).size > 0) return undefined
  const cells = lines.flatMap((line) => columns.flatMap((column) => grid.amount(line, column) ?? []))
  if (cells.length < lines.length * columns.length) return undefined
  const result = resultOf(calculation, cells, { columns, language, factor: grid.scale.factor })
  if (!result) return undefined
  const { unit, ...formattedAmount } = result
  const ownScale = columns.map(({ label }) => /\(in [^()]+\)/u.exec(label)?.[0]).find(Boolean)
  return {
    ...formattedAmount,
    subject: [lines.map(({ label }) => label), columns.map(({ label, year }) => year ?? label)]
      .map((names) => names.join(', '))
      .join('; '),
    scale: unit === '%' || ownScale || unit === 'none' ? '' : grid.scale.text,
    rows: [...new Set(cells.map(({ row }) => row))],
    fit: (all.size === 0 ? 1 : 1 - unplacedWords.size / all.size) + (years.length > 0 ? 1 : 0),
  }
}

/** The columns that are meant: those of the years, or the one that the words name. For a calculation they are ordered by year. */
function columnsOf(
  grid: Grid,
  row: NamedLine,
  { operation, operands, years, yearCount, isSpan }: Calculation,
  words: QuestionWords,
): NamedLine[] | undefined {
  const filledColumns = grid.columns.filter((column) => grid.amount(row, column))
  const yearsOfTable = [...new Set(filledColumns.flatMap(({ year }) => year ?? []))].sort((a, b) => a - b)
  if (yearCount !== undefined && yearCount !== yearsOfTable.length) return undefined
  const [from = 0, to = 0] = years.toSorted((a, b) => a - b)
  const needsTwo = operation === 'difference' || operation === 'change'
  const takesMany = operation === 'mean' || operation === 'sum'
  let askedYears = operation === 'value' ? years : years.toSorted((a, b) => a - b)
  if (operands.length === 1) {
    const takesAllYears = operation === 'years' || operation === 'count of years' || operation === 'mean'
    if (years.length === 0 && (takesAllYears || (needsTwo && yearsOfTable.length === 2)))
      askedYears = yearsOfTable
    // The change in a year is the change from the previous year.
    if (needsTwo && years.length === 1) askedYears = [from - 1, from]
    const isYearSpan = isSpan && years.length === 2 && years.every((year) => yearsOfTable.includes(year))
    if (isYearSpan && (takesMany || operation === 'value'))
      askedYears = yearsOfTable.filter((year) => year >= from && year <= to)
    if (operation !== 'value' && askedYears.length < 2) return undefined
    if (needsTwo && askedYears.length > 2) return undefined
  } else if (askedYears.length > 1) return undefined
  if (askedYears.length === 0) {
    const [only, ...others] = filledColumns
    const total = filledColumns.filter(({ label }) => TOTAL_COLUMN.test(label))
    const one =
      others.length === 0
        ? only
        : operation === 'value'
          ? undefined
          : (namedLine(filledColumns, words) ?? (total.length === 1 ? total[0] : undefined))
    return one && [one]
  }
  const columns = askedYears.flatMap((year) => {
    const columnsOfYear = filledColumns.filter((column) => column.year === year)
    return (columnsOfYear.length > 1 ? namedLine(columnsOfYear, words) : columnsOfYear[0]) ?? []
  })
  return columns.length === askedYears.length ? columns : undefined
}

interface Context {
  columns: readonly NamedLine[]
  language: Language
  /** The factor of the table's scale. */
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
  const write = (amount: Decimal, of = unit): string => formattedAmount(amount, of, language)
  const formulaTerms = amounts.map((amount) => {
    const text = write(amount, unit === '%' ? unit : '')
    return amount.isNegative() ? `(${text})` : text
  })
  const singleResult = (amount: Decimal, formula: string, of = unit) => ({
    results: [{ text: write(amount, of) }],
    formula,
    unit: of,
  })
  const yearOf = (i: number): { of?: number } => {
    const year = columns[i]?.year
    return year === undefined ? {} : { of: year }
  }
  const eachResult: CellResult[] = cells.map(({ text }, i) => ({ ...yearOf(i), text: asWritten(text, unit) }))
  const sum = amounts.reduce((all, one) => all.plus(one), new Decimal(0))
  const mean = round(sum.div(amounts.length))
  const sumFormula = formulaTerms.join(' + ')
  const [a, b] = amounts
  if (!a) return undefined
  if (operation === 'years' || operation === 'count of years') {
    const isYearChosen = bound && yearsWithin(amounts, bound, factor)
    if (!isYearChosen) return undefined
    const labels = columns.filter((_, i) => isYearChosen[i]).map(({ year }) => String(year))
    const formula = eachResult.map(({ of, text }) => `${of}: ${text}`).join(', ')
    if (operation === 'years' && labels.length === 0) return undefined
    const text = operation === 'years' ? labels.join(', ') : String(labels.length)
    return { results: [{ text }], formula, unit }
  }
  if (operation === 'value') {
    if (eachResult.length === 1)
      return { results: eachResult.map(({ text }) => ({ text })), formula: '', unit }
    const total: CellResult[] = isOfEach || unit === '%' ? [] : [{ of: 'sum', text: write(sum) }]
    return { results: [...eachResult, ...total], formula: '', unit }
  }
  if (operation === 'mean' && said)
    return { results: [...eachResult, { of: 'mean', text: write(mean) }], formula: '', unit }
  if (operation === 'mean') return singleResult(mean, `(${sumFormula}) / ${amounts.length}`)
  if (operation === 'sum') return singleResult(sum, sumFormula)
  if (!b) return undefined
  // Years are compared from the earlier to the later one. Of two names the first is compared with the second.
  const comparesYears = operands.length === 1
  const [from, to] = comparesYears ? [a, b] : [b, a]
  const [fromText, toText] = comparesYears ? formulaTerms : [formulaTerms[1], formulaTerms[0]]
  // The difference of percentages is in points, and so is their change.
  if (unit === '%' && (operation === 'difference' || operation === 'change'))
    return {
      results: [{ text: write(to.minus(from), ''), isInPoints: true }],
      formula: `${toText} − ${fromText}`,
      unit,
    }
  if (operation === 'difference') return singleResult(to.minus(from), `${toText} − ${fromText}`)
  if (from.isZero() || (operation === 'change' && from.isNegative())) return undefined
  const quotient = to.div(from)
  if (operation === 'ratio') return singleResult(round(quotient), `${toText} / ${fromText}`, '')
  return operation === 'share'
    ? singleResult(round(quotient.times(100)), `${toText} / ${fromText}`, '%')
    : singleResult(round(quotient.minus(1).times(100)), `(${toText} − ${fromText}) / ${fromText}`, '%')
}

/** For each amount whether it is the single extreme or within the bound. Undefined if that is not certain. */
function yearsWithin(
  amounts: readonly Decimal[],
  bound: 'most' | 'least' | Bound,
  factor: number,
): boolean[] | undefined {
  if (typeof bound === 'string') {
    const extreme = bound === 'most' ? Decimal.max(...amounts) : Decimal.min(...amounts)
    const isExtreme = amounts.map((amount) => amount.eq(extreme))
    return isExtreme.filter(Boolean).length === 1 ? isExtreme : undefined
  }
  const { is, amount, said } = bound
  const meetsBound = (by: number): boolean[] =>
    amounts.map((one) => compares(one.times(by).cmp(amount.amount), is))
  // The bound may be in the scale of the table or not. All readings must select the same years.
  const saidFactor = factorOf(SAID_SCALE.exec(said)?.[0] ?? '')
  const [first = [], ...others] =
    saidFactor > 1 && factor > 1
      ? [meetsBound(factor)]
      : [meetsBound(1), meetsBound(factor), meetsBound(saidFactor)]
  return others.every((other) => other.every((one, i) => one === first[i])) ? first : undefined
}

const SAID_SCALE = /(?<=\d\s?)(?:thousand|million|billion|tausend|mio|mille|miles|millones)/iu

const compares = (order: number, is: Comparison): boolean =>
  is === 'more' ? order > 0 : is === 'at_least' ? order >= 0 : is === 'less' ? order < 0 : order <= 0

const round = (amount: Decimal): Decimal =>
  amount.abs().lt(1) ? amount.toSignificantDigits(2) : amount.toDecimalPlaces(2)

function formattedAmount(amount: Decimal, unit: string, language: Language): string {
  const text = new Intl.NumberFormat(language === 'xx' ? 'en' : language, {
    maximumFractionDigits: 20,
  }).format(amount.toFixed() as Intl.StringNumericLiteral)
  if (/^[$£¥]$/.test(unit)) return text.replace(/^-?/, `$&${unit}`)
  return unit ? `${text} ${unit}` : text
}

const asWritten = (text: string, unit: string): string =>
  /[\d)]$/.test(text) && unit === '%' ? `${text} %` : text
