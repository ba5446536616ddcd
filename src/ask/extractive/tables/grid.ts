// Reads a table as a grid of amounts, each with the names of its row and its column, and calculates with the amounts that a
// question names. Every word of the question must name a row, the section of a row, a column, or the subject of the table. Pure.

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
  /** As the cell writes it. */
  text: string
  row: PassageRow
}

/** A row or a column with the words of its name. */
interface NamedLine {
  label: string
  words: ReadonlySet<string>
  /** The words in their order, without those in parentheses. */
  sequence: readonly string[]
  /** The words of the heading row above it. */
  section: ReadonlySet<string>
  year: number | undefined
}

interface Grid {
  rows: NamedLine[]
  columns: NamedLine[]
  amount(row: NamedLine, column: NamedLine): Amount | undefined
  /** The words of the table's title, heading and file name, and of the header above the row names. */
  about: ReadonlySet<string>
  /** The words of `about` and of the sentence above the table. */
  described: ReadonlySet<string>
  /** The scale as the table states it, such as "in thousands", and its factor. */
  scale: { text: string; factor: number }
}

export interface CellResult {
  /** The year of the result, or `sum` or `mean` for a result of all years. */
  of?: number | 'sum' | 'mean'
  text: string
  /** Whether the result is the difference of two percentages. */
  isInPoints?: true
}

export interface CellReading {
  results: CellResult[]
  formula: string
  /** The names of the rows, then those of the columns. */
  subject: string
  scale: string
  rows: PassageRow[]
  /** The share of the question's words that rows and columns contain, 0 to 1. It is 1 higher if the question names years. */
  fit: number
}

// Matches " (1)" and " (a)" in the names of rows and columns.
const FOOTNOTE = /\s*\((?:\d{1,2}|\p{Ll})\)(?!\p{L})/gu
// The beginning of a row name that shows whether the row is added or subtracted: "Less: ", "plus: ".
const SIGN_WORD = /^(?:less|add|plus|minus|abzüglich|zuzüglich|moins|menos|más)\s*:\s*/iu
const WORD = /[\p{L}\p{N}]+/gu
// Function words that distinguish rows from each other, as in "before tax" and "after tax".
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

interface QuestionWords {
  /** The folded words of the question, with a space before, between and after them. */
  text: string
  /** The stems of the words that the table must contain. */
  required: ReadonlySet<string>
  /** The stems of the words that names of rows and columns may contain, such as "year". */
  optional: ReadonlySet<string>
  /** The stems of each two words that only a space separates: "total asset". */
  pairs: ReadonlySet<string>
}

