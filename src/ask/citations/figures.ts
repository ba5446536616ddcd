// Figures that an answer states: whether anything it could be from says them. Compared by their digits, whatever parts
// thousands and decimals, so that 41,200, 41.200 and 41 200 are one, and 1.2 million is 1,234,567 cut short. Pure.

// One digit counts ("two of 5"), numbers lists, or stands in names: it tells nothing.
const LEAST_DIGITS = 2
const FIGURE = /\d(?:[\d.,'’\u00a0\u202f]*\d)?/g
// A date may be written another way than the document writes it: its year counts.
const DATE = /\b(?:(\d{4})-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./](\d{4}))\b/g

/** The figures of a text, by the digits that count: no signs, no zeros at the ends. */
const digitsOf = (text: string, least: number): string[] =>
  (text.replace(DATE, '$1$2').match(FIGURE) ?? [])
    .map((figure) => figure.replace(/\D/g, ''))
    .filter((digits) => digits.length >= least)
    .map((digits) => digits.replace(/^0+|0+$/g, ''))

const figuresOf = (text: string): string[] => digitsOf(text, LEAST_DIGITS)

/** Whether a statement says a result that was calculated; of a result one digit counts as well. */
export function saysResult(statement: string, result: string): boolean {
  const said = digitsOf(statement, 1)
  return digitsOf(result, 1).some((figure) => figure !== '' && said.includes(figure))
}

/** Tells whether every figure of a statement stands in one of the texts. */
export function figureCheck(texts: readonly string[]): (statement: string) => boolean {
  const known = new Set(texts.flatMap(figuresOf))
  const isCutShort = (figure: string): boolean =>
    figure.length >= LEAST_DIGITS && [...known].some((other) => other.startsWith(figure))
  return (statement) => figuresOf(statement).every((figure) => known.has(figure) || isCutShort(figure))
}
