// What the agent gathers for each question before it judges anything, in lines of JSON beside the service that it was found
// in: made once, since that takes minutes; fitting on it takes a minute. It is the agent's own function that gathers it.

import { createWriteStream } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { gather } from '../../src/ask/extractive/agent.ts'
import type { FoundPassage } from '../../src/ask/extractive/evidence.ts'
import type { RetrievalState } from '../../src/ask/extractive/retrieval.ts'
import { bindTools, type Tools } from '../../src/ask/tools/tools.ts'
import { exists } from '../../src/eval/set/set.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import type { Passage } from '../../src/search/passage.ts'
import type { Progress } from '../answers/filled.ts'
import { openService } from '../answers/filled.ts'
import { type Asked, type FittedSet, readFittedSet } from './sets.ts'

/** A question and what was found for it; questions that a table answers and requests for a summary are left out. */
export interface Stated {
  asked: Asked
  state: RetrievalState
  /** The document's id in the set. */
  documentOf: (passage: Passage) => string
}

/** A state as it is kept: passages by their ids. */
export interface Line
  extends Omit<RetrievalState, 'foundPassages' | 'statistics' | 'names' | 'message' | 'documents'> {
  names?: string[]
  documents?: string[]
  statistics: Omit<RetrievalState['statistics'], 'corrections' | 'wordsInCompounds' | 'joinedTerms'> & {
    corrections?: [string, string][]
    wordsInCompounds?: string[]
    joinedTerms?: [string, readonly string[]][]
  }
  found: (Omit<FoundPassage, 'passage'> & { id: string; meant?: number })[]
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
  return (await linesIn(path)).map((line) => {
    const { asked, ...kept } = JSON.parse(line) as Line & { asked: Asked }
    return {
      asked,
      state: stateOf(kept, passages),
      documentOf: ({ chunk_id }) => passages.get(chunk_id)?.in ?? '',
    }
  })
}

export const lineOf = ({
  foundPassages,
  statistics,
  names,
  documents,
  message: _,
  ...state
}: RetrievalState): Line => ({
  ...state,
  names: [...names],
  documents: [...documents],
  statistics: {
    ...statistics,
    corrections: [...(statistics.corrections ?? [])],
    wordsInCompounds: [...(statistics.wordsInCompounds ?? [])],
    joinedTerms: [...(statistics.joinedTerms ?? [])],
  },
  found: [...foundPassages.values()].map(({ passage: { chunk_id, meant }, ...rest }) => ({
    id: chunk_id,
    ...rest,
    ...(meant !== undefined && { meant }),
  })),
})

export function stateOf(
  { found, statistics, names, documents, ...state }: Line,
  passages: ReadonlyMap<string, Passage>,
): RetrievalState {
  const all = found.flatMap(({ id, meant, ...rest }): FoundPassage[] => {
    const passage = passages.get(id)
    if (!passage) return []
    return [{ passage: { ...passage, ...(meant !== undefined && { meant }) }, ...rest }]
  })
  return {
    ...state,
    message: analysedText(state.question.text),
    names: new Set(names),
    codesElsewhere: new Set(),
    documents: new Set(documents),
    statistics: {
      ...statistics,
      corrections: new Map(statistics.corrections),
      wordsInCompounds: new Set(statistics.wordsInCompounds),
      joinedTerms: new Map(statistics.joinedTerms),
    },
    foundPassages: new Map(all.map((one) => [one.passage.chunk_id, one])),
  }
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
    const tools = bindTools(service.deps, service.caller, workspaceId, { signal, outOfTime: () => false })
    const report = onProgress(`${set.name}: search`)
    const left = [...questions]
    let done = 0
    const drain = async (): Promise<void> => {
      for (let asked = left.shift(); asked; asked = left.shift()) {
        const state = await stateFor(tools, asked.text)
        done++
        if (state) {
          for (const { passage } of state.foundPassages.values()) passages.set(passage.chunk_id, passage)
          lines.push(JSON.stringify({ asked, ...lineOf(state) }))
        }
        report(done, questions.length)
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

async function stateFor(tools: Tools, question: string): Promise<RetrievalState | undefined> {
  const gathering = gather(tools, { question, topic: '' })
  for (;;) {
    const { done, value } = await gathering.next()
    if (done) return value.table || value.summary ? undefined : value.state
  }
}

/** Whole, or not at all. */
async function writeLines(path: string, lines: readonly string[]): Promise<void> {
  const file = createWriteStream(`${path}.part`)
  for (const line of lines) file.write(`${line}\n`)
  await new Promise<void>((resolve, reject) => file.on('error', reject).end(resolve))
  await rename(`${path}.part`, path)
}
