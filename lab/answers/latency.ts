// How long an answer takes in a workspace of many chunks: filled in bulk, asked over HTTP with steps streamed, one question
// after the other.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openAsker } from '../../src/eval/answers/ask.ts'
import { quantile } from '../../src/eval/measure/statistics.ts'
import { openClient } from '../../src/eval/target/client.ts'
import { siblingModule } from '../../src/processes/module.ts'
import { startTemporary, type TemporaryService } from '../../src/temporary.ts'
import { table } from '../report.ts'
import { bulkFill, PATIENT } from '../speed/bulk.ts'
import { openCorpus, PARAGRAPH_WORDS } from '../speed/corpus.ts'
import { sampled } from './sets.ts'

const CHUNKS_A_DOCUMENT = 50
const WARM_UP = 20
const ASKED = 120

/**
 * @param data a folder of sets: their sentences put together anew, and their own questions; else Zipf text
 * @param folder where the filled service is kept, and taken up again
 */
export async function measureLatency(
  chunks: number,
  data: string | undefined,
  folder: string | undefined,
): Promise<string> {
  const main = siblingModule('../../src/main', import.meta.url)
  const settings = { KENNING_ASK_PER_HOUR: '1000000' }
  const service = await startTemporary(main, { settings, folder, ...PATIENT })
  try {
    const id = await filledWorkspace(service, chunks, data, folder)
    const ask = openAsker({ client: openClient(service.base, service.token), id, names: new Map() })
    const questions = await questionsFor(chunks, data)
    const results: Awaited<ReturnType<typeof ask>>[] = []
    for (const [i, question] of questions.entries()) {
      const answered = await ask(question)
      if (i >= WARM_UP) results.push(answered)
    }
    return sectionOf(chunks, data, results)
  } finally {
    await service.stop()
  }
}

/** The id of the workspace that holds the chunks; it stands in the folder once they are all there. */
async function filledWorkspace(
  { deps, base, token }: TemporaryService,
  chunks: number,
  data: string | undefined,
  folder: string | undefined,
): Promise<string> {
  const path = folder && join(folder, 'filled-workspace')
  const kept = path ? await readFile(path, 'utf8').catch(() => '') : ''
  if (kept) return kept
  const { id } = await openClient(base, token).createWorkspace({ name: 'Filled' })
  const portion = { workspaceId: id, first: 0, count: Math.ceil(chunks / CHUNKS_A_DOCUMENT) }
  const corpus = { data, words: PARAGRAPH_WORDS }
  const say = (text: string): boolean => process.stderr.write(`${text}\n`)
  await bulkFill(deps, [portion], { corpus, isServer: false, vectors: true, say })
  if (path) await writeFile(path, id)
  return id
}

/** The questions of the sets that the text is from; of Zipf text words of a paragraph each. */
async function questionsFor(chunks: number, data: string | undefined): Promise<string[]> {
  if (data === undefined) {
    const makeDoc = await openCorpus({ data, words: PARAGRAPH_WORDS })
    const last = Math.ceil(chunks / CHUNKS_A_DOCUMENT)
    return Array.from({ length: WARM_UP + ASKED }, (_, i) => {
      const [item] = makeDoc(Math.floor((i * last) / (WARM_UP + ASKED))).items
      return `What is said of ${item?.query}?`
    })
  }
  const files = (await readdir(data, { recursive: true })).filter((name) => name.endsWith('queries.jsonl'))
  const lines = await Promise.all(files.sort().map((name) => readFile(join(data, name), 'utf8')))
  const all = lines.flatMap((text) => text.split('\n').filter(Boolean))
  return sampled(all, WARM_UP + ASKED).map((line) => (JSON.parse(line) as { text: string }).text)
}

type Timed = { ms: number; firstStepMs: number; steps: number; citations: readonly unknown[] }

function sectionOf(chunks: number, data: string | undefined, results: readonly Timed[]): string {
  const row = (what: string, values: number[], mark: string): string[] => [
    what,
    ...[0.5, 0.9, 0.99].map((share) => `${quantile(values, share).toFixed(0)} ms`),
    mark,
  ]
  const text = data === undefined ? 'Zipf text' : 'sentences of real sets, their own questions'
  const quoted = results.filter(({ citations }) => citations.length > 0).length
  return `### Time in ${chunks.toLocaleString('en')} chunks: ${text}

${table(
  ['what', 'p50', 'p90', 'p99', 'mark, p50'],
  [
    row(
      'answer',
      results.map(({ ms }) => ms),
      '< 1 s',
    ),
    row(
      'first step',
      results.map(({ firstStepMs }) => firstStepMs),
      '≤ 300 ms',
    ),
  ],
)}

${results.length} questions, ${quoted} of them answered with quotations; ${(results.reduce((sum, { steps }) => sum + steps, 0) / results.length).toFixed(1)} steps. Filled in bulk and without a graph, so that no names lead to a second hop.`
}
