// Tesseract hands over Chinese and Korean in pieces of a syllable or two. Which of them belong together its line's text
// knows for Korean; Chinese and Japanese are written without spaces whatever it says. Pure.

import type { Block, Line, Word } from 'tesseract.js'

/** Signs of scripts without spaces, and the quotes they share with others. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u2018-\u201d\u3000-\u303f\uff00-\uff65]/u

/** The blocks with pieces that stand without a space between them as one word. */
export const withWholeWords = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) => ({
    ...block,
    paragraphs: block.paragraphs.map((paragraph) => ({
      ...paragraph,
      lines: paragraph.lines.map((line) => ({ ...line, words: wholeWords(line) })),
    })),
  }))

/** Whether a word is of a script written without spaces: a stretch of a sentence, not a smudge. */
export const isUnspaced = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

function wholeWords({ words, text = '' }: Pick<Line, 'words'> & { text?: string }): Word[] {
  const whole: Word[] = []
  let at = 0
  for (const word of words) {
    const found = text.indexOf(word.text, at)
    const glued = found > 0 && !/\s/.test(text.charAt(found - 1))
    if (found !== -1) at = found + word.text.length
    const last = whole.at(-1)
    if (last !== undefined && (glued || areUnspaced(last.text, word.text)))
      whole[whole.length - 1] = joined(last, word)
    else whole.push(word)
  }
  return whole
}

/** Whether two pieces stand without a space whatever lies between them. */
export const areUnspaced = (before: string, after: string): boolean =>
  UNSPACED.test([...before].at(-1) ?? '') &&
  UNSPACED.test([...after][0] ?? '') &&
  (isUnspaced(before) || isUnspaced(after))

function joined(first: Word, second: Word): Word {
  const [a, b] = [first.text.length, second.text.length]
  return {
    ...first,
    text: first.text + second.text,
    confidence: (first.confidence * a + second.confidence * b) / Math.max(1, a + b),
    bbox: {
      x0: Math.min(first.bbox.x0, second.bbox.x0),
      y0: Math.min(first.bbox.y0, second.bbox.y0),
      x1: Math.max(first.bbox.x1, second.bbox.x1),
      y1: Math.max(first.bbox.y1, second.bbox.y1),
    },
  }
}
