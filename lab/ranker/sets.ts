// The sets that the ranker is fitted on, some of them with half of their documents left out: the questions on those have no answer.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KnownQuestion, QuestionSet } from '../../src/eval/answers/questions.ts'
import { readQuestions } from '../../src/eval/answers/questions.ts'
import { readAnswerSet, sampled } from '../answers/sets.ts'
import { referenceOf } from '../unseen/reference.ts'

/** A question, and by what an answer to it is known. */
export interface Asked {
  id: string
  text: string
  /** Whether the loaded documents hold an answer. */
  answerable: boolean
  documents: string[]
  answers: string[]
  facts: string[]
  pages: { document: string; page: number }[]
  reference?: { kind: 'figures' | 'words'; wanted: string[] }
}

const asked = (one: KnownQuestion, answerable: boolean): Asked => ({
  id: one.id,
  text: one.text,
  answerable,
  documents: [...one.documents],
  answers: one.answers,
  facts: one.facts,
  pages: one.pages,
})

export interface FittedSet {
  set: QuestionSet
  questions: Asked[]
}

/** `xquad-de`, `sec10q`, `sec10q-half`, `musique100-half` … */
export async function readFittedSet(
  data: string,
  name: string,
  sample: number | undefined,
): Promise<FittedSet> {
  const half = name.endsWith('-half')
  const base = name.replace(/-half$/, '')
  if (base.startsWith('xquad-')) {
    const set = await readQuestions(join(data, 'xquad', base.slice(6)), true)
    const isLoaded = (id: string): boolean => Number(/^\D*(\d\d)/.exec(id)?.[1]) % 2 === 0
    const documents = (set.documents ?? []).filter(({ id }) => isLoaded(id))
    const questions = set.questions.map((one) => asked(one, [...one.documents].some(isLoaded)))
    return { set: { name: base, documents, questions: [] }, questions: sampled(questions, sample) }
  }
  if (base === 'sec10q') return filings(join(data, base), half)
  if (base === 'everyday') return everyday(join(data, base))
  const set = await readAnswerSet(join(data, base))
  if (!half)
    return { set, questions: sampled(set.questions, sample).map((one) => asked(one, one.documents.size > 0)) }
  const answered = set.questions.filter(({ documents }) => documents.size > 0)
  // Of FinanceBench half of the companies; of others every second question's documents.
  const company = (id: string): string => id.split('_')[0] ?? id
  const companies = [...new Set((set.documents ?? []).map(({ id }) => company(id)))].sort()
  const isOut =
    base === 'financebench15'
      ? (one: KnownQuestion) => [...one.documents].some((id) => companies.indexOf(company(id)) % 2 === 1)
      : (one: KnownQuestion) => answered.indexOf(one) % 2 === 1
  const out = new Set(answered.filter(isOut).flatMap(({ documents }) => [...documents]))
  const documents = (set.documents ?? []).filter(({ id }) =>
    base === 'financebench15' ? companies.indexOf(company(id)) % 2 === 0 : !out.has(id),
  )
  const questions = answered
    .filter((one) => isOut(one) || ![...one.documents].some((id) => out.has(id)))
    .map((one) => asked(one, !isOut(one)))
  return { set: { name, documents, questions: [] }, questions: sampled(questions, sample) }
}

interface EverydayLine {
  id: string
  text: string
  kind: string
  docs?: string[]
  passage?: string
  follow?: string
}

/** Questions over an office's files; those that continue a conversation are left out. */
async function everyday(folder: string): Promise<FittedSet> {
  const lines = (await readFile(join(folder, 'questions.jsonl'), 'utf8')).split('\n').filter(Boolean)
  const questions = lines
    .map((line) => JSON.parse(line) as EverydayLine)
    .filter(({ follow }) => follow === undefined)
    .map(({ id, text, kind, docs = [], passage = '' }): Asked => {
      const facts = passage.split('\n').filter(Boolean)
      return { id, text, answerable: kind !== 'none', documents: docs, answers: [], facts, pages: [] }
    })
  const files = (await readdir(join(folder, 'files'))).sort()
  const documents = files.map((id) => ({ id, path: join(folder, 'files', id) }))
  return { set: { name: 'everyday', documents, questions: [] }, questions }
}

async function filings(folder: string, half: boolean): Promise<FittedSet> {
  const right = new Map<string, string[]>()
  for (const line of (await readFile(join(folder, 'qrels.tsv'), 'utf8')).split('\n')) {
    const [question, document] = line.split('\t')
    if (question && document) right.set(question, [...(right.get(question) ?? []), document])
  }
  const lines = (await readFile(join(folder, 'queries.jsonl'), 'utf8')).split('\n').filter(Boolean)
  const all = lines.map((line) => JSON.parse(line) as { id: string; text: string; answer: string })
  const company = (id: string): string => id.split(' ').at(-1) ?? id
  const files = (await readdir(join(folder, 'pdfs'))).filter((name) => name.endsWith('.pdf')).sort()
  const companies = [...new Set(files.map((name) => company(name.replace(/\.pdf$/, ''))))].sort()
  const isLoaded = (id: string): boolean => !half || companies.indexOf(company(id)) % 2 === 0
  const documents = files
    .map((name) => ({ id: name.replace(/\.pdf$/, ''), path: join(folder, 'pdfs', name) }))
    .filter(({ id }) => isLoaded(id))
  const questions = all
    .map(({ id, text, answer }): Asked => {
      const { kind, wanted } = referenceOf({ text, answer })
      const gold = right.get(id) ?? []
      const reference = { kind, wanted: [...wanted] }
      return {
        id,
        text,
        answerable: gold.some(isLoaded),
        documents: gold,
        answers: [],
        facts: [],
        pages: [],
        reference,
      }
    })
    // Half answered is neither.
    .filter(({ documents: gold }) => gold.every(isLoaded) || !gold.some(isLoaded))
  return { set: { name: half ? 'sec10q-half' : 'sec10q', documents, questions: [] }, questions }
}
