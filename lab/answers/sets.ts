// The sets answers are measured on. Two have the layout of docs/evaluation.md; financebench15 names pages in its qrels and
// keeps its files in pdfs/, so its questions are read here.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type QuestionSet, readQuestions } from '../../src/eval/answers/questions.ts'
import { drawIndex, seededRandom } from '../../src/eval/measure/random.ts'
import { exists } from '../../src/eval/set/set.ts'

export async function readAnswerSet(folder: string): Promise<QuestionSet> {
  return (await exists(join(folder, 'pdfs'))) ? readPaged(folder) : readQuestions(folder, true)
}

const PagedQuestion = z.object({
  id: z.string(),
  text: z.string(),
  answer: z.string(),
  evidence: z.array(z.object({ doc: z.string(), page: z.int() })),
})

async function readPaged(folder: string): Promise<QuestionSet> {
  const files = (await readdir(join(folder, 'pdfs'))).filter((name) => name.endsWith('.pdf')).sort()
  const lines = (await readFile(join(folder, 'queries.jsonl'), 'utf8')).split('\n').filter(Boolean)
  const questions = lines.map((line) => {
    const { id, text, answer, evidence } = PagedQuestion.parse(JSON.parse(line))
    const pages = evidence.map(({ doc, page }) => ({ document: `${doc}.pdf`, page }))
    const documents = new Set(pages.map(({ document }) => document))
    return { id, text, answers: figuresOf(answer), documents, facts: [], pages }
  })
  const documents = files.map((name) => ({ id: name, path: join(folder, 'pdfs', name) }))
  return { name: 'financebench15', documents, questions }
}

/** The figures of an answer, years aside, as filings may write them: `$1577.00` is also 1,577. */
export const figuresOf = (answer: string): string[] =>
  [...answer.matchAll(/\d[\d,]*(?:\.\d+)?/g)]
    .map(([figure]) => figure.replaceAll(',', ''))
    .filter((figure) => figure.replace(/\D/g, '').length > 1 && !/^(?:19|20)\d\d$/.test(figure))
    .flatMap((figure) => [figure, figure.replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros))])

const SEED = 20_261_121

/** The same `most` of them on every run, in their order; a smaller sample is part of a larger one. */
export function sampled<Item>(items: readonly Item[], most: number | undefined): Item[] {
  if (most === undefined || most >= items.length) return [...items]
  const random = seededRandom(SEED)
  const places = items.map((_, i) => i)
  for (let i = places.length - 1; i > 0; i--) {
    const j = drawIndex(random, i + 1)
    const [a = 0, b = 0] = [places[i], places[j]]
    places[i] = b
    places[j] = a
  }
  const drawn = new Set(places.slice(0, most))
  return items.filter((_, i) => drawn.has(i))
}
