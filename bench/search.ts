// Retrieval quality and speed over HTTP: passages uploaded as Markdown (title as heading), each query's 20 chunks
// folded to documents. Sets in the format {corpus.jsonl, queries.jsonl, qrels.tsv}; a small one of ours by default.

import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SearchResults, Workspace } from '../src/contract/resources.ts'
import { type Client, makeClient } from '../test/support/client.ts'
import { startService } from '../test/support/service.ts'
import { type BenchOptions, quantile, table } from './report.ts'

const FILES_A_REQUEST = 20

interface Passage {
  id: string
  title?: string
  text: string
}

export async function benchSearch({ data }: BenchOptions): Promise<string> {
  const folder = data ?? 'bench/data/small'
  const corpus = await lines<Passage>(join(folder, 'corpus.jsonl'))
  const queries = await lines<{ id: string; text: string }>(join(folder, 'queries.jsonl'))
  const relevant = await readQrels(join(folder, 'qrels.tsv'))
  const service = await startService()
  try {
    const client = makeClient(service.base, service.token)
    const workspace = await client.post<Workspace>('/workspaces', { name: basename(folder) })
    const started = performance.now()
    const ids = await uploadAll(client, workspace.id, corpus)
    const seconds = (performance.now() - started) / 1000
    const judged = queries.filter(({ id }) => relevant.has(id))
    const results: Measured[] = []
    for (const query of judged) results.push(await ask(client, workspace.id, query, ids, relevant))
    const mean = (pick: (r: Measured) => number): string =>
      (results.reduce((sum, r) => sum + pick(r), 0) / results.length).toFixed(3)
    const ms = results.map((r) => r.ms)
    return `## Search: ${basename(folder)}, ${corpus.length} passages, ${judged.length} queries (embedded, no model)

${table(
  ['nDCG@10', 'R@5', 'R@10', 'MRR@10', 'p50', 'p99', 'upload → searchable'],
  [
    [
      mean((r) => r.ndcg10),
      mean((r) => r.recall5),
      mean((r) => r.recall10),
      mean((r) => r.mrr10),
      `${quantile(ms, 0.5).toFixed(1)} ms`,
      `${quantile(ms, 0.99).toFixed(1)} ms`,
      `${seconds.toFixed(0)} s (${(corpus.length / seconds).toFixed(1)} files/s)`,
    ],
  ],
)}`
  } finally {
    await service.remove()
  }
}

const lines = async <Row>(path: string): Promise<Row[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)

async function readQrels(path: string): Promise<Map<string, Map<string, number>>> {
  const found = new Map<string, Map<string, number>>()
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const [query, document, score] = line.split('\t')
    if (!query || !document || !(Number(score) > 0)) continue
    const documents = found.get(query) ?? new Map<string, number>()
    found.set(query, documents.set(document, Number(score)))
  }
  return found
}

/** Uploads everything; resolves with document id → passage ids (the same bytes twice are one document). */
async function uploadAll(
  client: Client,
  workspaceId: string,
  corpus: Passage[],
): Promise<Map<string, string>> {
  const jobs: string[] = []
  for (let from = 0; from < corpus.length; from += FILES_A_REQUEST) {
    const files = corpus.slice(from, from + FILES_A_REQUEST).map(({ id, title, text }) => ({
      name: `${id}.md`,
      bytes: `# ${title || id}\n\n${text}\n`,
    }))
    jobs.push((await client.upload(workspaceId, files)).id)
  }
  const ids = new Map<string, string>()
  for (const id of jobs) {
    for (const file of (await client.done(id, 3_600_000)).files) {
      if (!file.document_id) throw new Error(`${file.filename}: ${file.error}`)
      ids.set(file.document_id, basename(file.filename, '.md'))
    }
  }
  return ids
}

interface Measured {
  ms: number
  ndcg10: number
  recall5: number
  recall10: number
  mrr10: number
}

async function ask(
  client: Client,
  workspaceId: string,
  query: { id: string; text: string },
  ids: Map<string, string>,
  relevant: Map<string, Map<string, number>>,
): Promise<Measured> {
  const started = performance.now()
  const { data } = await client.post<SearchResults>(`/workspaces/${workspaceId}/search`, {
    query: query.text,
    limit: 20,
  })
  const ms = performance.now() - started
  const ranked = [...new Set(data.map((chunk) => ids.get(chunk.document_id ?? '') ?? ''))]
  return { ms, ...measure(ranked, relevant.get(query.id) ?? new Map()) }
}

/** nDCG@10 with graded gains and log2 discount, recall and reciprocal rank, as trec_eval computes them. */
export function measure(ranked: string[], relevant: Map<string, number>): Omit<Measured, 'ms'> {
  const gain = (grades: number[]): number =>
    grades.slice(0, 10).reduce((sum, grade, rank) => sum + grade / Math.log2(rank + 2), 0)
  const recall = (k: number): number =>
    ranked.slice(0, k).filter((id) => relevant.has(id)).length / Math.max(relevant.size, 1)
  const first = ranked.slice(0, 10).findIndex((id) => relevant.has(id))
  const ideal = gain([...relevant.values()].sort((a, b) => b - a))
  return {
    ndcg10: ideal ? gain(ranked.map((id) => relevant.get(id) ?? 0)) / ideal : 0,
    recall5: recall(5),
    recall10: recall(10),
    mrr10: first < 0 ? 0 : 1 / (first + 1),
  }
}
