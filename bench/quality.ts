// Retrieval quality of whole sets: clean and with typos, each part of search alone and together, beside published
// figures of others. Each set goes once through a temporary service, then every configuration is asked all queries
// through the room function. `--data DIR` is a set, or a folder of sets; the small one of ours without it.

import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareRuns } from '../src/eval/measure/compare.ts'
import type { Metric } from '../src/eval/measure/metrics.ts'
import { quantile } from '../src/eval/measure/statistics.ts'
import { progressOn } from '../src/eval/progress.ts'
import { askAll, type MetricSummary, type QueryResult, summarise } from '../src/eval/run.ts'
import { type EvalSet, exists, readSet } from '../src/eval/set/set.ts'
import { asking, fillService, startTemporary } from '../src/eval/target/temporary.ts'
import { siblingModule } from '../src/processes/module.ts'
import { findPassages, type SearchPart } from '../src/search/search.ts'
import { type BenchOptions, table } from './report.ts'

const TYPO_SHARE = 0.3

/** What is switched off; the first is the service as everybody meets it, the last plain BM25 of chunks. */
const CONFIGURATIONS: { name: string; typos: boolean; without: SearchPart[] }[] = [
  { name: 'as served', typos: false, without: [] },
  { name: 'as served', typos: true, without: [] },
  { name: 'without correction', typos: true, without: ['correction'] },
  { name: 'without correction', typos: false, without: ['correction'] },
  { name: 'without meaning', typos: false, without: ['meaning'] },
  { name: 'without the second hop', typos: false, without: ['second hop'] },
  { name: "without the document's own score", typos: false, without: ['documents'] },
  {
    name: 'exact BM25 of chunks alone',
    typos: false,
    without: ['documents', 'meaning', 'second hop', 'correction'],
  },
]

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
  typos: boolean
  results: QueryResult[]
  metrics: MetricSummary[]
}

export async function benchQuality({ data }: BenchOptions): Promise<string> {
  const sections: string[] = []
  for (const folder of await setsIn(data ?? 'bench/data/small')) {
    const set = await readSet(folder, true)
    sections.push(sectionOf(set, await measureSet(set)))
  }
  return `## Search quality (embedded, no model)

Figures are means over all queries that have an answer, ± half the 95 % bootstrap interval; 20 passages folded to documents, as over HTTP; recall@100 by the room function. Typos: one in ${TYPO_SHARE * 100} % of the words of four letters or more. p: paired randomization test of nDCG@10 against the first row.

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

async function measureSet(set: EvalSet): Promise<Measured[]> {
  const progress = progressOn(process.stderr)
  const signal = new AbortController().signal
  const service = await startTemporary(siblingModule('../src/main', import.meta.url))
  try {
    const filling = { documents: set.documents ?? [], onProgress: progress, signal }
    const { workspaceId, names, unread } = await fillService(service, set.name, filling)
    if (unread.length) throw new Error(`${set.name}: ${unread.length} documents could not be read`)
    const measured: Measured[] = []
    for (const { name, typos, without } of CONFIGURATIONS) {
      const target = asking(
        (query, limit) => findPassages(service.deps, service.caller, workspaceId, { query, limit, without }),
        names,
      )
      const results = await askAll(target, {
        queries: set.queries,
        typos: typos ? TYPO_SHARE : 0,
        onProgress: progress(`${name}${typos ? ', typos' : ''}`),
        signal,
      })
      measured.push({ name, typos, results, metrics: summarise(results) })
    }
    return measured
  } finally {
    await service.stop()
  }
}

const SHOWN: Metric[] = ['nDCG@10', 'recall@5', 'recall@10', 'MRR@10', 'recall@100', 'facts@10', 'facts@20']

function sectionOf(set: EvalSet, measured: Measured[]): string {
  const [first] = measured
  const shown = SHOWN.filter((metric) => first?.metrics.some((row) => row.metric === metric))
  const rows = measured.map((one) => [
    `${one.name}${one.typos ? ', typos' : ''}`,
    ...shown.map((metric) => figure(one.metrics.find((row) => row.metric === metric))),
    one === first || !first ? '' : against(one, first),
    `${quantile(
      one.results.map(({ ms }) => ms),
      0.5,
    ).toFixed(0)} ms`,
  ])
  return `### ${set.name}: ${set.documents?.length ?? 0} documents, ${set.queries.length} queries

${table(['configuration', ...shown, 'p', 'p50'], rows)}

Beside: ${ANCHORS[basename(set.name)] ?? 'no published figure.'}${kept(measured)}`
}

const figure = (found: MetricSummary | undefined): string =>
  found ? `${found.mean.toFixed(3)} ± ${((found.high - found.low) / 2).toFixed(3)}` : ''

function against(one: Measured, first: Measured): string {
  const pairs = one.results.map(({ id, text, scores }, i) => ({
    id,
    text,
    ours: scores,
    theirs: first.results[i]?.scores ?? {},
  }))
  return (
    compareRuns(pairs)
      .find(({ metric }) => metric === 'nDCG@10')
      ?.p.toFixed(3) ?? ''
  )
}

/** The mark of typo robustness: what is left of the clean nDCG. */
function kept(measured: Measured[]): string {
  const ndcg = (typos: boolean): number | undefined =>
    measured
      .find((one) => one.name === measured[0]?.name && one.typos === typos)
      ?.metrics.find(({ metric }) => metric === 'nDCG@10')?.mean
  const [clean, typed] = [ndcg(false), ndcg(true)]
  return clean && typed
    ? `\n\nWith typos ${((typed / clean) * 100).toFixed(1)} % of the clean nDCG@10 is kept (mark ≥ 97 %).`
    : ''
}
