// What the agent has found for each question before it ranks anything, in lines of JSON beside the service that it was found
// in: made once, since that takes minutes; fitting on it takes a minute.

import { createWriteStream } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TermStatistics } from '../../src/ask/extractive/keywords.ts'
import { analyseQuestion, type Question } from '../../src/ask/extractive/question.ts'
import {
  lookUpTerms,
  type RetrievalState,
  searchQuestion,
  secondHop,
} from '../../src/ask/extractive/retrieval.ts'
import { bindTools, type Tools } from '../../src/ask/tools/tools.ts'
import { exists } from '../../src/eval/set/set.ts'
import type { Passage } from '../../src/search/passage.ts'
import type { Progress } from '../answers/filled.ts'
import { openService } from '../answers/filled.ts'
import { type Asked, type FittedSet, readFittedSet } from './sets.ts'

/** A question and what was found for it; `names` are the ids of the set, by the document's. */
export interface Stated {
  asked: Asked
  state: RetrievalState
  documentOf: (passage: Passage) => string
}

interface Line {
  asked: Asked
  question: Question
  synonyms: string
  statistics: TermStatistics
  found: { id: string; relevance: number; rank: number; meant?: number }[]
}

/** @param folder where the service and the states are kept */
export async function statesOf(
  data: string,
  name: string,
  { folder, sample, onProgress }: { folder: string; sample: number | undefined; onProgress: Progress },
): Promise<Stated[]> {
  const path = join(folder, `states-${name}.jsonl`)
  const passagesPath = join(folder, `passages-${name}.jsonl`)
  if (!(await exists(path)))
    await collect(await readFittedSet(data, name, sample), { folder, path, passagesPath, onProgress })
  const linesIn = async (file: string): Promise<string[]> =>
    (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  const passages = new Map<string, Passage & { in: string }>()
  for (const line of await linesIn(passagesPath)) {
    const passage = JSON.parse(line) as Passage & { in: string }
    passages.set(passage.chunk_id, passage)
  }
  return (await linesIn(path)).map((line) => statedOf(JSON.parse(line) as Line, passages))
}

function statedOf(
  { asked, question, synonyms, statistics, found }: Line,
  passages: ReadonlyMap<string, Passage & { in: string }>,
): Stated {
  const all = found.flatMap(({ id, relevance, rank, meant }) => {
    const passage = passages.get(id)
    return passage
      ? [{ passage: { ...passage, ...(meant !== undefined && { meant }) }, relevance, rank }]
      : []
  })
  const state = {
    question,
    topic: '',
    synonyms,
    statistics,
    found: new Map(all.map((one) => [one.passage.chunk_id, one])),
    top: [],
  }
  return { asked, state, documentOf: ({ chunk_id }) => passages.get(chunk_id)?.in ?? '' }
}

async function collect(
  { set, questions }: FittedSet,
  {
    folder,
    path,
    passagesPath,
    onProgress,
  }: { folder: string; path: string; passagesPath: string; onProgress: Progress },
): Promise<void> {
  const { service, workspaceId, names } = await openService(
    set,
    join(folder, `service-${set.name}`),
    onProgress,
  )
  const passages = new Map<string, Passage>()
  const lines: string[] = []
  try {
    const { signal } = new AbortController()
    const tools = bindTools(service.deps, service.caller, workspaceId, { signal, late: () => false })
    const report = onProgress(`${set.name}: search`)
    const left = [...questions]
    const drain = async (): Promise<void> => {
      for (let asked = left.shift(); asked; asked = left.shift()) {
        const state = await retrieve(tools, asked.text)
        const { question, synonyms, statistics } = state
        const found = [...state.found.values()].map(({ passage, relevance, rank }) => {
          if (!passages.has(passage.chunk_id)) passages.set(passage.chunk_id, passage)
          return {
            id: passage.chunk_id,
            relevance,
            rank,
            ...(passage.meant !== undefined && { meant: passage.meant }),
          }
        })
        lines.push(JSON.stringify({ asked, question, synonyms, statistics, found } satisfies Line))
        report(lines.length, questions.length)
      }
    }
    await Promise.all([drain(), drain()])
  } finally {
    await service.stop()
  }
  const inSet = ({ meant: _, ...passage }: Passage) => ({
    ...passage,
    in: names.get(passage.document_id)?.[0] ?? '',
  })
  await writeLines(
    passagesPath,
    [...passages.values()].map((passage) => JSON.stringify(inSet(passage))),
  )
  await writeLines(path, lines)
}

/** As the agent does (ask/extractive/agent.ts), for one question. */
async function retrieve(tools: Tools, text: string): Promise<RetrievalState> {
  const named = await tools.linkEntities(text)
  const question = analyseQuestion(
    text,
    named.map(({ name }) => name),
  )
  const { statistics, synonyms } = await lookUpTerms(tools, question.text)
  const state: RetrievalState = { question, topic: '', synonyms, statistics, found: new Map(), top: [] }
  for await (const _ of searchQuestion(tools, state)) void _
  for await (const _ of secondHop(tools, state, new Set(named.map(({ id }) => id)))) void _
  return state
}

/** Whole, or not at all. */
async function writeLines(path: string, lines: readonly string[]): Promise<void> {
  const file = createWriteStream(`${path}.part`)
  for (const line of lines) file.write(`${line}\n`)
  await new Promise<void>((resolve, reject) => file.on('error', reject).end(resolve))
  await rename(`${path}.part`, path)
}
