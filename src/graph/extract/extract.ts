// The statistical extractor. It finds names by letter case, cue words and the gazetteer, and relations by patterns with argument
// types. It learns nothing and uses no network.

import { isCommonWord, isFirstName, isPlace } from '../../language/gazetteer.ts'
import type { ExtractChunk, ExtractDocument, Extraction, Mention } from '../extraction.ts'
import { nameKey } from '../names.ts'
import { findConcepts } from './concepts.ts'
import type { NamedSentence } from './names/coreference.ts'
import { findAcronyms, type NameMention, type ResolvedName, resolveNames } from './names/coreference.ts'
import { hasCertainType } from './names/entity-type.ts'
import { findNameSpans, findQuotedTitles, type NameContext, type NameSpan } from './names/spans.ts'
import { countCasing, startsClause, type TokenSentence, tokenize, withoutCode } from './names/tokens.ts'
import { placesInNames } from './relations/places.ts'
import { findRelations } from './relations/relations.ts'
import { extractFromTable } from './tables.ts'

/** The mentions and relations of a document. They do not depend on the rest of the workspace. */
export function extractGraph(
  document: Pick<ExtractDocument, 'title' | 'language'>,
  chunks: readonly ExtractChunk[],
): Extraction {
  const texts = new Map(chunks.map((chunk) => [chunk.chunk_no, chunk.text]))
  const textOf = (chunk_no: number): string => texts.get(chunk_no) ?? ''
  const prose = chunks.filter(({ type }) => type !== 'table')
  const textsWithoutCode = prose.map(({ text }) => withoutCode(text))
  const sentences = withoutRunningLines(
    prose.flatMap(({ chunk_no }, i) => tokenize(chunk_no, textsWithoutCode[i] ?? '')),
    prose.length,
    textOf,
  )
  const isTechnical = prose.some(({ text }, i) => textsWithoutCode[i] !== text)
  const context = { casing: countCasing(sentences), language: document.language }
  const namedSentences = findNames(sentences, context, isTechnical, textOf)
  const concepts = findConcepts(sentences, document.language, textOf)
  const statements = [...findRelations(namedSentences, textOf), ...placesInNames(namedSentences)]
  const tables = chunks.filter(({ type }) => type === 'table').map(extractFromTable)
  return {
    mentions: [
      ...namedSentences.flatMap(({ names }) => names.map(asMention)),
      ...concepts,
      ...tables.flatMap(({ mentions }) => mentions),
    ],
    relations: [...statements, ...tables.flatMap(({ relations }) => relations)],
  }
}

const MIN_REPEATS = 3

/** Removes running headers and footers, which are lines in more than half of the chunks. */
function withoutRunningLines(
  sentences: TokenSentence[],
  chunks: number,
  textOf: (chunk_no: number) => string,
): TokenSentence[] {
  if (chunks < MIN_REPEATS) return sentences
  const lineOf = ({ chunk_no, start, end }: TokenSentence): string | undefined =>
    end - start > 120 ? undefined : textOf(chunk_no).slice(start, end).replace(/\d+/g, '0')
  const chunksByLine = new Map<string, Set<number>>()
  for (const sentence of sentences) {
    const line = lineOf(sentence)
    if (line !== undefined)
      chunksByLine.set(line, (chunksByLine.get(line) ?? new Set()).add(sentence.chunk_no))
  }
  const maxChunks = Math.max(MIN_REPEATS - 1, chunks / 2)
  return sentences.filter((sentence) => (chunksByLine.get(lineOf(sentence) ?? '')?.size ?? 0) <= maxChunks)
}

