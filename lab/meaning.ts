// What meaning adds to search: each set is asked by words alone and as served. `--data DIR` is a set, or a folder of sets; a folder with
// `pairs.txt` (a question, a bar, a part of the sentence that answers it; a line each) and `files/` asks for that sentence.
// `--resume DIR` keeps the filled services, `--sample N` asks N questions of each.

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { askAll, summarise } from '../src/eval/run.ts'
import { exists, readDocuments, readSet, type SetDocument } from '../src/eval/set/set.ts'
import { searchesWith } from '../src/eval/target/temporary.ts'
import { progressOn } from '../src/progress-bar.ts'
import type { SearchPart } from '../src/search/passage-query.ts'
import { findPassages } from '../src/search/search.ts'
import { type Filled, openService } from './answers/filled.ts'
import { type BenchOptions, table } from './report.ts'

const WAYS: { name: string; without: SearchPart[] }[] = [
  { name: 'words alone', without: ['meaning'] },
  { name: 'as served', without: [] },
]
const METRICS = ['nDCG@10', 'recall@5', 'recall@10'] as const
const DEPTHS = [1, 5, 10]
const API_PASSAGES = 20

export async function benchMeaning({ data, resume, sample }: BenchOptions): Promise<string> {
  if (data === undefined) throw new Error('--data DIR: a set, or a folder of sets')
  const sections: string[] = []
  for (const folder of await setsIn(data)) {
    const kept = resume && join(resume, basename(folder))
    const isPairs = await exists(join(folder, 'pairs.txt'))
    sections.push(await (isPairs ? pairsOf(folder, kept) : setOf(folder, kept, sample)))
    process.stdout.write(`${sections.at(-1)}\n\n`)
  }
  return `## What meaning adds to search (embedded, the model of the package)

${sections.join('\n\n')}`
}

async function setsIn(folder: string): Promise<string[]> {
  const isSet = (path: string): Promise<boolean> =>
    Promise.all(['queries.jsonl', 'pairs.txt'].map((name) => exists(join(path, name)))).then((each) =>
      each.includes(true),
    )
  if (await isSet(folder)) return [folder]
  const paths = (await readdir(folder)).sort().map((name) => join(folder, name))
  const are = await Promise.all(paths.map(isSet))
  return paths.filter((_, i) => are[i])
}

async function filled<Result>(
  name: string,
  documents: SetDocument[],
  kept: string | undefined,
  measure: (filled: Filled) => Promise<Result>,
): Promise<Result> {
  const set = { name, documents, questions: [] }
  const opened = await openService(set, kept, progressOn(process.stderr))
  try {
    return await measure(opened)
  } finally {
    await opened.service.stop()
  }
}

const asking =
  ({ service, workspaceId }: Filled, without: SearchPart[]) =>
  (query: string, limit: number) =>
    findPassages(service.deps, service.caller, workspaceId, { query, limit, without })

async function setOf(folder: string, kept: string | undefined, sample: number | undefined): Promise<string> {
  const set = await readSet(folder, true)
  const step = sample ? Math.max(1, Math.floor(set.queries.length / sample)) : 1
  const queries = set.queries.filter((_, i) => i % step === 0)
  const documents = set.documents ?? []
  return filled(set.name, documents, kept, async (opened) => {
    const rows: (string | number)[][] = []
    for (const { name, without } of WAYS) {
      const { search } = searchesWith(asking(opened, without), opened.names)
      let hits = 0
      const results = await askAll(
        {
          search: async (text) => {
            const passages = await search(text)
            const first = [...new Set(passages.flatMap((passage) => passage.documents))].slice(0, 5)
            const grades = queries.find((query) => query.text === text)?.grades
            if (first.some((id) => (grades?.get(id) ?? 0) > 0)) hits += 1
            return passages
          },
        },
        {
          queries,
          typos: 0,
          onProgress: progressOn(process.stderr)(name),
          signal: new AbortController().signal,
        },
      )
      const means = new Map(summarise(results).map(({ metric, mean }) => [metric, mean.toFixed(3)]))
      rows.push([
        name,
        ...METRICS.map((metric) => means.get(metric) ?? ''),
        (hits / queries.length).toFixed(3),
      ])
    }
    return `### ${set.name}: ${documents.length} documents, ${queries.length} questions

${table(['asked', ...METRICS, 'a right document among the first five'], rows)}`
  })
}

/** Without what Markdown adds to a sentence. */
const flat = (text: string): string =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')

async function pairsOf(folder: string, kept: string | undefined): Promise<string> {
  const lines = (await readFile(join(folder, 'pairs.txt'), 'utf8')).split('\n').filter(Boolean)
  const documents = await readDocuments(folder)
  return filled(basename(folder), documents, kept, async (opened) => {
    const rows: string[][] = []
    for (const { name, without } of WAYS) {
      const find = asking(opened, without)
      const places: number[] = []
      for (const line of lines) {
        const [question = '', sentence = ''] = line.split('|')
        const passages = await find(question, API_PASSAGES)
        places.push(passages.findIndex(({ text }) => flat(text).includes(flat(sentence))))
      }
      const within = (depth: number): number => places.filter((at) => at >= 0 && at < depth).length
      rows.push([name, ...DEPTHS.map((depth) => (within(depth) / lines.length).toFixed(2))])
    }
    return `### ${basename(folder)}: ${documents.length} documents, ${lines.length} questions in words that the answer does not have

${table(['asked', ...DEPTHS.map((depth) => `hit@${depth}`)], rows)}`
  })
}
