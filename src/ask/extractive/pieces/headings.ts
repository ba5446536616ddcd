// The headings inside a passage: short sections share one, and a list of questions and answers has a heading for each.
// A statement is read together with the heading it stands under. Pure.

export interface Heading {
  /** Verbatim, without its marks. */
  text: string
  /** Offsets in UTF-16 units of its line. */
  start: number
  end: number
  isQuestion: boolean
}

const LONGEST_TITLE = 80
const LONGEST_QUESTION = 240
const BULLET = /^\s*(?:[-*•·–—▪◦‣|>]|\(?\d{1,2}[.)]\s+\p{Ll}|\(?[a-z][.)]\s)/u
// "Q:", "Frage 3.", "**Question:**"
const MARKS = /^(?:#+\s*|\*\*)?(?:(?:q|question|frage|pregunta|p|f)\s?\d{0,3}\s?[.:)]\s*)?|\*\*$/giu

/** The lines of the text that head what follows: questions, and short lines that stand alone and end no sentence. */
export function headingsIn(text: string): Heading[] {
  const found: Heading[] = []
  const lines = [...text.matchAll(/[^\n]+/g)].filter(([line]) => line.trim() !== '')
  for (const [i, { 0: line, index }] of lines.entries()) {
    const next = lines[i + 1]
    if (!next) break
    const end = index + line.length
    const isAlone = i === 0 || text.slice(index - 2, index) === '\n\n'
    const isTitle = isAlone && text.slice(end, end + 2) === '\n\n' && endsNoSentence(line)
    const isQuestion = asks(line) && !asks(next[0])
    if (!isTitle && !isQuestion) continue
    const said = line.trim().replace(MARKS, '').trim()
    if (said) found.push({ text: said, start: index, end, isQuestion })
  }
  return found
}

const endsNoSentence = (line: string): boolean =>
  line.length <= LONGEST_TITLE && !BULLET.test(line) && !/[\p{Sentence_Terminal}:：,;]["”’*]*\s*$/u.test(line)

const asks = (line: string): boolean =>
  line.length <= LONGEST_QUESTION && /^[^.!?？]*[?？]["”’*]*\s*$/u.test(line.trim().replace(MARKS, ''))

/** A heading without its number: "12.1 Notice", "§ 4 Miete". */
export const withoutNumber = (heading: string): string =>
  heading.replace(/^(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[ivxlc]{1,5}[.)])\s+(?=\S)/iu, '')
