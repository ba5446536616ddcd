// Whether the figures that an answer states occur in its sources. Figures are compared only by their digits: 41,200, 41.200 and 41
// 200 (with a no-break space) are equal, and 1.2 million is a truncation of 1,234,567. Pure.

// A single digit is not checked: it may be a count ("two of 5"), a list number or a part of a name.
const MIN_DIGITS = 2
const FIGURE = /\d(?:[\d.,'’\u00a0\u202f]*\d)?/g
// Of a date only the year is compared, because the document may write the date in another way.
const DATE = /\b(?:(\d{4})-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./](\d{4}))\b/g

/** The significant digits of the figures in a text, without separators and without zeros at both ends. */
const digitsOf = (text: string, minDigits: number): string[] =>
  (text.replace(DATE, '$1$2').match(FIGURE) ?? [])
    .map((figure) => figure.replace(/\D/g, ''))
    .filter((digits) => digits.length >= minDigits)
    .map((digits) => digits.replace(/^0+|0+$/g, ''))

const figuresOf = (text: string): string[] => digitsOf(text, MIN_DIGITS)

/** Whether a statement contains a calculated result, which may be a single digit. */
export function statesResult(statement: string, result: string): boolean {
  const statedDigits = digitsOf(statement, 1)
  return digitsOf(result, 1).some((figure) => figure !== '' && statedDigits.includes(figure))
}

/** Returns a function that checks whether every figure of a statement occurs in one of the texts. */
export function figureChecker(texts: readonly string[]): (statement: string) => boolean {
  const sourceFigures = new Set(texts.flatMap(figuresOf))
  const isTruncation = (figure: string): boolean =>
    figure.length >= MIN_DIGITS && [...sourceFigures].some((other) => other.startsWith(figure))
  return (statement) =>
    figuresOf(statement).every((figure) => sourceFigures.has(figure) || isTruncation(figure))
}
