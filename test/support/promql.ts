// What an expression of PromQL asks for, held against the figures that processes really serve: its syntax, the kinds of its
// parts, its names, its labels and their values. It knows what our dashboard and alerts use, and refuses the rest.

/** Series by their names, as Prometheus has them after a scrape. */
export interface Figures {
  series: Map<string, Record<string, string>[]>
  /** Of each figure, without `_bucket`, `_count` and `_sum`. */
  types: Map<string, string>
  helps: Map<string, string>
}

/** What Prometheus adds to each series, and tells of a scrape by itself. */
const SCRAPED = { job: 'kenning', instance: 'kenning:9464' }

/** Reads texts in Prometheus' text format. */
export function readFigures(...texts: readonly string[]): Figures {
  const figures: Figures = {
    series: new Map([['up', [SCRAPED]]]),
    types: new Map([['up', 'gauge']]),
    helps: new Map(),
  }
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, kind, figure = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind) figures[kind === 'HELP' ? 'helps' : 'types'].set(figure, rest)
    const [, name, labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === undefined) continue
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [
      label,
      value,
    ])
    const known = figures.series.get(name) ?? []
    figures.series.set(name, [...known, { ...SCRAPED, ...Object.fromEntries(pairs) }])
  }
  return figures
}

type Value =
  | { kind: 'scalar' }
  | {
      kind: 'vector' | 'range'
      labels: ReadonlySet<string>
      /** Counts, which only grow; after `rate` they are none any more. */
      counts: boolean
      /** Each process tells the same of all: their sum says nothing. */
      ofAll: boolean
    }
type Vector = Exclude<Value, { kind: 'scalar' }>

