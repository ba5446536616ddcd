// Answers and search on other sets than those that the weights were chosen on. `sec10q`: quarterly reports of several companies, whose questions mean
// some of them by company and period, with reference answers. `xquad`: paragraphs of articles in several languages, of which
// every second article is loaded; questions on the others have no answer. `--data DIR` holds the folders of both; `--only ru,zh`
// asks in these languages alone, and writes a part of its own. `--resume DIR` keeps the filled services, and the replies in
// lines of JSON that other scorers can read.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { openAsker } from '../src/eval/answers/ask.ts'
import type { KnownQuestion, QuestionSet } from '../src/eval/answers/questions.ts'
import { estimate } from '../src/eval/measure/statistics.ts'
import { exists } from '../src/eval/set/set.ts'
import { progressOn } from '../src/progress-bar.ts'
import { openFilled } from './answers/filled.ts'
import { openKept } from './answers/kept.ts'
import { sampled } from './answers/sets.ts'
import { type BenchOptions, table } from './report.ts'
import { type Reference, referenceOf, shareHeld } from './unseen/reference.ts'
import { languagesIn, readLanguage } from './unseen/xquad.ts'

/** What a question was given: the reply, and what search alone finds. */
interface Given {
  id: string
  citations: { doc: string; text: string }[]
  hits: { doc: string; text: string }[]
  /** The reply states its quotes as the answer: neither "closest passages" nor a refusal. */
  plain: boolean
}

// The lead of a reply that quotes only what comes near, in the four languages of ask/extractive/wording.ts.
const CLOSEST =
  /^(?:The closest passages are|Am nächsten kommen diese Stellen|Les passages les plus proches sont|Los pasajes más cercanos son):/

export async function benchUnseen({ data, sample, resume, only }: BenchOptions): Promise<string> {
  if (data === undefined) throw new Error('unseen: --data DIR names the folder with sec10q, xquad or both')
  const sections: string[] = []
  const filings = join(data, 'sec10q')
  if (only === undefined && (await exists(filings)))
    sections.push(await measureFilings(filings, sample, resume))
  const languages = join(data, 'xquad')
  if (await exists(languages)) sections.push(await measureRefusals(languages, { only, resume }))
  const title = only
    ? `Other languages (embedded, no model)`
    : 'Answers and search on other sets (embedded, no model)'
  return `## ${title}\n\n${sections.join('\n\n')}`
}

async function givenFor(
  set: QuestionSet,
  questions: readonly Pick<KnownQuestion, 'id' | 'text'>[],
  resume: string | undefined,
): Promise<Given[]> {
  const progress = progressOn(process.stderr)
  const target = await openFilled(set, resume && join(resume, `service-${set.name}`), progress)
  try {
    const kept = await openKept<Given>(resume && join(resume, `unseen-${set.name}.jsonl`))
    const ask = openAsker(target.workspace)
    const report = progress(`${set.name}: ask`)
    const left = questions.filter(({ id }) => !kept.results.has(id))
    let done = questions.length - left.length
    // Two: one waits for the database while the other reads what came.
    await Promise.all(
      [0, 1].map(async () => {
        for (let next = left.shift(); next; next = left.shift()) {
          const { text, citations } = await ask(next.text)
          const found = await target.search(next.text)
          await kept.keep({
            id: next.id,
            citations: citations.map(({ documents, text }) => ({ doc: documents[0] ?? '', text })),
            hits: found.map(({ documents, text }) => ({ doc: documents[0] ?? '', text })),
            plain: citations.length > 0 && !CLOSEST.test(text),
          })
          report(++done, questions.length)
        }
      }),
    )
    return questions.flatMap(({ id }) => kept.results.get(id) ?? [])
  } finally {
    await target.close()
  }
}

const FilingQuestion = z.object({ id: z.string(), text: z.string(), answer: z.string() })

