// What an expression of PromQL asks for, held against the figures that processes really serve: names, labels and their values.
// Of the grammar it knows what our dashboard and alerts use; the rest is left to Prometheus.

/** Series by their names, as Prometheus has them after a scrape. */
export interface Figures {
  series: Map<string, Record<string, string>[]>
  /** Names without `_bucket`, `_count` and `_sum`. */
  names: Set<string>
}

/** What Prometheus adds to each series, and tells of a scrape by itself. */
const SCRAPED = { job: 'kenning', instance: 'kenning:9464' }

/** Each process tells the same of all: a sum of them says nothing. */
const OF_ALL = new Set([
  'kenning_queue_waiting',
  'kenning_queue_running',
  'kenning_queue_oldest_seconds',
  'kenning_backup_age_seconds',
])

/** Reads texts in Prometheus' text format. */
export function readFigures(...texts: readonly string[]): Figures {
  const figures: Figures = { series: new Map([['up', [SCRAPED]]]), names: new Set() }
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, figure] = /^# TYPE (\S+)/.exec(line) ?? []
    if (figure) figures.names.add(figure)
    const [, name, labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === undefined) continue
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label, value])
    const knownSeries = figures.series.get(name) ?? []
    figures.series.set(name, [...knownSeries, { ...SCRAPED, ...Object.fromEntries(pairs) }])
  }
  return figures
}

// A word before a parenthesis is a function; `by` and `ignoring` have lists of labels.
const LIST = / ?\b(?:by|ignoring) \(([^)]*)\)/g
const SELECTOR = /(max ?\()?\b(?!(?:group_left|and|or|unless)\b)([a-z_]\w*)\b(?! ?\()(?:\{([^}]*)\})?/g

/** The labels of what an expression gives. @throws Error that says what is wrong with it */
export function labelsOf(expression: string, { series }: Figures): ReadonlySet<string> {
  const wrong = (why: string): never => {
    throw new Error(`${why}, in ${expression}`)
  }
  const values: string[] = []
  const text = expression
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, value: string) => `"${values.push(value) - 1}"`)
    .replace(/\[[^\]]*\]/g, '')
  /** Of each selector, in their order. */
  const labels = (part: string): Set<string>[] =>
    [...part.replace(LIST, '').matchAll(SELECTOR)].map(([, max, name = '', chosen]) => {
      let matchingSeries = series.get(name) ?? wrong(`there is no ${name}`)
      const all = new Set(matchingSeries.flatMap((one) => Object.keys(one)))
      for (const [, label = '', operator = '', at] of chosen?.matchAll(/(\w+)(=~|!~|!=|=)"(\d+)"/g) ?? []) {
        if (!all.has(label)) wrong(`${name} has no label ${label}`)
        const value = values[Number(at)] ?? ''
        const isLike = operator.endsWith('~') ? new RegExp(`^(?:${value})$`) : undefined
        const isChosen = (labelText = ''): boolean => isLike?.test(labelText) ?? labelText === value
        matchingSeries = matchingSeries.filter((one) => isChosen(one[label]) !== operator.startsWith('!'))
        if (matchingSeries.length === 0) wrong(`no ${name} has such a ${label}`)
      }
      if (OF_ALL.has(name) && !max) wrong(`each process tells ${name} of all: max is missing`)
      return all
    })
  const [own = wrong('it asks for nothing')] = labels(text)
  let by: string[] | undefined
  for (const { 1: names = '', index } of text.matchAll(/\w+ by \(([^)]*)\)/g)) {
    const groupLabels = names.split(/, ?/)
    const [selected] = labels(text.slice(index))
    for (const label of groupLabels) if (!selected?.has(label)) wrong(`there is no label ${label}`)
    by ??= groupLabels
  }
  if (!by && /\b(sum|max|min|avg|count) ?\(/.test(text)) by = []
  return new Set((by ?? [...own]).filter((label) => label !== 'le'))
}
