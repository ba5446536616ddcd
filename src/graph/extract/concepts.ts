// Key phrases as concepts: two or three ordinary words that a document repeatedly uses together, in at least two chunks. Stop words
// and word lists take the place of a parser. The quality has not been measured.

import { isModifier } from '../../language/gazetteer.ts'
import type { Language } from '../../language/language.ts'
import { isStopWord } from '../../language/stem.ts'
import type { Mention } from '../extraction.ts'
import type { Token, TokenSentence } from './names/tokens.ts'

const MIN_CHUNKS = 2
const MIN_MENTIONS = 3
const MAX_PHRASE_WORDS = 3
// A document may have BASE_CONCEPTS, and one more for every CHUNKS_PER_CONCEPT chunks, up to MAX_CONCEPTS.
const BASE_CONCEPTS = 5
const CHUNKS_PER_CONCEPT = 20
const MAX_CONCEPTS = 20

interface Phrase {
  key: string
  chunks: Set<number>
  /** How often the word before it shows that its first word is a verb: "you may request". */
  verbUses: number
  mentions: { sentence: TokenSentence; from: number; to: number }[]
}

/**
 * The mentions of the document's key phrases. German has none, because its nouns are capitalised and form compounds instead of
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
      if (BEFORE_VERB.test(sentence.tokens[from - 1]?.lower ?? '')) phrase.verbUses++
      phrase.mentions.push({ sentence, from, to })
    }
  }
  const limit = Math.min(MAX_CONCEPTS, BASE_CONCEPTS + Math.floor(chunks.size / CHUNKS_PER_CONCEPT))
  return chooseConcepts(phrases, limit).flatMap((phrase) => mentionsOf(phrase, textOf))
}

function* phrasesOf(
  { tokens }: TokenSentence,
  language: Language,
): Generator<{ from: number; to: number; key: string }> {
  for (let from = 0; from < tokens.length; from++) {
    if (!isContentWord(tokens[from], language)) continue
    let key = tokens[from]?.lower ?? ''
    for (let to = from + 1; to < tokens.length && to - from < MAX_PHRASE_WORDS; to++) {
      const token = tokens[to]
      if (token?.gap !== ' ' || tokens[to - 1]?.isPossessive || !isContentWord(token, language)) break
      if (canEndPhrase(token)) yield { from, to: to + 1, key: `${key} ${singular(token.lower)}` }
      key += ` ${token.lower}`
    }
  }
}

const isContentWord = (token: Token | undefined, language: Language): boolean =>
  token?.shape === 'lower' &&
  token.lower.length > 2 &&
  !isStopWord(token.lower, language) &&
  !VAGUE_WORDS.has(token.lower) &&
  !MODAL.test(token.lower) &&
  !/.{2}(?:ly|ed)$/.test(token.lower)

/** Whether a phrase may end with the word, which must be no adjective and no verb form. */
const canEndPhrase = ({ lower }: Token): boolean =>
  lower.length > 3 && !isModifier(lower) && !/.{2}(?:ed|ous|ful|ive)$/.test(lower)

const singular = (word: string): string =>
  word.length > 4 && /[^siu]s$/.test(word) ? word.replace(/ies$/, 'y').replace(/s$/, '') : word

const MODAL = /^(?:may|might|can|could|will|would|shall|should|must|cannot|let|please)$/
const BEFORE_VERB =
  /^(?:i|you|we|they|he|she|it|who|to|not|may|might|can|could|will|would|shall|should|must|cannot|please)$/

const VAGUE_WORDS = new Set(
  (
    'its their his her our your who which that this these those about because while when where how why what ' +
    'new other many much several various same different certain following given based using used use made make take ' +
    'made first second third last next one two three four five six seven eight nine ten hundred thousand million ' +
    'billion per cent percent year years month months week weeks day days time times way ways thing things number ' +
    'numbers part parts kind lot people person example case end set include includes including also well like said ' +
    'says get got good great big small high low large long short early late full able make sure really going want'
  ).split(' '),
)

/** The most frequent phrases. A phrase that mostly occurs inside a longer phrase is replaced by the longer one (C-value). */
function chooseConcepts(phrases: ReadonlyMap<string, Phrase>, limit: number): Phrase[] {
  const frequentPhrases = [...phrases.values()].filter(
    // At most a third of the mentions may begin with a verb.
    ({ chunks, mentions, verbUses }) =>
      chunks.size >= MIN_CHUNKS && mentions.length >= MIN_MENTIONS && verbUses <= mentions.length / 3,
  )
  const countsInLonger = new Map<string, number>()
  for (const { key, mentions } of frequentPhrases) {
    const words = key.split(' ')
    if (words.length < MAX_PHRASE_WORDS) continue
    for (const part of [words.slice(0, 2).join(' '), words.slice(1).join(' ')]) {
      countsInLonger.set(part, Math.max(countsInLonger.get(part) ?? 0, mentions.length))
    }
  }
  return frequentPhrases
    .map((phrase) => ({ phrase, score: scoreOf(phrase, countsInLonger.get(phrase.key) ?? 0) }))
    .filter(({ score }) => score >= MIN_MENTIONS)
    .sort((a, b) => b.score - a.score || (a.phrase.key < b.phrase.key ? -1 : 1))
    .slice(0, limit)
    .map(({ phrase }) => phrase)
}

const scoreOf = ({ key, mentions }: Phrase, countInLonger: number): number =>
  (mentions.length - countInLonger) * Math.log2(key.split(' ').length + 1)

function mentionsOf({ key, mentions }: Phrase, textOf: (chunk: number) => string): Mention[] {
  return mentions.map(({ sentence, from, to }) => {
    const start = sentence.tokens[from]?.start ?? 0
    const end = sentence.tokens[to - 1]?.end ?? start
    const surface = textOf(sentence.chunk_no).slice(start, end).replace(/\s+/g, ' ')
    const isWrittenAsKey = surface === key
    return { chunk_no: sentence.chunk_no, key, surface, own: isWrittenAsKey, type: 'concept', start, end }
  })
}
