// Reads ranges that a cell states in words or signs: "up to 5 kg", "6–12", "over 10 to 20", "18+". Pure.

export interface Range {
  /** -Infinity if the range has no lower end. */
  from: number
  /** Infinity if the range has no upper end. */
  to: number
  /** Whether the end itself is not in the range: "over 5", "under 18". */
  isFromOutside: boolean
  isToOutside: boolean
  /** As written, such as `kg`. Empty for none. */
  unit: string
}

const MAX_RANGE_LENGTH = 40
// Matches "1 February 2024" and "01.02.2024". A cell with a date is not a range of numbers.
const DATE = /\d{1,2}\.?\s+\p{L}{3,}\.?\s+(?:19|20)\d\d|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/u
const beforeNumber = (words: string): RegExp => new RegExp(`(?:^|[^\\p{L}])(?:${words})[^\\p{L}\\d]*$`, 'iu')
// The words before a number. English, German, French, Spanish, Italian, Dutch.
const UP_TO = beforeNumber(
  "up to|at most|max(?:imum|imal)?\\.?|no more than|≤|bis(?: zu| einschließlich)?|höchstens|jusqu[’']?(?:à|au)|au plus|hasta|como máximo|fino a|tot",
)
const BELOW = beforeNumber(
  'under|below|(?:less|fewer) than|<|unter|weniger als|moins de|menos de|meno di|minder dan',
)
const FROM = beforeNumber(
  'from|at least|min(?:imum)?\\.?|≥|ab|von|mindestens|à partir de|au moins|de|desde|a partir de|al menos|como mínimo|da|vanaf',
)
const ABOVE = beforeNumber('over|above|more than|>|über|mehr als|plus de|más de|oltre|meer dan')
// Matches the text after a number without an upper end: " and more", " years or over", "+".
const AND_MORE =
  /^\s*(?:\p{L}+\s+)?(?:(?:and|or) (?:more|over|above)|und (?:mehr|darüber)|et plus|y más)|^\s*\+/iu
// Matches the text between the two numbers of a range: " to ", "–", " kg bis ".
const BETWEEN =
  /^[^\p{L}\d]*(?:\p{L}{1,3}[^\p{L}\d]+)?(?:[-–—]|to|up to|bis(?: zu)?|à|a|al|hasta|and|und|et|y|jusqu[’']?(?:à|au)|tot)[^\p{L}\d]*$/iu
const UNIT = /^\s*(\p{L}{1,12}|[%€$£])/u

/** The range that the cell states. Undefined for a bare number, a date or a sentence. */
export function readRange(cell: string, decimal: '.' | ',' = '.'): Range | undefined {
  const text = cell.replaceAll(decimal === '.' ? /,(?=\d{3})/g : /\.(?=\d{3})/g, '')
  if (text.length > MAX_RANGE_LENGTH || DATE.test(text)) return undefined
  const numbers = [...text.matchAll(/\d+(?:[.,]\d+)?/g)].map(({ 0: digits, index }) => ({
    amount: Number(digits.replace(',', '.')),
    start: index,
    end: index + digits.length,
  }))
  const [a, b] = numbers
  if (!a || numbers.length > 2) return undefined
  const before = text.slice(0, a.start)
  const unit = UNIT.exec(text.slice((b ?? a).end))?.[1] ?? ''
  const unlimited = {
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
    isFromOutside: false,
    isToOutside: false,
  }
  if (b) {
    const middle = text.slice(a.end, b.start)
    const isRange = BETWEEN.test(middle) || ABOVE.test(before)
    const isToOutside = BELOW.test(middle)
    if ((!isRange && !isToOutside) || a.amount > b.amount) return undefined
    return { from: a.amount, to: b.amount, isFromOutside: ABOVE.test(before), isToOutside, unit }
  }
  const after = text.slice(a.end)
  if (AND_MORE.test(after))
    return { ...unlimited, from: a.amount, unit: after.trim().startsWith('+') ? '' : unitOf(after) }
  if (ABOVE.test(before)) return { ...unlimited, from: a.amount, isFromOutside: true, unit }
  if (BELOW.test(before)) return { ...unlimited, to: a.amount, isToOutside: true, unit }
  if (UP_TO.test(before)) return { ...unlimited, to: a.amount, unit }
  return FROM.test(before) ? { ...unlimited, from: a.amount, unit } : undefined
}

const unitOf = (after: string): string => {
  const unit = UNIT.exec(after)?.[1] ?? ''
  return /^(?:and|or|und|et|y)$/i.test(unit) ? '' : unit
}

export const isWithin = ({ from, to, isFromOutside, isToOutside }: Range, amount: number): boolean =>
  (isFromOutside ? amount > from : amount >= from) && (isToOutside ? amount < to : amount <= to)
