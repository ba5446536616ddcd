// Key phrases as concepts: two or three ordinary words that a document repeatedly uses together, in at least two
// chunks. Uses stop words and word lists instead of a parser. Not measured.

import { isModifier } from '../../language/gazetteer.ts'
import type { Language } from '../../language/language.ts'
import { isStopWord } from '../../language/stem.ts'
import type { Mention } from '../extraction.ts'
import type { Token, TokenSentence } from './names/tokens.ts'

const MIN_CHUNKS = 2
const MIN_MENTIONS = 3
const MAX_LENGTH = 3
// At least five for a document, and one more for every 20 chunks.
const MIN_CONCEPTS = 5
const MAX_CONCEPTS = 20

interface Phrase {
  key: string
  chunks: Set<number>
  /** How often it is what somebody does: "you may request". */
  verbUses: number
  mentions: { sentence: TokenSentence; from: number; to: number }[]
}

/**
 * Mentions of the document's key phrases. Not for German, whose nouns are capitalised and form compounds instead of
 * phrases.
 */
export function findConcepts(
  sentences: readonly TokenSentence[],
  language: Language,
  textOf: (chunk: number) => string,
): Mention[] {
  if (language === 'de' || language === 'xx') return []
  const phrases = new Map<string, Phrase>()
  const chunks = new Set<number>()
  for (const sentence of sentences) {
    chunks.add(sentence.chunk_no)
    for (const { from, to, key } of phrasesOf(sentence, language)) {
      let phrase = phrases.get(key)
      if (!phrase) {
        phrase = { key, chunks: new Set(), verbUses: 0, mentions: [] }
        phrases.set(key, phrase)
      }
      phrase.chunks.add(sentence.chunk_no)
      if (DOES.test(sentence.tokens[from - 1]?.low ?? '')) phrase.verbUses++
      phrase.mentions.push({ sentence, from, to })
    }
  }
  const limit = Math.min(MAX_CONCEPTS, MIN_CONCEPTS + Math.floor(chunks.size / 20))
  return choose(phrases, limit).flatMap((phrase) => mentionsOf(phrase, textOf))
}

function* phrasesOf(
  { tokens }: TokenSentence,
  language: Language,
): Generator<{ from: number; to: number; key: string }> {
  for (let from = 0; from < tokens.length; from++) {
    if (!isContentWord(tokens[from], language)) continue
    let key = tokens[from]?.low ?? ''
    for (let to = from + 1; to < tokens.length && to - from < MAX_LENGTH; to++) {
      const token = tokens[to]
      if (token?.gap !== ' ' || tokens[to - 1]?.possessive || !isContentWord(token, language)) break
      if (canEndPhrase(token)) yield { from, to: to + 1, key: `${key} ${singular(token.low)}` }
      key += ` ${token.low}`
    }
  }
}

const isContentWord = (token: Token | undefined, language: Language): boolean =>
  token?.shape === 'lower' &&
  token.low.length > 2 &&
  !isStopWord(token.low, language) &&
  !VAGUE.has(token.low) &&
  !MODAL.test(token.low) &&
  !/.{2}(?:ly|ed)$/.test(token.low)

/** Whether a phrase may end with the word: no adjective and no verb form. */
const canEndPhrase = ({ low }: Token): boolean =>
  low.length > 3 && !isModifier(low) && !/.{2}(?:ed|ous|ful|ive)$/.test(low)

const singular = (word: string): string =>
  word.length > 4 && /[^siu]s$/.test(word) ? word.replace(/ies$/, 'y').replace(/s$/, '') : word

// Before a verb; three mentions of which one is verbal may still be a noun's.
const MODAL = /^(?:may|might|can|could|will|would|shall|should|must|cannot|let|please)$/
const DOES =
  /^(?:i|you|we|they|he|she|it|who|to|not|may|might|can|could|will|would|shall|should|must|cannot|please)$/

const VAGUE = new Set(
  (
    'its their his her our your who which that this these those about because while when where how why what ' +
    'new other many much several various same different certain following given based using used use made make take ' +
    'made first second third last next one two three four five six seven eight nine ten hundred thousand million ' +
    'billion per cent percent year years month months week weeks day days time times way ways thing things number ' +
    'numbers part parts kind lot people person example case end set include includes including also well like said ' +
    'says get got good great big small high low large long short early late full able make sure really going want'
  ).split(' '),
)

/** The most frequent phrases; one that mostly occurs inside a longer phrase is dropped for it (C-value). */
function choose(phrases: ReadonlyMap<string, Phrase>, limit: number): Phrase[] {
  const frequentPhrases = [...phrases.values()].filter(
    ({ chunks, mentions, verbUses }) =>
      chunks.size >= MIN_CHUNKS && mentions.length >= MIN_MENTIONS && verbUses <= mentions.length / 3,
  )
  const inLonger = new Map<string, number>()
  for (const { key, mentions } of frequentPhrases) {
    const words = key.split(' ')
    if (words.length < MAX_LENGTH) continue
    for (const part of [words.slice(0, 2).join(' '), words.slice(1).join(' ')]) {
      inLonger.set(part, Math.max(inLonger.get(part) ?? 0, mentions.length))
    }
  }
  return frequentPhrases
    .map((phrase) => ({ phrase, score: scoreOf(phrase, inLonger.get(phrase.key) ?? 0) }))
    .filter(({ score }) => score >= MIN_MENTIONS)
    .sort((a, b) => b.score - a.score || (a.phrase.key < b.phrase.key ? -1 : 1))
    .slice(0, limit)
    .map(({ phrase }) => phrase)
}

const scoreOf = ({ key, mentions }: Phrase, inLonger: number): number =>
  (mentions.length - inLonger) * Math.log2(key.split(' ').length + 1)

function mentionsOf({ key, mentions }: Phrase, textOf: (chunk: number) => string): Mention[] {
  return mentions.map(({ sentence, from, to }) => {
    const start = sentence.tokens[from]?.start ?? 0
    const end = sentence.tokens[to - 1]?.end ?? start
    const surface = textOf(sentence.chunk_no).slice(start, end).replace(/\s+/g, ' ')
    return { chunk_no: sentence.chunk_no, key, surface, own: surface === key, type: 'concept', start, end }
  })
}
