// The thread of the bulk fill: makes documents, cuts and analyses them by the product's functions, counts their terms.
// Asked for a range of documents it answers with their rows; asked for `terms`, with the counts of a workspace.

import { parentPort, workerData } from 'node:worker_threads'
import { titleKey } from '../../src/documents/documents.ts'
import { uuid5 } from '../../src/identity.ts'
import {
  type Bag,
  bagOf,
  documentVectorBuilder,
  type IndexedTerms,
  isPair,
  sparseText,
  toLexicalVector,
} from '../../src/index/weights.ts'
import { chunksOf, documentLanguage } from '../../src/ingest/chunk/chunk.ts'
import { namesOf } from '../../src/ingest/names.ts'
import type { Language } from '../../src/language/language.ts'
import type { Block } from '../../src/reader/block.ts'
import type { BulkChunk, BulkDocument } from './bulk.sql.ts'
import { type Corpus, type MakeDoc, openCorpus } from './corpus.ts'

/** Documents `from` up to `to` of the corpus for a workspace, or the counts of what was made for it. */
export type Wish = { workspaceId: string; from: number; to: number } | { workspaceId: string; terms: true }

export interface Batch {
  documents: BulkDocument[]
  chunks: BulkChunk[]
}

/** Parallel, ascending by term. */
export interface TermCounts {
  terms: Int32Array
  counts: Int32Array
  words: string[]
}

const counted = new Map<string, Map<number, { word: string; count: number }>>()

function count(workspaceId: string, { terms, words }: IndexedTerms, pairs: number): void {
  const known = counted.get(workspaceId) ?? new Map<number, { word: string; count: number }>()
  counted.set(workspaceId, known)
  for (const [i, term] of terms.entries()) {
    const word = words[i] ?? ''
    const entry = known.get(term)
    const times = isPair(word) ? pairs : 1
    if (!entry) known.set(term, { word, count: times })
    else {
      entry.count += times
      if (word < entry.word) entry.word = word
    }
  }
}

function countsOf(workspaceId: string): TermCounts {
  const rows = [...(counted.get(workspaceId) ?? [])].sort(([a], [b]) => a - b)
  counted.delete(workspaceId)
  return {
    terms: Int32Array.from(rows, ([term]) => term),
    counts: Int32Array.from(rows, ([, { count }]) => count),
    words: rows.map(([, { word }]) => word),
  }
}

// Behind the end of a sentence no pair of words begins, so the terms of a text are those of its sentences: a tenth of
// the time where sentences come again.
const SENTENCE_END = /(?<=[.!?])\s+|\n+/
const MAX_SENTENCES = 120_000
const sentences = new Map<string, Bag>()

function bagBySentence(text: string, language: Language): Bag {
  const counts = new Map<string, number>()
  let length = 0
  for (const sentence of text.split(SENTENCE_END)) {
    const key = language + sentence
    const bag = sentences.get(key) ?? bagOf(sentence, language)
    if (sentences.size >= MAX_SENTENCES) sentences.clear()
    sentences.set(key, bag)
    for (const [term, count] of bag.counts) counts.set(term, (counts.get(term) ?? 0) + count)
    length += bag.length
  }
  return { counts, length }
}

/** What parsing the Markdown gives: marks inside of real sentences aside. Parsing was half of the time. */
const blocksOf = (title: string, text: string): Block[] => [
  { kind: 'heading', level: 1, text: title },
  ...text.split('\n\n').map((part): Block => {
    const isHeading = part.startsWith('## ')
    return isHeading ? { kind: 'heading', level: 2, text: part.slice(3) } : { kind: 'paragraph', text: part }
  }),
]

/** The rows that the pipeline writes for a Markdown upload of the document. */
function rowsOf(makeDoc: MakeDoc, workspaceId: string, index: number): Batch {
  const { title, text } = makeDoc(index)
  const path = `${String(index + 1).padStart(7, '0')}.md`
  const id = uuid5(workspaceId, `upload\0${path}`)
  const versionId = uuid5(id, 'bulk')
  const parsed = { title, blocks: blocksOf(title, text) }
  const { name } = namesOf(parsed, path)
  const whole = documentVectorBuilder(title, name)
  const chunks = [...chunksOf(id, parsed)].map((chunk, chunkNo): BulkChunk => {
    const said = chunk.indexed ?? chunk.text
    const own = { title, name, heading: chunk.heading, text: said, language: chunk.language }
    const { terms, weights, indexed, pairs, body } = toLexicalVector(own, bagBySentence(said, chunk.language))
    whole.add(body, chunk.language)
    count(workspaceId, indexed, pairs)
    const { id: chunkId, type, heading, language } = chunk
    const side = {
      lex: sparseText({ terms, weights }),
      terms: `{${indexed.terms.join()}}`,
      words: indexed.words.join('\n'),
      pairs,
    }
    return {
      versionId,
      documentId: id,
      chunkNo,
      id: chunkId,
      type,
      text: chunk.text,
      heading,
      language,
      ...side,
    }
  })
  const language = documentLanguage(parsed)
  const document = { id, versionId, path, title, titleKey: titleKey(title), language, chunks: chunks.length }
  const side = whole.vector()
  return { documents: [{ ...document, lex: side && sparseText(side) }], chunks }
}

const makeDoc = await openCorpus(workerData as Corpus)
parentPort?.on('message', (wish: Wish) => {
  if ('terms' in wish) {
    parentPort?.postMessage(countsOf(wish.workspaceId))
    return
  }
  const made = Array.from({ length: wish.to - wish.from }, (_, i) =>
    rowsOf(makeDoc, wish.workspaceId, wish.from + i),
  )
  const batch: Batch = {
    documents: made.flatMap(({ documents }) => documents),
    chunks: made.flatMap(({ chunks }) => chunks),
  }
  parentPort?.postMessage(batch)
})
