// Retrieval quality of whole sets: clean and with typos, each part of search alone and together, beside published
// figures of others. Each set goes once through a temporary service, then every configuration is asked its queries
// through the room function. `--data DIR` is a set, or a folder of sets; the small one of ours without it. A set's part
// of the results is written when it is done, so sets may be run one by one. `--sample N` asks N queries of each.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareRuns, type MetricComparison, type Pair } from '../src/eval/measure/compare.ts'
import { METRICS } from '../src/eval/measure/metrics.ts'
import { quantile } from '../src/eval/measure/statistics.ts'
import { askAll, type MetricSummary, type QueryResult, summarise } from '../src/eval/run.ts'
import { type EvalSet, exists, readSet, type SetQuery } from '../src/eval/set/set.ts'
import { type FindPassages, fillService, searchesWith } from '../src/eval/target/temporary.ts'
import { siblingModule } from '../src/processes/module.ts'
import { progressOn } from '../src/progress-bar.ts'
import type { SearchPart } from '../src/search/passage-query.ts'
import { findPassages } from '../src/search/search.ts'
import { startTemporary } from '../src/temporary.ts'
import { type Corrected, correctedIn, toldOf } from './quality/corrected.ts'
import { byMeaning } from './quality/meaning.ts'
import { type BenchOptions, table, writeSection } from './report.ts'

const TYPO_SHARE = 0.3

const ALL_PARTS = 'all: exact BM25 of chunks'
const CORRECTION = 'correction, clean'

/** What each part adds: the same queries without it. */
const PARTS: { name: string; typos: number; without: SearchPart[] }[] = [
  { name: CORRECTION, typos: 0, without: ['correction'] },
  { name: 'correction, typos', typos: TYPO_SHARE, without: ['correction'] },
  { name: 'meaning', typos: 0, without: ['meaning'] },
  { name: 'the second hop', typos: 0, without: ['second hop'] },
  { name: 'how much each word is meant', typos: 0, without: ['emphasis'] },
  { name: 'the documents that a query names', typos: 0, without: ['subjects'] },
  { name: 'rows that say what is asked', typos: 0, without: ['rows'] },
  { name: "the document's own score", typos: 0, without: ['documents'] },
  {
    name: ALL_PARTS,
    typos: 0,
    without: ['emphasis', 'subjects', 'rows', 'documents', 'meaning', 'second hop', 'correction'],
  },
]
// Clean, every query is asked. What a part adds, and recall@100, are seen on so many, evenly over the set, and typos on
// twice as many: all of it on 2,255 questions would take an hour. Differences are paired.
const MAX_PART_QUERIES = 300
const MAX_TYPED = 600

/** What others reach on the same passages and queries, and where the figures are from. */
const ANCHORS: Record<string, string> = {
  scifact:
    'nDCG@10: BM25 .683 (k1 1.2, b .75, Porter), OpenAI file search .717, text-embedding-3-small .734, bge-base .741',
  multihoprag:
    'whole articles: BM25 nDCG@10 .722, R@5 .699, R@10 .842; facts@10: BM25 over 190-word windows .553; LightRAG evidence recall .656, plain hybrid .761 (published)',
  musique100: 'BM25 nDCG@10 .539, R@5 .491, R@10 .554',
  financebench15: 'BM25 over pages nDCG@10 .294, R@5 .359, R@10 .453',
}

/** How a set is asked for one measurement. */
interface Way {
  typos?: number
  deep?: boolean
  ask?: FindPassages
}

interface Measured {
  name: string
  results: QueryResult[]
  metrics: MetricSummary[]
  /** Of a part: the same queries with it and without, and the difference that it makes. */
  pairs?: Pair[]
  adds?: MetricComparison[]
}

interface SetResult {
  clean: Measured
  typed: Measured
  /** The clean results of those that were typed wrong. */
  same: QueryResult[]
  parts: Measured[]
  /** Clean queries that are asked in other words. */
  corrected: Corrected[]
  /** The weak leg by itself. */
  meaning: Measured
}

