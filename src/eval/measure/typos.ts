// Adds typing errors to queries: one in a share of the words, the same ones in every run. The four edits of Damerau
// (1964), which make up 80 % of real misspellings, are equally frequent.

import { drawIndex, type Random, seededRandom, seedOf } from './random.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
// Shorter words are rarely mistyped, and can hardly ever be corrected.
const MIN_LENGTH = 4

/** @param share of the words of four letters or more that get one typo, 0 to 1. The text is the seed. */
export function withTypos(text: string, share: number): string {
  const random = seededRandom(seedOf(text))
  return text.replace(/[\p{L}\p{N}]+/gu, (word) =>
    isTypable(word) && random() < share ? withTypo(word, random) : word,
  )
}

/** Only letters, because a wrong digit makes it another query. */
const isTypable = (word: string): boolean => word.length >= MIN_LENGTH && /^\p{L}+$/u.test(word)

/** Always differs from the word; the first letter is kept, since real typos hardly ever change it. */
function withTypo(word: string, random: Random): string {
  const letters = [...word]
  const letterIndex = 1 + drawIndex(random, letters.length - 1)
  const letter = LETTERS[drawIndex(random, LETTERS.length)] ?? 'e'
  const edits: (() => void)[] = [
    () => letters.splice(letterIndex, 1),
    () => letters.splice(letterIndex, 0, letter),
    () => letters.splice(letterIndex, 1, letter),
    () =>
      letters.splice(
        Math.max(1, letterIndex - 1),
        2,
        ...letters.slice(Math.max(1, letterIndex - 1), letterIndex + 1).reverse(),
      ),
  ]
  edits[drawIndex(random, edits.length)]?.()
  const typo = letters.join('')
  return typo === word ? `${word}${word.at(-1) ?? ''}` : typo
}
