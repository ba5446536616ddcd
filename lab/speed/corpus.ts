// Text for the speed bench, the same on every machine: pseudo-English by Zipf's law, or sentences of real sets put
// together anew. A document has one subject, so that words keep company as they do in real text; and questions whose
// paragraph is known.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawIndex, type Random, seededRandom } from '../../src/eval/measure/random.ts'

export interface Doc {
  id: string
  title: string
  text: string
}

export interface KnownItem {
  query: string
  /** How the paragraph it was made from begins. */
  gold: string
}

const PARAGRAPHS = 50
/** One paragraph is one chunk: the chunker closes one at 220 words. */
export const PARAGRAPH_WORDS = 225
const SENTENCE = 13
const VOCABULARY = 60_000
// A subject has words and sentences of its own. Sentences come again in other paragraphs, as set phrases do, so that
// pairs of words have frequencies (800,000 differ) and each sentence is read once by the bulk fill.
const SUBJECTS = 200
const SUBJECT_SENTENCES = 500
const SUBJECT_WORDS = 500
const SUBJECT_SHARE = 0.35
// The commonest words are English function words, so that the language is guessed and stop words are what they are.
const FUNCTION_WORDS =
  'the of and to in is that for it as was with on by this are be from or an at which have not has but they their its were can more one also other about when there into than'.split(
    ' ',
  )

export type MakeDoc = (index: number) => Doc & { items: KnownItem[] }

export interface Corpus {
  /** Folder of real sets; undefined: Zipf text. */
  data?: string | undefined
  /** Of a paragraph; fewer than the chunker's 220 stand under headings of their own, so that each is a chunk. */
  words: number
}

export async function openCorpus({ data, words }: Corpus): Promise<MakeDoc> {
  if (data === undefined) return zipfDocs(words)
  const found = await readdir(data, { recursive: true })
  return realDocs(
    found.filter((name) => name.endsWith('corpus.jsonl')).map((name) => join(data, name)),
    words,
  )
}

/** Documents of the Zipf kind. */
function zipfDocs(length: number): MakeDoc {
  const words = vocabulary()
  const byZipf = zipf(words.length)
  const subjectZipf = zipf(SUBJECT_WORDS)
  const sentenceOf = (subject: number, at: number): string => {
    const random = seededRandom(5_000_000 + subject * SUBJECT_SENTENCES + at)
    const first = Math.floor((subject * (VOCABULARY - SUBJECT_WORDS)) / SUBJECTS)
    const word = (): string =>
      words[random() < SUBJECT_SHARE ? first + subjectZipf(random) : byZipf(random)] ?? 'the'
    const text = Array.from({ length: SENTENCE }, word).join(' ')
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }
  const made = new Map<number, string>()
  const sentence = (subject: number, at: number): string => {
    const key = subject * SUBJECT_SENTENCES + at
    const known = made.get(key) ?? sentenceOf(subject, at)
    made.set(key, known)
    return known
  }
  return (index) => {
    const random = seededRandom(1000 + index)
    const subject = drawIndex(random, SUBJECTS)
    return assemble(index, random, length, () => sentence(subject, drawIndex(random, SUBJECT_SENTENCES)))
  }
}

/** Documents put together from the sentences of real corpora, each a JSON line with a text. */
async function realDocs(corpora: readonly string[], length: number): Promise<MakeDoc> {
  const runs: string[] = []
  for (const path of corpora) {
    for (const line of (await readFile(path, 'utf8')).split('\n').filter(Boolean)) {
      const sentences = (JSON.parse(line) as { text: string }).text.split(/(?<=[.!?])\s+/)
      for (let at = 0; at + 1 < sentences.length; at += 2) runs.push(`${sentences[at]} ${sentences[at + 1]}`)
    }
  }
  if (runs.length === 0) throw new Error('the corpora hold no sentences')
  return (index) => {
    const random = seededRandom(1000 + index)
    return assemble(index, random, length, () => runs[drawIndex(random, runs.length)] ?? '')
  }
}

function assemble(
  index: number,
  random: Random,
  length: number,
  sentence: () => string,
): Doc & { items: KnownItem[] } {
  const paragraphs = Array.from({ length: PARAGRAPHS }, () => {
    const sentences: string[] = []
    for (let words = 0; words < length; words += sentences.at(-1)?.split(' ').length ?? 1)
      sentences.push(sentence().replace(/\s+/g, ' '))
    return sentences.join(' ')
  })
  const items = paragraphs
    .slice(0, 2)
    .map((text) => ({ query: question(text, random), gold: text.slice(0, 60) }))
  const isShort = length < PARAGRAPH_WORDS
  const text = paragraphs.map((text, i) => (isShort ? `## Part ${i + 1}\n\n${text}` : text)).join('\n\n')
  return { id: String(index), title: `Report ${index}`, text, items }
}

/** Three to six words of the paragraph that carry meaning, as people type. */
function question(text: string, random: Random): string {
  const words = [...new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])].filter(
    (word) => !FUNCTION_WORDS.includes(word),
  )
  const wanted = Math.min(words.length, 3 + drawIndex(random, 4))
  return Array.from({ length: wanted }, () => words.splice(drawIndex(random, words.length), 1)[0]).join(' ')
}

const CONSONANTS = 'bcdfghklmnprstvw'
const VOWELS = 'aeiou'

function vocabulary(): string[] {
  const random = seededRandom(7)
  const pick = (letters: string): string => letters.charAt(drawIndex(random, letters.length))
  const made = new Set<string>()
  while (made.size < VOCABULARY) {
    const syllables = 2 + drawIndex(random, 3)
    const word = Array.from({ length: syllables }, () => pick(CONSONANTS) + pick(VOWELS)).join('')
    made.add(random() < 0.5 ? word + pick(CONSONANTS) : word)
  }
  return [...FUNCTION_WORDS, ...made]
}

/** Draws ranks with probability 1 / (rank + 2.7) (Zipf and Mandelbrot). */
function zipf(count: number): (random: Random) => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 2.7)
    sums[rank] = sum
  }
  return (random) => {
    const wanted = random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