export async function benchQuality({ data, sample }: BenchOptions): Promise<string> {
  const names: string[] = []
  for (const folder of await setsIn(data ?? 'test/data/small')) {
    const set = await readSet(folder, true)
    const asked = { ...set, queries: sample ? evenly(set.queries, sample) : set.queries }
    const section = sectionOf(asked, await measureSet(asked))
    await writeSection(`quality ${set.name}`, section)
    process.stdout.write(`${section}\n\n`)
    names.push(set.name)
  }
  return `## Search quality (embedded, no model)

A part below for each set (last run: ${names.join(', ')}). Figures are means over the queries that have an answer, ± half the 95 % bootstrap interval; 20 passages folded to documents, as over HTTP; recall@100 by the room function, over at most ${MAX_PART_QUERIES} queries. Typos: one in ${TYPO_SHARE * 100} % of the words of four letters or more, over at most ${MAX_TYPED} queries. What a part adds is the difference to the same queries without it, bold where p < .05 (paired randomization test).`
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
    const searching =
      (without: SearchPart[]): FindPassages =>
      (query, limit) =>
        findPassages(service.deps, service.caller, workspaceId, { query, limit, without })
    const measure = async (
      name: string,
      queries: readonly SetQuery[],
      { typos = 0, deep = false, ask = searching([]) }: Way,
    ): Promise<Measured> => {
      const { search, searchDeep } = searchesWith(ask, names)
      const target = deep ? { search, searchDeep } : { search }
      const results = await askAll(target, { queries, typos, onProgress: progress(name), signal })
      return { name, results, metrics: summarise(results) }
    }
    const some = evenly(set.queries, MAX_PART_QUERIES)
    const clean = await measure('clean', set.queries, {})
    const deep = await measure('clean, deep', some, { deep: true })
    clean.metrics.push(...deep.metrics.filter(({ metric }) => metric === 'recall@100'))
    const typable = evenly(set.queries, MAX_TYPED)
    const typed = await measure('typos', typable, { typos: TYPO_SHARE })
    const parts: Measured[] = []
    for (const { name, typos, without } of PARTS) {
      const part = await measure(name, some, { typos, ask: searching(without) })
      const pairs = paired((typos > 0 ? typed : clean).results, part.results)
      parts.push({ ...part, pairs, adds: compareRuns(pairs) })
    }
    const corrected = await correctedIn(service.deps, workspaceId, some)
    const ask = byMeaning(service.deps, workspaceId)
    const meaning = await measure('meaning alone', some, { ask })
    const ids = new Set(typed.results.map(({ id }) => id))
    const same = clean.results.filter(({ id }) => ids.has(id))
    return { clean, typed, same, parts, corrected, meaning }
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

function sectionOf(set: EvalSet, { clean, typed, same, parts, corrected, meaning }: SetResult): string {
  const shown = METRICS.filter((metric) => clean.metrics.some((row) => row.metric === metric))
  const words = parts
    .filter(({ name }) => name === ALL_PARTS)
    .map((part) => ({ ...part, name: 'exact BM25 of chunks alone' }))
  const rows = [clean, typed, ...words, meaning].map(({ name, results, metrics }) => [
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

Beside: ${ANCHORS[set.name] ?? 'no published figure'}. ${kept(same, typed)}

${table(['what it adds', ...added, 'queries'], partRows)}

${toldOf(corrected, parts.find(({ name }) => name === CORRECTION)?.pairs ?? [])}`
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

/** The mark of typo robustness: what is left of the clean nDCG of the same queries. */
function kept(clean: readonly QueryResult[], typed: Measured): string {
  const ndcg = (metrics: readonly MetricSummary[]): number | undefined =>
    metrics.find(({ metric }) => metric === 'nDCG@10')?.mean
  const [whole, left] = [ndcg(summarise(clean)), ndcg(typed.metrics)]
  return whole && left
    ? `With typos ${((left / whole) * 100).toFixed(1)} % of the clean nDCG@10 of the same queries is kept (mark ≥ 97 %).`
    : ''
}
