// Retrieval quality of whole sets: clean and with typos, each part of search alone and together, beside published
// figures of others. Each set goes once through a temporary service, then every configuration is asked all queries
// through the room function. `--data DIR` is a set, or a folder of sets; the small one of ours without it.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareRuns, type MetricComparison, type Pair } from '../src/eval/measure/compare.ts'
import { METRICS } from '../src/eval/measure/metrics.ts'
import { quantile } from '../src/eval/measure/statistics.ts'
import { progressOn } from '../src/eval/progress.ts'
import { askAll, type MetricSummary, type QueryResult, summarise } from '../src/eval/run.ts'
import { type EvalSet, exists, readSet } from '../src/eval/set/set.ts'
import { asking, fillService, startTemporary } from '../src/eval/target/temporary.ts'
import { siblingModule } from '../src/processes/module.ts'
import { findPassages, type SearchPart } from '../src/search/search.ts'
import { type BenchOptions, table } from './report.ts'

const TYPO_SHARE = 0.3

/** Search as everybody meets it. */
const SERVED = [
  { name: 'clean', typos: 0 },
  { name: 'typos', typos: TYPO_SHARE },
]

/** What each part adds: the same queries without it. */
const PARTS: { name: string; typos: number; without: SearchPart[] }[] = [
  { name: 'correction, clean', typos: 0, without: ['correction'] },
  { name: 'correction, typos', typos: TYPO_SHARE, without: ['correction'] },
  { name: 'meaning (LSA)', typos: 0, without: ['meaning'] },
  { name: 'the second hop', typos: 0, without: ['second hop'] },
  { name: "the document's own score", typos: 0, without: ['documents'] },
  {
    name: 'all: exact BM25 of chunks',
    typos: 0,
    without: ['documents', 'meaning', 'second hop', 'correction'],
  },
]
// A part's share is seen on so many queries, evenly over the set, paired with the whole.
const MOST_PART_QUERIES = 300

/** What others reach on the same passages and queries, and where the figures are from. */
const ANCHORS: Record<string, string> = {
  scifact:
    'nDCG@10: BM25 .683 (k1 1.2, b .75, Porter), OpenAI file search .717, text-embedding-3-small .734, bge-base .741',
  multihoprag:
    'whole articles: BM25 nDCG@10 .722, R@5 .699, R@10 .842; facts@10: BM25 over 190-word windows .553; LightRAG evidence recall .656, plain hybrid .761 (published)',
  musique100: 'BM25 nDCG@10 .539, R@5 .491, R@10 .554',
  financebench15: 'BM25 over pages nDCG@10 .294, R@5 .359, R@10 .453',
}

interface Measured {
  name: string
  results: QueryResult[]
  metrics: MetricSummary[]
  /** Of a part: the difference that it makes. */
  adds?: MetricComparison[]
}

interface SetResult {
  served: Measured[]
  parts: Measured[]
}

export async function benchQuality({ data }: BenchOptions): Promise<string> {
  const sections: string[] = []
  for (const folder of await setsIn(data ?? 'bench/data/small')) {
    const set = await readSet(folder, true)
    sections.push(sectionOf(set, await measureSet(set)))
  }
  return `## Search quality (embedded, no model)

Figures are means over all queries that have an answer, ± half the 95 % bootstrap interval; 20 passages folded to documents, as over HTTP; recall@100 by the room function. Typos: one in ${TYPO_SHARE * 100} % of the words of four letters or more. What a part adds is the difference to the same queries without it, bold where p < .05 (paired randomization test).

${sections.join('\n\n')}`
}

async function setsIn(folder: string): Promise<string[]> {
  if (await exists(join(folder, 'queries.jsonl'))) return [folder]
  const found: string[] = []
  for (const name of (await readdir(folder)).sort()) {
    if (await exists(join(folder, name, 'queries.jsonl'))) found.push(join(folder, name))
  }
  if (found.length === 0) throw new Error(`${folder} holds no set (queries.jsonl)`)
  return found
}

