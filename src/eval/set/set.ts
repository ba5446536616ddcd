// A set of queries with judged documents: corpus.jsonl (or a folder files/), queries.jsonl and qrels.tsv, in the layout
// of BEIR (docs/evaluation.md). All of it is read and checked before anything is uploaded.

import { access, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { wrongSet } from '../error.ts'
import { linesOf, parseLine } from './lines.ts'
import { readJudgments } from './qrels.ts'

/** A text of corpus.jsonl, or a file. */
export type SetDocument = { id: string; title?: string; text: string } | { id: string; path: string }

export interface SetQuery {
  id: string
  text: string
  /** Document → grade; at least one is above 0. */
  grades: ReadonlyMap<string, number>
  /** Evidence sentences, where the set has them. */
  facts: string[]
}

export interface EvalSet {
  name: string
  /** Undefined: the judgments name documents of an existing workspace. */
  documents: SetDocument[] | undefined
  queries: SetQuery[]
  /** Queries without a relevant document. They are not asked, since nothing could be measured. */
  unjudged: number
}

const id = z.union([z.string('must be a string'), z.number().transform(String)]).pipe(
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    // Tabs separate the columns of qrels.tsv.
    .refine((text) => !/[\t\n\r]/.test(text), 'must not contain tabs or line breaks'),
)
/** An object with an id, which BEIR calls `_id`. */
export const withId = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (value) =>
      typeof value === 'object' && value !== null && '_id' in value && !('id' in value)
        ? { ...value, id: value._id }
        : value,
    z.object({ id, ...shape }, 'must be a JSON object'),
  )
const CorpusLine = withId({
  title: z.string('must be a string').nullish(),
  text: z.string('must be a string'),
})
const QueryLine = withId({
  text: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(2000, 'must have at most 2,000 characters'),
  facts: z.array(z.string()).nullish(),
})
const FactLine = withId({ fact: z.string('must be a string').min(1, 'must not be empty') })

/** @param withDocuments false for the documents of an existing workspace. @throws EvaluationFailed */
export async function readSet(folder: string, withDocuments: boolean): Promise<EvalSet> {
  const documents = withDocuments ? await readDocuments(folder) : undefined
  const queries = await readQueries(folder, QueryLine)
  const known = documents && new Set(documents.map((document) => document.id))
  const judgments = await readJudgments(folder, new Set(queries.keys()), known)
  const judged = [...queries.values()].flatMap(({ id, text, facts }) => {
    const grades = judgments.get(id)
    return grades && [...grades.values()].some((grade) => grade > 0) ? [{ id, text, facts, grades }] : []
  })
  if (judged.length === 0) throw wrongSet('qrels.tsv names no relevant document for any query.')
  return {
    name: basename(resolve(folder)),
    documents,
    queries: judged,
    unjudged: queries.size - judged.length,
  }
}

/** The lines of queries.jsonl by id, with the ids of their facts replaced by sentences. */
export async function readQueries<Shape extends { id: string; facts?: string[] | null | undefined }>(
  folder: string,
  schema: z.ZodType<Shape>,
): Promise<Map<string, Omit<Shape, 'facts'> & { facts: string[] }>> {
  const facts = await readFacts(folder)
  const queries = new Map<string, Omit<Shape, 'facts'> & { facts: string[] }>()
  for await (const line of linesOf(join(folder, 'queries.jsonl'), 'queries.jsonl')) {
    const query = parseLine(line, schema)
    if (queries.has(query.id)) throw wrongSet(`${line.at}: the query id "${query.id}" is used twice.`)
    const evidence = (query.facts ?? []).map((name) => {
      const fact = facts.get(name)
      if (fact === undefined) throw wrongSet(`${line.at}: facts.jsonl has no fact "${name}".`)
      return fact
    })
    queries.set(query.id, { ...query, facts: evidence })
  }
  if (queries.size === 0) throw wrongSet('queries.jsonl has no query.')
  return queries
}

export async function readDocuments(folder: string): Promise<SetDocument[]> {
  if (await exists(join(folder, 'corpus.jsonl'))) return await readCorpus(folder)
  if (await exists(join(folder, 'files'))) return await readFiles(join(folder, 'files'))
  throw wrongSet(
    `${folder} has neither corpus.jsonl nor a folder files/. docs/evaluation.md shows what a set looks like.`,
  )
}

async function readCorpus(folder: string): Promise<SetDocument[]> {
  const documents = new Map<string, SetDocument>()
  for await (const line of linesOf(join(folder, 'corpus.jsonl'), 'corpus.jsonl')) {
    const { id, title, text } = parseLine(line, CorpusLine)
    if (documents.has(id)) throw wrongSet(`${line.at}: the document id "${id}" is used twice.`)
    if (!text.trim() && !title?.trim()) throw wrongSet(`${line.at}: the document "${id}" has no text.`)
    documents.set(id, { id, text, ...(title?.trim() ? { title: title.trim() } : {}) })
  }
  if (documents.size === 0) throw wrongSet('corpus.jsonl has no document.')
  return [...documents.values()]
}

/** All files in the folder and below, except hidden ones; the ids are paths with slashes. */
async function readFiles(folder: string): Promise<SetDocument[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const documents = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ id: path.slice(join(folder).length + 1).replaceAll('\\', '/'), path }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  if (documents.length === 0) throw wrongSet('The folder files/ of the set is empty.')
  return documents
}

async function readFacts(folder: string): Promise<Map<string, string>> {
  const facts = new Map<string, string>()
  if (!(await exists(join(folder, 'facts.jsonl')))) return facts
  for await (const line of linesOf(join(folder, 'facts.jsonl'), 'facts.jsonl')) {
    const { id, fact } = parseLine(line, FactLine)
    if (facts.has(id)) throw wrongSet(`${line.at}: the fact id "${id}" is used twice.`)
    facts.set(id, fact)
  }
  return facts
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
