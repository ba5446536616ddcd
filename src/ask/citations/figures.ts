// Whether the figures that an answer states occur in its sources. Figures are compared by their digits alone: 41,200,
// 41.200 and 41 200 (with a no-break space) are the same, and 1.2 million is a truncation of 1,234,567. Pure.

// A single digit is a count ("two of 5"), a list number or part of a name and proves nothing.
const MIN_DIGITS = 2
const FIGURE = /\d(?:[\d.,'’\u00a0\u202f]*\d)?/g
// A date may be written differently in the document: only its year is compared.
const DATE = /\b(?:(\d{4})-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./](\d{4}))\b/g

/** The significant digits of a text's figures: no separators, no zeros at the ends. */
const digitsOf = (text: string, minDigits: number): string[] =>
  (text.replace(DATE, '$1$2').match(FIGURE) ?? [])
    .map((figure) => figure.replace(/\D/g, ''))
    .filter((digits) => digits.length >= minDigits)
    .map((digits) => digits.replace(/^0+|0+$/g, ''))

const figuresOf = (text: string): string[] => digitsOf(text, MIN_DIGITS)

/** Whether a statement gives a calculated result, which may be a single digit. */
export function statesResult(statement: string, result: string): boolean {
  const statedDigits = digitsOf(statement, 1)
  return digitsOf(result, 1).some((figure) => figure !== '' && statedDigits.includes(figure))
}

/** Returns a function that says whether every figure of a statement occurs in one of the texts. */
export function figureChecker(texts: readonly string[]): (statement: string) => boolean {
  const sourceFigures = new Set(texts.flatMap(figuresOf))
  const isTruncation = (figure: string): boolean =>
    figure.length >= MIN_DIGITS && [...sourceFigures].some((other) => other.startsWith(figure))
  return (statement) =>
    figuresOf(statement).every((figure) => sourceFigures.has(figure) || isTruncation(figure))
}
