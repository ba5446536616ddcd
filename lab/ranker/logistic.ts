// Logistic regression, twice: of single items, and of the right ones among the items of a question. Pure.

export const dot = (a: readonly number[], b: readonly number[]): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

export interface Choice {
  items: readonly { x: readonly number[]; isRight: boolean }[]
  weight: number
}

const ROUNDS = 150
const RATE = 0.1
const RIDGE = 0.005

/** The weights by which the right items of each question are the likeliest among all of it (conditional logit, by Adam). */
export function fitChoices(choices: readonly Choice[], size: number): number[] {
  const used = choices.filter(
    ({ items }) => items.some(({ isRight }) => isRight) && items.some(({ isRight }) => !isRight),
  )
  const all = used.reduce((sum, { weight }) => sum + weight, 0)
  let weights = new Array<number>(size).fill(0)
  const [mean, square] = [new Array<number>(size).fill(0), new Array<number>(size).fill(0)]
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = weights.map((weight) => -RIDGE * weight)
    for (const { items, weight } of used) addSlope(slope, items, weights, weight / all)
    weights = weights.map((value, k) => {
      const own = slope[k] ?? 0
      mean[k] = 0.9 * (mean[k] ?? 0) + 0.1 * own
      square[k] = 0.999 * (square[k] ?? 0) + 0.001 * own * own
      const step = (mean[k] ?? 0) / (1 - 0.9 ** round)
      return value + (RATE * step) / (Math.sqrt((square[k] ?? 0) / (1 - 0.999 ** round)) + 1e-8)
    })
  }
  return weights
}

function addSlope(slope: number[], items: Choice['items'], weights: readonly number[], share: number): void {
  const scores = items.map(({ x }) => dot(weights, x))
  const top = Math.max(...scores)
  const likely = scores.map((score) => Math.exp(score - top))
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
  const [all, right] = [sum(likely), sum(likely.filter((_, i) => items[i]?.isRight))]
  for (const [i, { x, isRight }] of items.entries()) {
    const own = likely[i] ?? 0
    const pull = share * ((isRight ? own / right : 0) - own / all)
    if (Math.abs(pull) > 1e-8)
      for (let k = 0; k < slope.length; k++) slope[k] = (slope[k] ?? 0) + pull * (x[k] ?? 0)
  }
}

export interface Item {
  x: readonly number[]
  isRight: boolean
  weight: number
}

const STEPS = 30
const LOGISTIC_RIDGE = 2

/** The weights of the columns and the constant, by Newton's method over standardised columns. */
export function fitLogistic(items: readonly Item[]): number[] {
  const size = items[0]?.x.length ?? 0
  const columns = Array.from({ length: size }, (_, k) => {
    const values = items.map(({ x }) => x[k] ?? 0)
    const mean = values.reduce((a, b) => a + b, 0) / values.length
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
    return { mean, spread: spread || 1 }
  })
  const rows = items.map(({ x }) => [
    ...columns.map(({ mean, spread }, k) => ((x[k] ?? 0) - mean) / spread),
    1,
  ])
  let weights = new Array<number>(size + 1).fill(0)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, k) => (k < size ? -LOGISTIC_RIDGE * weight : 0))
    const bend: number[][] = weights.map((_, k) =>
      weights.map((__, j) => (k === j ? (k < size ? LOGISTIC_RIDGE : 1e-9) : 0)),
    )
    for (const [i, { isRight, weight }] of items.entries()) {
      const row = rows[i] ?? []
      const p = 1 / (1 + Math.exp(-dot(weights, row)))
      for (let k = 0; k <= size; k++) {
        slope[k] = (slope[k] ?? 0) + weight * (Number(isRight) - p) * (row[k] ?? 0)
        const line = bend[k] ?? []
        for (let j = 0; j <= size; j++)
          line[j] = (line[j] ?? 0) + weight * p * (1 - p) * (row[k] ?? 0) * (row[j] ?? 0)
      }
    }
    const change = solved(bend, slope)
    weights = weights.map((value, k) => value + (change[k] ?? 0))
  }
  const plain = columns.map(({ spread }, k) => (weights[k] ?? 0) / spread)
  return [
    ...plain,
    (weights[size] ?? 0) -
      dot(
        plain,
        columns.map(({ mean }) => mean),
      ),
  ]
}

/** Gauss and Jordan, with the largest pivot. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0])
  const size = right.length
  for (let i = 0; i < size; i++) {
    const [pivot] = rows
      .map((row, r) => ({ r, value: Math.abs(row[i] ?? 0) }))
      .filter(({ r }) => r >= i)
      .sort((a, b) => b.value - a.value)
    const from = pivot?.r ?? i
    const [a, b] = [rows[i] ?? [], rows[from] ?? []]
    rows[i] = b
    rows[from] = a
    for (const [r, row] of rows.entries()) {
      if (r === i) continue
      const factor = (row[i] ?? 0) / (b[i] ?? 1)
      for (let c = i; c <= size; c++) row[c] = (row[c] ?? 0) - factor * (b[c] ?? 0)
    }
  }
  return rows.map((row, i) => (row[size] ?? 0) / (row[i] ?? 1))
}

/** The probability that a right one has a higher score than a wrong one. */
export function areaUnderCurve(scored: readonly { score: number; isRight: boolean }[]): number {
  const sorted = [...scored].sort((a, b) => a.score - b.score)
  const right = sorted.filter(({ isRight }) => isRight).length
  let [wrong, sum] = [0, 0]
  for (const { isRight } of sorted) {
    if (isRight) sum += wrong
    else wrong++
  }
  return right && wrong ? sum / (right * wrong) : Number.NaN
}