function pairsIn(text: string, language: Language): Set<string> {
  const matches = [...text.matchAll(WORD)]
  return new Set(
    matches.flatMap(({ 0: word, index }, i) => {
      const next = matches[i + 1]
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

/** The folded words of a text, with a space before, between and after them. */
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
// Matches the spaces in "$ (20.0)" and "(265 )".
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

  function lineOf(name: string, sectionWords: ReadonlySet<string>): NamedLine {
    const text = name.replace(FOOTNOTE, '').replace(SIGN_WORD, '').trim()
    const [year, ...others] = new Set(yearsIn(text))
    return {
      label: text,
      words: nameWords(text, language),
      sequence: stemSequence(text.replace(/\([^()]*\)/g, ' '), language),
      section: sectionWords,
      year: others.length === 0 ? year : undefined,
    }
  }
}

/** The last sentence of a text. Directly above a table, it usually describes the table. */
const lastSentence = (text: string): string =>
  text
    .trim()
    .split(/\n|(?<=[.!?:])\s/u)
    .at(-1) ?? ''

/** The factor of a scale such as "in thousands". 1 for an empty text. */
const factorOf = (scale: string): number =>
  /billion|milliard|mrd|bn/iu.test(scale)
    ? 1e9
    : /milli?on|mio|mm|(?<![\p{L}])m(?![\p{L}])/iu.test(scale)
      ? 1e6
      : scale
        ? 1e3
        : 1

const transpose = (grid: Grid): Grid => ({
  ...grid,
  rows: grid.columns,
  columns: grid.rows,
  amount: (row, column) => grid.amount(column, row),
})

// The share of a name's words that may be missing in the question.
const MAX_UNNAMED_SHARE = 0.5

/**
 * The line that the question names: the one with most of its words. Of several such lines, one whose name has no other words.
 * Undefined if that is not a single line.
 */
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
  const exactLines = bestLines.filter((line) => unnamedCount(line) === 0)
  // Function words such as "from" and "to" may distinguish rows, so a name that is in the question verbatim is preferred.
  const verbatimLines = exactLines.filter(({ label }) => text.includes(normalised(label)))
  const [line, ...others] =
    [verbatimLines, exactLines, bestLines].find((candidates) => candidates.length > 0) ?? []
  return line && others.length === 0 && unnamedCount(line) <= line.words.size * MAX_UNNAMED_SHARE
    ? line
    : undefined
}

/**
 * Whether the name has other words between two words that are adjacent in the question. "Total deferred tax assets" are not "total
 * assets", and "net interest income" is not "net income".
 */
function isInterrupted({ sequence }: NamedLine, { required, optional, pairs }: QuestionWords): boolean {
  const indexes = sequence.flatMap((word, index) => (required.has(word) || optional.has(word) ? index : []))
  return indexes.some((index, i) => {
    const next = indexes[i + 1]
    return next !== undefined && next > index + 1 && pairs.has(`${sequence[index]} ${sequence[next]}`)
  })
}

/** The result of the first possible calculation with the table. Undefined if a word has no role or if other cells may be meant. */
export function readCells(
  table: SourceTable,
  calculations: readonly Calculation[],
  language: Language,
): CellReading | undefined {
  const grid = gridOf(table, table.rows[0]?.passage.language ?? 'en')
  if (!grid) return undefined
  for (const calculation of calculations) {
    const [first, ...others] = [grid, transpose(grid)].flatMap(
      (orientation) => calculateCells(orientation, calculation, language) ?? [],
    )
    if (first)
      return others.every(({ results }) => results[0]?.text === first.results[0]?.text) ? first : undefined
  }
  return undefined
}

function calculateCells(grid: Grid, calculation: Calculation, language: Language): CellReading | undefined {
  const { operation, operands, years, operationWords } = calculation
  const operandWords = operands.map((text) => questionWordsOf(text, language))
  const rows = grid.rows.filter((row) => grid.columns.some((column) => grid.amount(row, column)))
  const lines = operandWords.flatMap((words) => namedLine(rows, words) ?? [])
  const [first] = lines
  if (!first || new Set(lines).size < operands.length) return undefined
  // "Total assets" may be a row whose name begins with "total", or a sum of rows. As a value it must be such a row.
  if (
    operation === 'value' &&
    operationWords &&
    !normalised(first.label).startsWith(normalised(operationWords))
  )
    return undefined
  // Without a year, a row whose name has further words is not certain, because other rows may fit as well.
  if (
    operation === 'value' &&
    years.length === 0 &&
    without(first.words, ...operandWords.flatMap(({ required, optional }) => [required, optional])).size > 0
  )
    return undefined
  const requiredWords = union(
    ...operandWords.map(({ required }) => required),
    questionWordsOf(calculation.shared, language).required,
  )
  const columnWords = without(requiredWords, ...lines.flatMap(({ words, section }) => [words, section]))
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
  const { unit, ...resultFields } = result
  const ownScale = columns.map(({ label }) => /\(in [^()]+\)/u.exec(label)?.[0]).find(Boolean)
  return {
    ...resultFields,
    subject: [lines.map(({ label }) => label), columns.map(({ label, year }) => year ?? label)]
      .map((names) => names.join(', '))
      .join('; '),
    scale: unit === '%' || ownScale || unit === 'none' ? '' : grid.scale.text,
    rows: [...new Set(cells.map(({ row }) => row))],
    fit:
      (requiredWords.size === 0 ? 1 : 1 - unplacedWords.size / requiredWords.size) +
      (years.length > 0 ? 1 : 0),
  }
}

/** The columns of the calculation: those of the years, or the one that the words name. If years are compared, they are in order. */
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
    const [firstColumn, ...others] = filledColumns
    const totals = filledColumns.filter(({ label }) => TOTAL_COLUMN.test(label))
    const column =
      others.length === 0
        ? firstColumn
        : operation === 'value'
          ? undefined
          : (namedLine(filledColumns, words) ?? (totals.length === 1 ? totals[0] : undefined))
    return column && [column]
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
  { operation, operands, isOfEach, operationWords, bound }: Calculation,
  cells: readonly Amount[],
  { columns, language, factor }: Context,
): { results: CellResult[]; formula: string; unit: string } | undefined {
  const units = cells.map(({ unit }) => unit).filter(Boolean)
  const [unit = ''] = units
  const isOneUnit = units.every((other) => isSameUnit(other, unit))
  if (!isOneUnit || (unit === '%' && cells.some((cell) => cell.unit !== '%' && !cell.amount.isZero())))
    return undefined
  const amounts = cells.map(({ amount }) => amount)
  const format = (amount: Decimal, unitOfResult = unit): string =>
    formatAmount(amount, unitOfResult, language)
  const formulaTerms = amounts.map((amount) => {
    const text = format(amount, unit === '%' ? unit : '')
    return amount.isNegative() ? `(${text})` : text
  })
  const singleResult = (amount: Decimal, formula: string, unitOfResult = unit) => ({
    results: [{ text: format(amount, unitOfResult) }],
    formula,
    unit: unitOfResult,
  })
  const yearOf = (i: number): { of?: number } => {
    const year = columns[i]?.year
    return year === undefined ? {} : { of: year }
  }
  const resultOfEach: CellResult[] = cells.map(({ text }, i) => ({
    ...yearOf(i),
    text: withPercentSign(text, unit),
  }))
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Decimal(0))
  const mean = round(sum.div(amounts.length))
  const sumFormula = formulaTerms.join(' + ')
  const [firstAmount, secondAmount] = amounts
  if (!firstAmount) return undefined
  if (operation === 'years' || operation === 'count of years') {
    const meetsBound = bound && yearsWithin(amounts, bound, factor)
    if (!meetsBound) return undefined
    const labels = columns.filter((_, i) => meetsBound[i]).map(({ year }) => String(year))
    const formula = resultOfEach.map(({ of, text }) => `${of}: ${text}`).join(', ')
    if (operation === 'years' && labels.length === 0) return undefined
    const text = operation === 'years' ? labels.join(', ') : String(labels.length)
    return { results: [{ text }], formula, unit }
  }
  if (operation === 'value') {
    if (resultOfEach.length === 1)
      return { results: resultOfEach.map(({ text }) => ({ text })), formula: '', unit }
    const total: CellResult[] = isOfEach || unit === '%' ? [] : [{ of: 'sum', text: format(sum) }]
    return { results: [...resultOfEach, ...total], formula: '', unit }
  }
  if (operation === 'mean' && operationWords)
    return { results: [...resultOfEach, { of: 'mean', text: format(mean) }], formula: '', unit }
  if (operation === 'mean') return singleResult(mean, `(${sumFormula}) / ${amounts.length}`)
  if (operation === 'sum') return singleResult(sum, sumFormula)
  if (!secondAmount) return undefined
  // With one operand the later year is compared with the earlier one. With two operands the first is compared with the second.
  const comparesYears = operands.length === 1
  const [from, to] = comparesYears ? [firstAmount, secondAmount] : [secondAmount, firstAmount]
  const [fromText, toText] = comparesYears ? formulaTerms : [formulaTerms[1], formulaTerms[0]]
  // The difference and the change of percentages are in percentage points.
  if (unit === '%' && (operation === 'difference' || operation === 'change'))
    return {
      results: [{ text: format(to.minus(from), ''), isInPoints: true }],
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

/** Whether each amount is the single extreme or within the bound. Undefined if that is not certain. */
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
  const { is, amount, matchedText } = bound
  const meetBoundAt = (scale: number): boolean[] =>
    amounts.map((one) => meets(one.times(scale).cmp(amount.amount), is))
  // The bound may be in the scale of the table or not. The same years must meet it in each scale.
  const boundFactor = factorOf(SCALE_OF_BOUND.exec(matchedText)?.[0] ?? '')
  const [first = [], ...others] =
    boundFactor > 1 && factor > 1
      ? [meetBoundAt(factor)]
      : [meetBoundAt(1), meetBoundAt(factor), meetBoundAt(boundFactor)]
  return others.every((other) => other.every((meetsBound, i) => meetsBound === first[i])) ? first : undefined
}

// Matches "million" in "more than 5 million".
const SCALE_OF_BOUND = /(?<=\d\s?)(?:thousand|million|billion|tausend|mio|mille|miles|millones)/iu

/** Whether the order of two numbers (below 0, 0 or above 0) meets a comparison. */
const meets = (order: number, is: Comparison): boolean =>
  is === 'more' ? order > 0 : is === 'at_least' ? order >= 0 : is === 'less' ? order < 0 : order <= 0

const round = (amount: Decimal): Decimal =>
  amount.abs().lt(1) ? amount.toSignificantDigits(2) : amount.toDecimalPlaces(2)

function formatAmount(amount: Decimal, unit: string, language: Language): string {
  const text = new Intl.NumberFormat(language === 'xx' ? 'en' : language, {
    maximumFractionDigits: 20,
  }).format(amount.toFixed() as Intl.StringNumericLiteral)
  if (/^[$£¥]$/.test(unit)) return text.replace(/^-?/, `$&${unit}`)
  return unit ? `${text} ${unit}` : text
}

/** The text of a cell, with the percent sign that only its column has. */
const withPercentSign = (text: string, unit: string): string =>
  /[\d)]$/.test(text) && unit === '%' ? `${text} %` : text
