// Headings and lists inside a passage's text. Short sections share a passage, and each of several questions and
// answers has its own heading; a statement is read together with the heading above it. Pure.

export interface Heading {
  /** Verbatim, without its markup. */
  text: string
  /** Offsets of its line, in UTF-16 units. */
  start: number
  end: number
  isQuestion: boolean
}

const MAX_TITLE_LENGTH = 80
const MAX_QUESTION_LENGTH = 240
const NOT_A_TITLE = /^\s*(?:[-*•·–—▪◦‣|>]|\(?\d{1,2}[.)]\s+\p{Ll}|\(?[a-z][.)]\s)/u
// "4. Costs" directly above its text; no item of a list.
const NUMBERED = /^\s*\d{1,2}[.)]?\s+\p{Lu}/u
// "Q:", "Frage 3.", "**Question:**"
const MARKS = /^(?:#+\s*|\*\*)?(?:(?:q|question|frage|pregunta|p|f)\s?\d{0,3}\s?[.:)]\s*)?|\*\*$/giu

/** The lines that are headings: questions, short lines between empty lines that do not end a sentence, and such with a number. */
export function headingsIn(text: string): Heading[] {
  const found: Heading[] = []
  const lines = [...text.matchAll(/[^\n]+/g)].filter(([line]) => line.trim() !== '')
  for (const [i, { 0: line, index }] of lines.entries()) {
    const next = lines[i + 1]
    if (!next) break
    const end = index + line.length
    const isAlone = i === 0 || text.slice(index - 2, index) === '\n\n'
    const isAbove = text.slice(end, end + 2) === '\n\n' || (NUMBERED.test(line) && !NUMBERED.test(next[0]))
    const isTitle = isAlone && isAbove && endsNoSentence(line)
    const isQuestion = isQuestionLine(line) && !isQuestionLine(next[0])
    if (!isTitle && !isQuestion) continue
    const said = line.trim().replace(MARKS, '').trim()
    if (said) found.push({ text: said, start: index, end, isQuestion })
  }
  return found
}

const endsNoSentence = (line: string): boolean =>
  line.length <= MAX_TITLE_LENGTH &&
  !NOT_A_TITLE.test(line) &&
  !/[\p{Sentence_Terminal}:：,;]["”’*]*\s*$/u.test(line)

const isQuestionLine = (line: string): boolean =>
  line.length <= MAX_QUESTION_LENGTH && /^[^.!?？؟]*[?？؟]["”’*]*\s*$/u.test(line.trim().replace(MARKS, ''))

/** A heading without its number: "12.1 Notice", "§ 4 Miete". */
export const withoutNumber = (heading: string): string =>
  heading.replace(/^(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[ivxlc]{1,5}[.)])\s+(?=\S)/iu, '')

/** A list is quoted whole, because an item alone does not say what it is an item of. */
export interface TextList {
  /** Verbatim: the line above ("The set has these parts:"), or the heading when there is none. */
  lead: string
  /** The lead is a line of its own and not the heading. */
  hasLead: boolean
  /** Verbatim, without their bullets. */
  items: string[]
  /** The items are numbered, as steps are. */
  isOrdered: boolean
  /** Offsets of the items' lines, and of the lead when it is a line of its own with a colon; in UTF-16 units. */
  start: number
  end: number
}

const FENCED = /^(`{3,}|~{3,}).*\n[\s\S]*?(?:^\1[^\S\n]*$|$(?![\s\S]))/gmu

/** With spaces in place of fenced code, which states nothing and lists nothing; offsets are kept. */
export const withoutCode = (text: string): string =>
  text.replace(FENCED, (code) => code.replace(/[^\n]/g, ' '))

// "Step 1:", "Schritt 2:": a word with its number.
const LABEL = String.raw`\p{Lu}\p{L}{2,9} \d{1,2} ?[:.)]`
export const BULLET = new RegExp(
  String.raw`^\s*(?:>\s*)*(?:[-*•·–—▪◦‣]|\(?\d{1,2}[.)]|\(?[a-z][.)]|${LABEL})\s+(?=\S)`,
  'u',
)
const NUMBER = new RegExp(String.raw`^\s*(?:>\s*)*(?:\(?\d{1,2}[.)]|${LABEL})\s`, 'u')
// A longer line without a bullet is a paragraph.
const MAX_BARE_LENGTH = 80
const MIN_ITEMS = 2
const MAX_LEAD_LENGTH = 240

interface TextLine {
  text: string
  /** An empty line is before it. */
  apart: boolean
  start: number
  end: number
}

/** Lists in reading order; `heading` is the lead of a list that directly follows it. */
export function listsIn(text: string, heading: string): TextList[] {
  // "9. Recommendations" above a list is not an item of it.
  const lines = linesOf(text).filter((line) => line.text.replace(/^#+\s*/, '').trim() !== heading)
  const found: TextList[] = []
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]
    if (!line) break
    const isLead =
      /[:：]\s*$/.test(line.text) && line.text.length <= MAX_LEAD_LENGTH && !BULLET.test(line.text)
    const from = isLead ? i + 1 : i
    const bulleted = runOf(lines, from, ({ text }) => BULLET.test(text))
    const items = bulleted.length || !isLead ? bulleted : runOf(lines, from, isBareItem)
    const lead = isLead ? line.text.trim() : heading
    if (items.length >= MIN_ITEMS && lead && !areQuestions(items)) {
      found.push({
        lead,
        hasLead: isLead,
        items: items.map((item) => item.text.replace(BULLET, '').trim()),
        isOrdered: items.every(({ text }) => NUMBER.test(text)),
        start: isLead ? line.start : (items[0]?.start ?? line.start),
        end: items.at(-1)?.end ?? line.end,
      })
    }
    i = Math.max(from + items.length, i + 1)
  }
  return found
}

/** Questions state nothing: a list of them is a table of contents. */
const areQuestions = (items: readonly TextLine[]): boolean =>
  2 * items.filter(({ text }) => /[?？؟]\s*$/.test(text)).length > items.length

/** Lines that are not empty. */
function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = []
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
  lines: readonly TextLine[],
  from: number,
  belongs: (line: TextLine, isFirst: boolean) => boolean,
): TextLine[] {
  const rest = lines.slice(from)
  const end = rest.findIndex((line, i) => !belongs(line, i === 0))
  return end < 0 ? rest : rest.slice(0, end)
}

// Of code that has no fence.
const CODE = /[{}=;]|\(\)|^\s*(?:\/\/|[$#>] )/

/** Lines of one paragraph without bullets and no code; after an empty line something else begins. */
const isBareItem = ({ text, apart }: TextLine, isFirst: boolean): boolean =>
  (isFirst || !apart) &&
  text.trim().length <= MAX_BARE_LENGTH &&
  !/[.!?:：。！？؟]\s*$/.test(text) &&
  !CODE.test(text) &&
  !text.includes('|')