async function measureFilings(
  folder: string,
  sample: number | undefined,
  resume: string | undefined,
): Promise<string> {
  const lines = (await readFile(join(folder, 'queries.jsonl'), 'utf8')).split('\n').filter(Boolean)
  const all = lines.map((line) => FilingQuestion.parse(JSON.parse(line)))
  const right = new Map<string, Set<string>>()
  for (const line of (await readFile(join(folder, 'qrels.tsv'), 'utf8')).split('\n')) {
    const [question, document] = line.split('\t')
    if (question && document) right.set(question, (right.get(question) ?? new Set()).add(document))
  }
  const files = (await readdir(join(folder, 'pdfs'))).filter((name) => name.endsWith('.pdf')).sort()
  const documents = files.map((name) => ({
    id: name.replace(/\.pdf$/, ''),
    path: join(folder, 'pdfs', name),
  }))
  const questions = sampled(all, sample)
  const set = { name: 'sec10q', documents, questions: [] }
  const given = await givenFor(set, questions, resume)
  const scores = new Scores()
  for (const { id, citations, hits, plain } of given) {
    const question = all.find((one) => one.id === id)
    if (!question) continue
    const isRight = ({ doc }: { doc: string }): boolean => right.get(id)?.has(doc) ?? false
    const reference = referenceOf(question)
    const textOf = (passages: readonly { text: string }[]): string =>
      passages.map(({ text }) => text).join(' ')
    scores.add('answered', citations.length > 0)
    scores.add('cites a right document', citations.some(isRight))
    if (citations.length) scores.add('citations of right documents', share(citations, isRight))
    if (plain) scores.add('stated as the answer: cites a right document', citations.some(isRight))
    scores.add(`cited text holds the answer, ${reference.kind}`, holds(reference, textOf(citations)))
    for (const most of [5, 10])
      scores.add(
        `search@${most} holds the answer, ${reference.kind}`,
        holds(reference, textOf(hits.slice(0, most))),
      )
    scores.add('search@5 of right documents', share(hits.slice(0, 5), isRight))
  }
  return `### sec10q: ${documents.length} quarterly reports, ${given.length} questions\n\nA passage holds an answer when at least half of the reference's figures (or, where it has none, of its key words) stand in it.\n\n${scores.table()}`
}

const holds = (reference: Reference, text: string): boolean => shareHeld(reference, text) >= 0.5

const share = <Item>(items: readonly Item[], test: (item: Item) => boolean): number =>
  items.length ? items.filter(test).length / items.length : 0

// Of each language: so many questions on loaded articles, and on articles that are not there.
const ANSWERABLE = 80
const UNANSWERABLE = 60

async function measureRefusals(
  folder: string,
  { only, resume }: Pick<BenchOptions, 'only' | 'resume'>,
): Promise<string> {
  const rows: string[][] = []
  let header: string[] = []
  for (const language of await languagesIn(folder, only)) {
    const set = await readLanguage(folder, language)
    const answerable = everyNth(set.answerable, ANSWERABLE)
    const unanswerable = everyNth(set.unanswerable, UNANSWERABLE)
    const given = await givenFor(
      { name: `xquad-${language}`, documents: set.documents, questions: [] },
      [...answerable, ...unanswerable],
      resume,
    )
    const byId = new Map(given.map((one) => [one.id, one]))
    const scores = new Scores()
    for (const { id } of unanswerable) {
      scores.add('refused', byId.get(id)?.citations.length === 0)
      scores.add('wrong: stated as the answer', byId.get(id)?.plain ?? false)
    }
    for (const { id, documents } of answerable) {
      const { citations = [], hits = [], plain = false } = byId.get(id) ?? {}
      const isRight = ({ doc }: { doc: string }): boolean => documents.has(doc)
      scores.add('answered', citations.length > 0)
      scores.add('right passage cited', citations.some(isRight))
      scores.add('… and stated as the answer', plain && citations.some(isRight))
      scores.add('search@1', hits.slice(0, 1).some(isRight))
      scores.add('search@5', hits.slice(0, 5).some(isRight))
    }
    header = scores.rows().map(([what]) => String(what))
    rows.push([language, ...scores.rows().map(([, mean]) => String(mean))])
  }
  return `### xquad, every second article loaded\n\nOf each language ${ANSWERABLE} questions on loaded articles and ${UNANSWERABLE} on the others, evenly drawn.\n\n${table(['language', ...header], rows)}`
}

/** `most` of the items, evenly over their order. */
const everyNth = <Item>(items: readonly Item[], most: number): Item[] =>
  items.length <= most
    ? [...items]
    : Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]).flatMap(
        (item) => item ?? [],
      )

class Scores {
  readonly #values = new Map<string, number[]>()

  add(metric: string, value: number | boolean): void {
    const values = this.#values.get(metric) ?? []
    this.#values.set(metric, values)
    values.push(Number(value))
  }

  rows(): (string | number)[][] {
    return [...this.#values].map(([metric, values]) => {
      const { mean, low, high } = estimate(values)
      return [metric, `${mean.toFixed(3)} ± ${((high - low) / 2).toFixed(3)}`, values.length]
    })
  }

  table(): string {
    return table(['what', 'mean', 'questions'], this.rows())
  }
}
