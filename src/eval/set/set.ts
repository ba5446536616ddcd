// Reads and checks a set of queries with judged documents, before anything is uploaded (docs/evaluation.md). It is a folder in
// the layout of BEIR: corpus.jsonl (or a folder files/), queries.jsonl and qrels.tsv; or one file of questions about an existing
// workspace, as the service exports it.

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
  /** Undefined if the judgments refer to documents of an existing workspace. */
  documents: SetDocument[] | undefined
  queries: SetQuery[]
  /** Queries without a relevant document. They are not sent, since nothing could be measured. */
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
const MAX_CHARACTERS = 2000
const QueryLine = withId({
  text: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_CHARACTERS, 'must have at most 2,000 characters'),
  facts: z.array(z.string()).nullish(),
})

/** Fields of a line of a single file. A folder has them in separate files. */
export const SINGLE_FILE_FIELDS = {
  documents: z.record(z.string(), z.number()).default({}),
  // Whether the right documents are unknown, so that nothing can be measured.
  unjudged: z.boolean().default(false),
}
const SingleFileLine = withId({
  // Questions may be longer than search queries. `readSingleFile` leaves out those that are too long.
  text: z.string('must be a string').trim().min(1, 'must not be empty'),
  facts: z.array(z.string()).nullish(),
  ...SINGLE_FILE_FIELDS,
})

/** Whether the set is one file of questions instead of a folder. */
export const isSingleFile = (path: string): boolean => /\.jsonl$/i.test(path)

/** @throws EvaluationFailed: a single file has no documents */
export function requireWorkspaceFor(path: string, withDocuments: boolean): void {
  if (isSingleFile(path) && withDocuments)
    throw wrongSet(
      `${basename(path)} has questions only: name the service and workspace they are about with --url and --workspace.`,
    )
}
const FactLine = withId({ fact: z.string('must be a string').min(1, 'must not be empty') })

/** @param withDocuments false for the documents of an existing workspace. @throws EvaluationFailed */
export async function readSet(folder: string, withDocuments: boolean): Promise<EvalSet> {
  requireWorkspaceFor(folder, withDocuments)
  if (isSingleFile(folder)) return readSingleFile(folder)
  const documents = withDocuments ? await readDocuments(folder) : undefined
  const queries = await readQueries(folder, QueryLine)
  const documentIds = documents && new Set(documents.map((document) => document.id))
  const judgments = await readJudgments(folder, new Set(queries.keys()), documentIds)
  const judgedQueries = [...queries.values()].flatMap(({ id, text, facts }) => {
    const grades = judgments.get(id)
    return grades && [...grades.values()].some((grade) => grade > 0) ? [{ id, text, facts, grades }] : []
  })
  if (judgedQueries.length === 0) throw wrongSet('qrels.tsv names no relevant document for any query.')
  return {
    name: nameOf(folder),
    documents,
    queries: judgedQueries,
    unjudged: queries.size - judgedQueries.length,
  }
}

async function readSingleFile(path: string): Promise<EvalSet> {
  const lines = [...(await readQueries(path, SingleFileLine)).values()]
  const queries = lines.flatMap(({ id, text, facts, documents, unjudged }): SetQuery[] => {
    const grades = new Map(Object.entries(documents))
    const isJudged = !unjudged && [...grades.values()].some((grade) => grade > 0)
    return isJudged && text.length <= MAX_CHARACTERS ? [{ id, text, facts, grades }] : []
  })
  if (queries.length === 0) throw wrongSet(`${basename(path)} names no relevant document for any query.`)
  return { name: nameOf(path), documents: undefined, queries, unjudged: lines.length - queries.length }
}

/** The name of a set, in reports. */
export const nameOf = (path: string): string => basename(resolve(path)).replace(/\.jsonl$/i, '')

/** The lines of queries.jsonl, or of a single file, by id; facts as sentences instead of their ids. */
export async function readQueries<Shape extends { id: string; facts?: string[] | null | undefined }>(
  folder: string,
  schema: z.ZodType<Shape>,
): Promise<Map<string, Omit<Shape, 'facts'> & { facts: string[] }>> {
  const isSingle = isSingleFile(folder)
  const [path, name] = isSingle
    ? [folder, basename(folder)]
    : [join(folder, 'queries.jsonl'), 'queries.jsonl']
  const facts = isSingle ? undefined : await readFacts(folder)
  const queries = new Map<string, Omit<Shape, 'facts'> & { facts: string[] }>()
  for await (const line of linesOf(path, name)) {
    const query = parseLine(line, schema)
    if (queries.has(query.id)) throw wrongSet(`${line.location}: the query id "${query.id}" is used twice.`)
    const evidence = (query.facts ?? []).map((nameOrText) => {
      const fact = facts ? facts.get(nameOrText) : nameOrText
      if (fact === undefined) throw wrongSet(`${line.location}: facts.jsonl has no fact "${nameOrText}".`)
      return fact
    })
    queries.set(query.id, { ...query, facts: evidence })
  }
  if (queries.size === 0) throw wrongSet(`${name} has no query.`)
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
    if (documents.has(id)) throw wrongSet(`${line.location}: the document id "${id}" is used twice.`)
    if (!text.trim() && !title?.trim()) throw wrongSet(`${line.location}: the document "${id}" has no text.`)
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
    if (facts.has(id)) throw wrongSet(`${line.location}: the fact id "${id}" is used twice.`)
    facts.set(id, fact)
  }
  return facts
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
