// The statistical extractor: names by case, cues and gazetteer, relations by patterns with argument types, nothing
// learned and nothing asked over the network. Pure: one document in, evidence out.

import type { Language } from '../../language/language.ts'
import type { ExtractChunk, Extraction, Mention } from '../extraction.ts'
import { nameKey } from '../names.ts'
import { findConcepts } from './concepts.ts'
import type { NamedSentence } from './names/coreference.ts'
import { type Found, findAcronyms, type RunText, resolve } from './names/coreference.ts'
import { isStrong } from './names/entity-type.ts'
import type { Reading, Run } from './names/refine.ts'
import { findQuotedTitles, findRuns } from './names/spans.ts'
import { countCasing, type TokenSentence, tokenise } from './names/tokens.ts'
import { findRelated } from './relations/cooccurrence.ts'
import { placesInNames } from './relations/places.ts'
import { findRelations } from './relations/relations.ts'
import { readTable } from './tables.ts'

export interface ExtractDocument {
  title: string
  language: Language
}

/** Mentions and relations of a document; the same for the same document, whatever else the workspace holds. */
export function extractGraph(document: ExtractDocument, chunks: readonly ExtractChunk[]): Extraction {
  const texts = new Map(chunks.map((chunk) => [chunk.chunk_no, chunk.text]))
  const textOf = (chunk_no: number): string => texts.get(chunk_no) ?? ''
  const prose = chunks.filter(({ type }) => type !== 'table')
  const sentences = withoutFurniture(
    prose.flatMap(({ chunk_no, text }) => tokenise(chunk_no, text)),
    prose.length,
    textOf,
  )
  const named = nameSentences(
    sentences,
    { casing: countCasing(sentences), language: document.language },
    textOf,
  )
  const concepts = findConcepts(sentences, document.language, textOf)
  const said = [...findRelations(named, textOf), ...placesInNames(named)]
  const tables = chunks.filter(({ type }) => type === 'table').map(readTable)
  return {
    mentions: [
      ...named.flatMap(({ names }) => names.map(asMention)),
      ...concepts,
      ...tables.flatMap(({ mentions }) => mentions),
    ],
    relations: [...said, ...findRelated(named, said), ...tables.flatMap(({ relations }) => relations)],
  }
}

const LEAST_REPEATS = 3

/** Leaves out lines that stand in more than half of the chunks: running headers and footers. */
function withoutFurniture(
  sentences: TokenSentence[],
  chunks: number,
  textOf: (chunk_no: number) => string,
): TokenSentence[] {
  if (chunks < LEAST_REPEATS) return sentences
  const lineOf = ({ chunk_no, start, end }: TokenSentence): string | undefined =>
    end - start > 120 ? undefined : textOf(chunk_no).slice(start, end).replace(/\d+/g, '0')
  const seen = new Map<string, Set<number>>()
  for (const sentence of sentences) {
    const line = lineOf(sentence)
    if (line !== undefined) seen.set(line, (seen.get(line) ?? new Set()).add(sentence.chunk_no))
  }
  const most = Math.max(LEAST_REPEATS - 1, chunks / 2)
  return sentences.filter((sentence) => (seen.get(lineOf(sentence) ?? '')?.size ?? 0) <= most)
}

function nameSentences(
  sentences: readonly TokenSentence[],
  reading: Reading,
  textOf: (chunk_no: number) => string,
): NamedSentence[] {
  const inProse = sentences.flatMap((sentence) =>
    sentence.title ? [] : namesOf(sentence, reading, textOf(sentence.chunk_no)),
  )
  const known = new Set(inProse.map(({ surface }) => nameKey(surface)))
  const inTitles = sentences.flatMap((sentence) =>
    sentence.title
      ? namesOf(sentence, reading, textOf(sentence.chunk_no)).filter(
          ({ run, surface }) => known.has(nameKey(surface)) || isStrong(run),
        )
      : [],
  )
  const runs = [...inProse, ...inTitles]
  const bySentence = new Map<TokenSentence, Found[]>(sentences.map((sentence) => [sentence, []]))
  for (const found of resolve(runs, findAcronyms(runs))) bySentence.get(found.run.sentence)?.push(found)
  return [...bySentence].map(([sentence, names]) => ({ sentence, names }))
}

/** Quoted titles first: a run inside one is part of it. */
function namesOf(sentence: TokenSentence, reading: Reading, text: string): RunText[] {
  const quoted = sentence.title ? [] : findQuotedTitles(sentence)
  const inQuotes = (run: Run): boolean => quoted.some((title) => run.from < title.to && title.from < run.to)
  const runs = [...quoted, ...findRuns(sentence, reading).filter((run) => !inQuotes(run))]
  return runs.sort((a, b) => a.from - b.from).map((run) => withText(run, text))
}

// "Acme Inc." and "U.S." keep their full stop unless it ends the sentence.
const KEEPS_STOP = /(?:\.\p{L}|\b(?:Inc|Ltd|Co|Corp|Jr|Sr|Bros))$/u

function withText(run: Run, text: string): RunText {
  const { tokens } = run.sentence
  const start = tokens[run.from]?.start ?? 0
  let end = tokens[run.to - 1]?.end ?? start
  if (text[end] === '.' && end + 1 < run.sentence.end && KEEPS_STOP.test(text.slice(start, end))) end++
  return { run, surface: text.slice(start, end).replace(/\s+/g, ' '), start, end }
}

const asMention = ({ run, surface, start, end, ownKey, key, type }: Found): Mention => ({
  chunk_no: run.sentence.chunk_no,
  key,
  surface,
  own: ownKey === key,
  type,
  start,
  end,
})