async function measureSet(set: EvalSet): Promise<SetResult> {
  const progress = progressOn(process.stderr)
  const signal = new AbortController().signal
  const service = await startTemporary(siblingModule('../src/main', import.meta.url))
  try {
    const filling = { documents: set.documents ?? [], onProgress: progress, signal }
    const { workspaceId, names, unread } = await fillService(service, set.name, filling)
    if (unread.length) throw new Error(`${set.name}: ${unread.length} documents could not be read`)
    const targetOf = (without: SearchPart[]) =>
      asking(
        (query, limit) => findPassages(service.deps, service.caller, workspaceId, { query, limit, without }),
        names,
      )
    const served: Measured[] = []
    for (const { name, typos } of SERVED) {
      const results = await askAll(targetOf([]), {
        queries: set.queries,
        typos,
        onProgress: progress(name),
        signal,
      })
      served.push({ name, results, metrics: summarise(results) })
    }
    const parts: Measured[] = []
    const queries = evenly(set.queries, MOST_PART_QUERIES)
    for (const { name, typos, without } of PARTS) {
      const { search } = targetOf(without)
      const results = await askAll({ search }, { queries, typos, onProgress: progress(name), signal })
      const whole = served[typos > 0 ? 1 : 0]?.results ?? []
      parts.push({ name, results, metrics: summarise(results), adds: compareRuns(paired(whole, results)) })
    }
    return { served, parts }
  } finally {
    await service.stop()
  }
}

const evenly = <Item>(items: readonly Item[], most: number): Item[] =>
  items.filter(
    (_, i) =>
      items.length <= most ||
      Math.floor((i * most) / items.length) > Math.floor(((i - 1) * most) / items.length),
  )

function paired(ours: QueryResult[], theirs: QueryResult[]): Pair[] {
  const whole = new Map(ours.map(({ id, scores }) => [id, scores]))
  return theirs.map(({ id, text, scores }) => ({ id, text, ours: whole.get(id) ?? {}, theirs: scores }))
}

function sectionOf(set: EvalSet, { served, parts }: SetResult): string {
  const [clean, typed] = served
  const shown = METRICS.filter((metric) => clean?.metrics.some((row) => row.metric === metric))
  const rows = served.map(({ name, results, metrics }) => [
    name,
    ...shown.map((metric) => figure(metrics.find((row) => row.metric === metric))),
    `${quantile(
      results.map(({ ms }) => ms),
      0.5,
    ).toFixed(0)} ms`,
  ])
  const added = shown.filter((metric) => metric !== 'recall@100')
  const partRows = parts.map(({ name, adds, results }) => [
    name,
    ...added.map((metric) => difference(adds?.find((row) => row.metric === metric))),
    results.length,
  ])
  return `### ${set.name}: ${set.documents?.length ?? 0} documents, ${set.queries.length} queries

${table(['queries', ...shown, 'p50'], rows)}

Beside: ${ANCHORS[set.name] ?? 'no published figure'}. ${kept(clean, typed)}

${table(['what it adds', ...added, 'queries'], partRows)}`
}

const figure = (found: MetricSummary | undefined): string =>
  found ? `${found.mean.toFixed(3)} ± ${((found.high - found.low) / 2).toFixed(3)}` : ''

/** Bold where chance alone would make it less than once in twenty. */
function difference(found: MetricComparison | undefined): string {
  if (!found) return ''
  const { mean } = found.difference
  const text = `${mean < 0 ? '−' : '+'}${Math.abs(mean).toFixed(3)}`
  return found.p < 0.05 ? `**${text}**` : text
}

/** The mark of typo robustness: what is left of the clean nDCG. */
function kept(clean: Measured | undefined, typed: Measured | undefined): string {
  const ndcg = (of: Measured | undefined): number | undefined =>
    of?.metrics.find(({ metric }) => metric === 'nDCG@10')?.mean
  const [whole, left] = [ndcg(clean), ndcg(typed)]
  return whole && left
    ? `With typos ${((left / whole) * 100).toFixed(1)} % of the clean nDCG@10 is kept (mark ≥ 97 %).`
    : ''
}
