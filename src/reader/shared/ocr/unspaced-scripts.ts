// Tesseract splits Chinese, Japanese and Korean into pieces of one or two characters. Korean pieces are joined where the text
// of the line has no space between them. Chinese and Japanese pieces are always joined, because these languages are written
// without spaces.

import type { Line, Word } from './recognised.ts'

/** Characters of scripts without spaces, their punctuation, and the quotation marks that they share with other scripts. */
const UNSPACED_CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u2018-\u201d\u3000-\u303f\uff00-\uff65]/u

/** The line with pieces that have no space between them joined to words. */
export const mergeUnspacedWords = (line: Line): Line => ({ ...line, words: mergeWords(line) })

/** Whether the text is of a script written without spaces. Such a word may be a whole clause. */
export const isUnspaced = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

/** Whether two neighbouring words are written without a space between them. */
const joinsWithoutSpace = (left: string, right: string): boolean =>
  UNSPACED_CHARACTER.test([...left].at(-1) ?? '') &&
  UNSPACED_CHARACTER.test([...right][0] ?? '') &&
  (isUnspaced(left) || isUnspaced(right))

/** Words with the spaces that their script has between them. */
export const joinWords = (words: readonly string[]): string =>
  words.reduce(
    (text, word, i) => (i === 0 || joinsWithoutSpace(text, word) ? text + word : `${text} ${word}`),
    '',
  )

function mergeWords({ words, text = '' }: Pick<Line, 'words'> & { text?: string }): Word[] {
  const mergedWords: Word[] = []
  let at = 0
  for (const word of words) {
    const start = text.indexOf(word.text, at)
    const isAttached = start > 0 && !/\s/.test(text.charAt(start - 1))
    if (start !== -1) at = start + word.text.length
    const last = mergedWords.at(-1)
    if (last !== undefined && (isAttached || joinsWithoutSpace(last.text, word.text)))
      mergedWords[mergedWords.length - 1] = mergeTwo(last, word)
    else mergedWords.push(word)
  }
  return mergedWords
}

function mergeTwo(first: Word, second: Word): Word {
  const [firstLength, secondLength] = [first.text.length, second.text.length]
  return {
    ...first,
    text: first.text + second.text,
    confidence:
      (first.confidence * firstLength + second.confidence * secondLength) /
      Math.max(1, firstLength + secondLength),
    bbox: {
      x0: Math.min(first.bbox.x0, second.bbox.x0),
      y0: Math.min(first.bbox.y0, second.bbox.y0),
      x1: Math.max(first.bbox.x1, second.bbox.x1),
      y1: Math.max(first.bbox.y1, second.bbox.y1),
    },
  }
}