const TOKEN =
  /\s*(?:(\d+(?:ms|[smhdwy]))|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*")|([a-zA-Z_]\w*)|(=~|!~|!=|==|>=|<=|[-+*/%<>=(){}[\],]))/y
const OPERATORS = [
  ['and', 'or', 'unless'],
  ['==', '!=', '>', '<', '>=', '<='],
  ['+', '-'],
  ['*', '/', '%'],
]
const AGGREGATIONS = new Set(['sum', 'max', 'min', 'avg', 'count'])

/** The labels of what an expression gives. @throws Error that says what is wrong with it */
export function labelsOf(expression: string, figures: Figures): ReadonlySet<string> {
  const tokens = tokensOf(expression)
  let at = 0
  const wrong = (why: string): never => {
    throw new Error(`${why}, in ${expression}`)
  }
  const take = (): string => tokens[at++] ?? wrong('it ends too early')
  const takes = (token: string): boolean => {
    if (tokens[at] !== token) return false
    at++
    return true
  }
  const expect = (token: string): void => {
    if (!takes(token)) wrong(`${token} is missing before ${tokens[at] ?? 'the end'}`)
  }
  const vector = (value: Value): Vector =>
    value.kind === 'vector' ? value : wrong(`a vector is wanted, not a ${value.kind}`)

  const names = (): string[] => {
    const found: string[] = []
    expect('(')
    while (!takes(')')) {
      found.push(take())
      if (tokens[at] !== ')') expect(',')
    }
    return found
  }

  const selector = (name: string): Value => {
    let chosen = figures.series.get(name) ?? wrong(`there is no ${name}`)
    const [labels = new Set<string>()] = chosen.map((one) => new Set(Object.keys(one)))
    const isChosen = takes('{')
    while (isChosen && !takes('}')) {
      const [label, operator, value] = [take(), take(), String(JSON.parse(take()))]
      if (!labels.has(label)) wrong(`${name} has no label ${label}`)
      if (!['=', '!=', '=~', '!~'].includes(operator)) wrong(`${operator} selects nothing`)
      const isLike = new RegExp(`^(?:${operator.endsWith('~') ? value : literal(value)})$`)
      chosen = chosen.filter((one) => isLike.test(one[label] ?? '') !== operator.startsWith('!'))
      if (chosen.length === 0) wrong(`no ${name} has such a ${label}`)
      if (tokens[at] !== '}') expect(',')
    }
    const figure = figures.types.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')
    const counts = figures.types.get(figure) !== 'gauge'
    const ofAll = figures.helps.get(figure)?.endsWith('of all processes.') === true
    if (!takes('[')) return { kind: 'vector', labels, counts, ofAll }
    if (!/^\d+(ms|[smhdwy])$/.test(take())) wrong('a range is a time')
    expect(']')
    return { kind: 'range', labels, counts, ofAll }
  }

  const aggregation = (name: string): Value => {
    let by = takes('by') ? names() : undefined
    expect('(')
    const inner = vector(whole(0))
    expect(')')
    by ??= takes('by') ? names() : []
    for (const label of by) if (!inner.labels.has(label)) wrong(`there is no label ${label} to group by`)
    if (inner.ofAll && name !== 'max') wrong('each process tells of all: max, not a sum')
    if (inner.counts && name !== 'count') wrong('a count since the start says nothing: rate is missing')
    return { kind: 'vector', labels: new Set(by), counts: false, ofAll: false }
  }

  const call = (name: string): Value => {
    expect('(')
    const given = [whole(0)]
    while (takes(',')) given.push(whole(0))
    expect(')')
    const [first, second] = given
    if (name === 'rate' && first?.kind === 'range' && given.length === 1) {
      if (!first.counts) wrong('rate is of counts, and this is a gauge')
      return { ...first, kind: 'vector', counts: false }
    }
    if (name === 'histogram_quantile' && first?.kind === 'scalar' && second && given.length === 2) {
      const { labels, ...rest } = vector(second)
      if (!labels.has('le')) wrong('the label le is missing, by which buckets are told apart')
      return { ...rest, labels: new Set([...labels].filter((label) => label !== 'le')) }
    }
    return wrong(`${name} is unknown, or is given something else`)
  }

  const operand = (): Value => {
    if (takes('(')) {
      const inner = whole(0)
      expect(')')
      return inner
    }
    const token = take()
    if (/^\d+(\.\d+)?$/.test(token)) return { kind: 'scalar' }
    if (!/^[a-zA-Z_]\w*$/.test(token)) wrong(`${token} is not expected here`)
    if (AGGREGATIONS.has(token)) return aggregation(token)
    return tokens[at] === '(' ? call(token) : selector(token)
  }

  const whole = (level: number): Value => {
    const operators = OPERATORS[level]
    if (!operators) return operand()
    let left = whole(level + 1)
    while (operators.includes(tokens[at] ?? '')) {
      take()
      const ignored = takes('ignoring') ? names() : []
      const isGrouped = takes('group_left')
      const right = whole(level + 1)
      if (left.kind === 'scalar' || right.kind === 'scalar') {
        left = left.kind === 'scalar' ? right : left
        continue
      }
      const matched = ({ labels }: Vector): string =>
        [...labels]
          .filter((label) => !ignored.includes(label))
          .sort()
          .join()
      const isMany = [vector(left).labels, vector(right).labels].map(({ size }) => size)
      if (matched(left) !== matched(right)) wrong('the labels of both sides differ')
      if (isMany[0] !== isMany[1] && !isGrouped) wrong('group_left is missing')
    }
    return left
  }

  const result = vector(whole(0))
  if (at < tokens.length) wrong(`${tokens[at]} is not expected here`)
  if (result.ofAll) wrong('each process tells of all, and this is said once for each: max is missing')
  return result.labels
}

function tokensOf(expression: string): string[] {
  const found: string[] = []
  // Grafana writes a time in its place.
  const text = expression.replaceAll('$__rate_interval', '5m')
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) throw new Error(`${text.slice(from, from + 10)} is no PromQL, in ${expression}`)
    found.push(match[0].trim())
  }
  return found
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
