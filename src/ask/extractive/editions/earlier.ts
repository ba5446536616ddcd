// What the previous edition states about the same thing: the part of its sentence or row that differs. Pure.

import type { Evidence } from '../evidence.ts'
import type { ChosenEditions } from './editions.ts'
import { validityIn } from './marks.ts'
import { predecessorOf } from './series.ts'

export interface EarlierStatement {
  evidence: Evidence
  /** The part that differs from the later statement: "… 125 euros". */
  text: string
}

/**
 * What the previous edition states instead of the quoted statement. Undefined if the quote is not from the edition in force, or if
 * the previous edition does not have exactly one statement that differs from it only in a part.
 */
export function earlierStatement(
  quoted: Evidence,
  choices: readonly ChosenEditions[],
  pieces: readonly Evidence[],
): EarlierStatement | undefined {
  const { document_id: id } = quoted.foundPassage.passage
  const currentChoice = choices.find(
    ({ series, choice }) =>
      choice.isDefault && series.kind === 'rules' && series.currentEdition.documentId === id,
  )
  const predecessor =
    currentChoice && predecessorOf(currentChoice.series, currentChoice.series.currentEdition)
  if (!predecessor) return undefined
  const texts = pieces
    .filter(
      ({ foundPassage, list, text }) =>
        foundPassage.passage.document_id === predecessor.documentId && !list && !isAboutEdition(text),
    )
    .flatMap((evidence) => {
      const text = quoted.cells ? changedCells(quoted, evidence) : changedWords(quoted.text, evidence.text)
      return text === undefined ? [] : [{ evidence, text }]
    })
  return texts.length === 1 ? texts[0] : undefined
}

/** Whether a text is about the edition itself: "Valid from 1 January 2025". */
export function isAboutEdition(text: string): boolean {
  const { number, starts, replaces } = validityIn(text)
  return number !== undefined || starts !== undefined || replaces
}

/**
 * The cells of the second row that differ from the first row. Undefined if the rows have different names or columns, or if all
 * cells differ or none.
 */
export function changedCells({ cells = [] }: Evidence, { cells: others = [] }: Evidence): string | undefined {
  const [name] = cells
  if (name?.text !== others[0]?.text || cells.length !== others.length) return undefined
  if (!cells.every(({ header }, i) => header === others[i]?.header)) return undefined
  const otherCells = others.filter(({ text }, i) => text !== cells[i]?.text)
  return otherCells.length > 0 && otherCells.length < cells.length
    ? otherCells.map(({ header, text }) => (header ? `${header}: ${text}` : text)).join(' · ')
    : undefined
}

// Sentences that share fewer words are about different things.
const MIN_SHARED = 0.5
// An equal end of the sentence is shown if it has at most this many words, else only its first word.
const MAX_SHOWN_END_WORDS = 3

/**
 * The words in which the earlier sentence differs from the later one, with the words after them. Undefined if the sentences are
 * equal, if words were only added, or if they are not two versions of one sentence.
 */
export function changedWords(later: string, earlier: string): string | undefined {
  const [laterWords, earlierWords] = [wordsOf(later), wordsOf(earlier)]
  const shorterLength = Math.min(laterWords.length, earlierWords.length)
  let sameAtStart = 0
  while (sameAtStart < shorterLength && laterWords[sameAtStart] === earlierWords[sameAtStart]) sameAtStart++
  let sameAtEnd = 0
  while (
    sameAtEnd < shorterLength - sameAtStart &&
    laterWords.at(-1 - sameAtEnd) === earlierWords.at(-1 - sameAtEnd)
  )
    sameAtEnd++
  const changedCount = earlierWords.length - sameAtStart - sameAtEnd
  if (
    changedCount < 1 ||
    (sameAtStart + sameAtEnd) / Math.max(laterWords.length, earlierWords.length) < MIN_SHARED
  )
    return undefined
  const shownEnd = sameAtEnd <= MAX_SHOWN_END_WORDS ? earlierWords.length : sameAtStart + changedCount + 1
  const text = earlierWords.slice(sameAtStart, shownEnd).join(' ')
  return `${sameAtStart > 0 ? '… ' : ''}${text}${shownEnd < earlierWords.length ? ' …' : ''}`
}

/** The words of a sentence, without the number of its clause and without quotation marks around it. */
const wordsOf = (text: string): string[] =>
  text.replace(/^[\s"“„«]*(?:\(?\d+(?:\.\d+)*[.)]?\s+)?["“„«]?\s*|["”»]\s*$/gu, '').split(/\s+/)