function findNames(
  sentences: readonly TokenSentence[],
  context: NameContext,
  isTechnical: boolean,
  textOf: (chunk_no: number) => string,
): NamedSentence[] {
  const namesInProse = sentences.flatMap((sentence) =>
    sentence.isTitleLine ? [] : namesOf(sentence, context, textOf(sentence.chunk_no)),
  )
  const proseKeys = new Set(namesInProse.map(({ surface }) => nameKey(surface)))
  const namesInTitles = sentences.flatMap((sentence) =>
    sentence.isTitleLine
      ? namesOf(sentence, context, textOf(sentence.chunk_no)).filter(
          ({ span, surface }) => proseKeys.has(nameKey(surface)) || hasCertainType(span),
        )
      : [],
  )
  const mentions = withoutVerbs([...namesInProse, ...namesInTitles], textOf)
  const namesBySentence = new Map<TokenSentence, ResolvedName[]>(sentences.map((sentence) => [sentence, []]))
  for (const name of resolveNames(mentions, findAcronyms(mentions), isTechnical))
    namesBySentence.get(name.span.sentence)?.push(name)
  return [...namesBySentence].map(([sentence, names]) => ({ sentence, names }))
}

/**
 * Removes the verb from "Open Grafwise" and "Tap Grafwise Sync". A dictionary word that begins a sentence counts as a verb if the
 * name without it occurs inside sentences, and there more often than the whole name occurs anywhere.
 */
function withoutVerbs(
  mentions: readonly NameMention[],
  textOf: (chunk_no: number) => string,
): readonly NameMention[] {
  const counts = new Map<string, number>()
  const countsInside = new Map<string, number>()
  for (const { span, surface } of mentions) {
    const key = nameKey(surface)
    counts.set(key, (counts.get(key) ?? 0) + 1)
    if (!opensSentence(span)) countsInside.set(key, (countsInside.get(key) ?? 0) + 1)
  }
  return mentions.map((mention) => {
    const { span, surface } = mention
    const { sentence, from, to } = span
    const firstWord = sentence.tokens[from]?.lower ?? ''
    const isKnownName = isFirstName(firstWord) || isPlace(firstWord) || hasCertainType(span)
    if (to - from < 2 || span.isQuoted || !opensSentence(span) || isKnownName || !isCommonWord(firstWord))
      return mention
    const withoutFirstWord = mentionText({ ...span, from: from + 1 }, textOf(sentence.chunk_no))
    return (countsInside.get(nameKey(withoutFirstWord.surface)) ?? 0) > (counts.get(nameKey(surface)) ?? 0)
      ? withoutFirstWord
      : mention
  })
}

const opensSentence = ({ sentence: { tokens }, from }: NameSpan): boolean =>
  from === 0 || startsClause(tokens[from]?.gap ?? '')

/** The names of a sentence. A name inside a quoted title is part of the title. */
function namesOf(sentence: TokenSentence, context: NameContext, text: string): NameMention[] {
  const titles = sentence.isTitleLine ? [] : findQuotedTitles(sentence)
  const isInTitle = (span: NameSpan): boolean =>
    titles.some((title) => span.from < title.to && title.from < span.to)
  const mentions = [...titles, ...findNameSpans(sentence, context).filter((span) => !isInTitle(span))]
  return mentions.sort((a, b) => a.from - b.from).map((span) => mentionText(span, text))
}

// "Acme Inc." and "U.S." include their full stop unless it is the end of the sentence.
const ENDS_WITH_STOP = /(?:\.\p{L}|\b(?:Inc|Ltd|Co|Corp|Jr|Sr|Bros))$/u

function mentionText(span: NameSpan, text: string): NameMention {
  const { tokens } = span.sentence
  const start = tokens[span.from]?.start ?? 0
  let end = tokens[span.to - 1]?.end ?? start
  if (text[end] === '.' && end + 1 < span.sentence.end && ENDS_WITH_STOP.test(text.slice(start, end))) end++
  return { span, surface: text.slice(start, end).replace(/\s+/g, ' '), start, end }
}

const asMention = ({ span, surface, start, end, ownKey, key, type }: ResolvedName): Mention => ({
  chunk_no: span.sentence.chunk_no,
  key,
  surface,
  own: ownKey === key,
  type,
  start,
  end,
})
