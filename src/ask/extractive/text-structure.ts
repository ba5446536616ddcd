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
const NOT_A_TITLE = /^\s*(?:[-*•·–—▪◦‣|>]|\(?\d{1,2}[.)]\s+\p{Ll}|\(?[a-z][.)]\s)/u
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
  line.length <= LONGEST_TITLE &&
  !NOT_A_TITLE.test(line) &&
  !/[\p{Sentence_Terminal}:：,;]["”’*]*\s*$/u.test(line)

const asks = (line: string): boolean =>
  line.length <= LONGEST_QUESTION && /^[^.!?？]*[?？]["”’*]*\s*$/u.test(line.trim().replace(MARKS, ''))

/** A heading without its number: "12.1 Notice", "§ 4 Miete". */
export const withoutNumber = (heading: string): string =>
  heading.replace(/^(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[ivxlc]{1,5}[.)])\s+(?=\S)/iu, '')

// Lists of a text: the line that leads in ("The set has these parts:") or the heading, and the items below. Quoted whole,
// since no item says by itself what it is one of. Pure.

export interface TextList {
  /** Verbatim: the line that leads in; the heading where none does. */
  lead: string
  /** Verbatim, without their bullets. */
  items: string[]
  /** Offsets in UTF-16 units of the items' lines; of the lead too when it is a line of its own with a colon. */
  start: number
  end: number
}

const BULLET = /^\s*(?:>\s*)*(?:[-*•·–—▪◦‣]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+(?=\S)/
// A line without a bullet that is longer is a paragraph.
const LONGEST_BARE = 80
const LEAST_ITEMS = 2
const LONGEST_LEAD = 240

interface Line {
  text: string
  /** An empty line stands before it. */
  apart: boolean
  start: number
  end: number
}

/** Lists in reading order; `heading` leads in where a list follows it directly. */
export function listsIn(text: string, heading: string): TextList[] {
  // "9. Recommendations" above its list is no item of it.
  const lines = linesOf(text).filter((line) => line.text.replace(/^#+\s*/, '').trim() !== heading)
  const found: TextList[] = []
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]
    if (!line) break
    const isLead = /[:：]\s*$/.test(line.text) && line.text.length <= LONGEST_LEAD && !BULLET.test(line.text)
    const from = isLead ? i + 1 : i
    const bulleted = runOf(lines, from, ({ text }) => BULLET.test(text))
    const items = bulleted.length || !isLead ? bulleted : runOf(lines, from, isBareItem)
    const lead = isLead ? line.text.trim() : heading
    if (items.length >= LEAST_ITEMS && lead) {
      found.push({
        lead,
        items: items.map((item) => item.text.replace(BULLET, '').trim()),
        start: isLead ? line.start : (items[0]?.start ?? line.start),
        end: items.at(-1)?.end ?? line.end,
      })
    }
    i = Math.max(from + items.length, i + 1)
  }
  return found
}

/** Lines that hold something. */
function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let end = 0
  for (const match of text.matchAll(/[^\n]+/g)) {
    const [line] = match
    if (!line.trim()) continue
    const apart = /\n\s*\n/.test(text.slice(end, match.index))
    end = match.index + line.length
    lines.push({ text: line, apart, start: match.index, end })
  }
  return lines
}

function runOf(
  lines: readonly Line[],
  from: number,
  belongs: (line: Line, isFirst: boolean) => boolean,
): Line[] {
  const rest = lines.slice(from)
  const end = rest.findIndex((line, i) => !belongs(line, i === 0))
  return end < 0 ? rest : rest.slice(0, end)
}

/** Lines of one paragraph without bullets; what stands apart from it is something else. */
const isBareItem = ({ text, apart }: Line, isFirst: boolean): boolean =>
  (isFirst || !apart) &&
  text.trim().length <= LONGEST_BARE &&
  !/[.!?:：]\s*$/.test(text) &&
  !text.includes('|')
