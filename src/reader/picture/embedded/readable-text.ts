// Whether what was recognised in a picture reads as words: a photograph and a chart's bars are read as letters too, and
// garbage in the index is worse than nothing (docs/decisions/0025). Pure.

import type { Block } from '../../block.ts'

// Of a text: prose and labels on a clear ground come with .85 to .96, leaves and faces with .1 to .6.
const LEAST_CONFIDENCE = 0.7
// Of its tokens: a word, a figure or a short name such as "kg".
const LEAST_WORDLIKE = 0.7
// A picture with fewer words and figures than this says nothing that its caption does not.
const LEAST_WORDS = 3

/** The texts that read as words, none when they are too few, or figures alone: the years along a chart's axis. */
export function readable(blocks: readonly Block[]): Block[] {
  const kept = blocks.map(withoutTicks).filter(isReadable)
  const tokens = kept.flatMap(({ text }) => tokensOf(text)).filter(isWordlike)
  return tokens.length >= LEAST_WORDS && tokens.some(isWord) ? kept : []
}

/** Lines of a word or a telling figure: the numbers along an axis stand in lines of their own. */
function withoutTicks(block: Block): Block {
  const lines = block.text.split('\n').filter((line) => line.startsWith('|') || saysSomething(tokensOf(line)))
  return { ...block, text: lines.join('\n') }
}

const saysSomething = (tokens: readonly string[]): boolean =>
  tokens.some((token) => isWord(token) || isTelling(token))

function isReadable({ text, confidence = 0 }: Block): boolean {
  if (confidence < LEAST_CONFIDENCE) return false
  const tokens = tokensOf(text)
  return saysSomething(tokens) && tokens.filter(isWordlike).length >= LEAST_WORDLIKE * tokens.length
}

const isWordlike = (token: string): boolean => isWord(token) || isFigure(token) || isShort(token)

const tokensOf = (text: string): string[] => text.split(/[\s|]+/).filter((token) => /[^-:]/.test(token))

const bare = (token: string): string => token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

/** Letters as words have them: vowels among Latin ones, no capital behind a small letter but in a name of two parts. */
function isWord(token: string): boolean {
  const word = bare(token)
  if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(word))
    return word.length > 1
  if (!/^\p{L}[\p{L}\p{M}\p{N}'’._/@:+-]{2,}$/u.test(word)) return false
  if (!/^\p{Script=Latin}/u.test(word)) return true
  return /[aeiouy]/i.test(word.normalize('NFD')) || word === word.toUpperCase()
}

const isFigure = (token: string): boolean =>
  /^[^\p{L}\p{N}]*\p{N}[\p{N}.,:/%–-]*\p{L}{0,3}[^\p{L}\p{N}]*$/u.test(token)

// The numbers of an axis tell nothing.
const isTelling = (token: string): boolean => isFigure(token) && /\p{N}{3}|[%$€£]/u.test(token)

// One letter is a word where it is a vowel: a, I, y, à.
const isShort = (token: string): boolean => /^(?:\p{Lu}{1,3}|\p{L}{2}|[aeiouyàèé])$/u.test(bare(token))
