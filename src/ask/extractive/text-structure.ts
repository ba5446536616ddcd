// Headings and lists inside the text of a passage. Several short sections may be in one passage, such as questions with their
// answers, and a statement is read together with the heading above it. Pure.

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
// The beginning of a list item, a quotation or a table row: "- milk", "2. mix", "| a".
const NOT_A_TITLE = /^\s*(?:[-*•·–—▪◦‣|>]|\(?\d{1,2}[.)]\s+\p{Ll}|\(?[a-z][.)]\s)/u
// The names for parts of contracts and handbooks.
export const CLAUSE_WORDS =
  'sections?|clauses?|paragraphs?|chapters?|articles?|items?|points?|parts?|§|abschnitte?s?|ziffern?|kapitels?|artikels?|paragraph(?:en)?|punkte?s?|absatz|klauseln?|chapitres?|sección|cláusulas?|capítulos?|artículos?|apartados?|puntos?'
// Matches "§ 6 " of "§ 6 Maintenance".
const CLAUSE_NUMBER = new RegExp(
  String.raw`^\s*(?:${CLAUSE_WORDS}|art\.?)\s*\d{1,3}(?:\.\d{1,3})*[.):]?\s+(?:[-–—]\s*)?`,
  'iu',
)
// In UTF-16 units, without the number. A longer line may be the first line of the clause itself.
const MAX_CLAUSE_TITLE_LENGTH = 40
// "4. Costs" directly above its text is a heading and not an item of a list.
const NUMBERED_TITLE = /^\s*\d{1,2}[.)]?\s+\p{Lu}/u
// Matches "Q:", "Frage 3.", "**Question:**".
const HEADING_MARKUP = /^(?:#+\s*|\*\*)?(?:(?:q|question|frage|pregunta|p|f)\s?\d{0,3}\s?[.:)]\s*)?|\*\*$/giu

/**
 * The lines that are headings: questions, and short lines that do not end like a sentence. Such a short line must have an empty
 * line before it. It must also have one after it, or begin with a number.
 */
export function headingsIn(text: string): Heading[] {
  const headings: Heading[] = []
  const lines = [...text.matchAll(/[^\n]+/g)].filter(([line]) => line.trim() !== '')
  for (const [i, { 0: line, index }] of lines.entries()) {
    const next = lines[i + 1]
    if (!next) break
    const end = index + line.length
    const isAfterEmptyLine = i === 0 || text.slice(index - 2, index) === '\n\n'
    const isApartFromNext =
      text.slice(end, end + 2) === '\n\n' || (isNumberedTitle(line) && !isNumberedTitle(next[0]))
    const isTitle = isAfterEmptyLine && isApartFromNext && mayBeTitle(line)
    const isQuestion = isQuestionLine(line) && !isQuestionLine(next[0])
    if (!isTitle && !isQuestion) continue
    const heading = line.trim().replace(HEADING_MARKUP, '').trim()
    if (heading) headings.push({ text: heading, start: index, end, isQuestion })
  }
  return headings
}

/** "§ 6 Maintenance" or "4. Costs", which may be directly above their text. */
const isNumberedTitle = (line: string): boolean => isClauseHeading(line) || NUMBERED_TITLE.test(line)

/** Whether a line is the title of a clause: "§ 6 Maintenance". */
export function isClauseHeading(line: string): boolean {
  const title = line.replace(CLAUSE_NUMBER, '')
  return title !== line && title.length <= MAX_CLAUSE_TITLE_LENGTH && /^\p{Lu}/u.test(title)
}

const mayBeTitle = (line: string): boolean =>
  line.length <= MAX_TITLE_LENGTH &&
  !NOT_A_TITLE.test(line) &&
  !/[\p{Sentence_Terminal}:：,;]["”’*]*\s*$/u.test(line)

const isQuestionLine = (line: string): boolean =>
  line.length <= MAX_QUESTION_LENGTH &&
  /^[^.!?？؟]*[?？؟]["”’*]*\s*$/u.test(line.trim().replace(HEADING_MARKUP, ''))

/** A heading without its number: "12.1 Notice", "§ 4 Miete". */
export const withoutNumber = (heading: string): string =>
  heading.replace(/^(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[ivxlc]{1,5}[.)])\s+(?=\S)/iu, '')

/** A list, which is quoted as a whole, because an item alone does not show what it is an item of. */
export interface TextList {
  /** The line above the list, verbatim ("The set has these parts:"). The heading if there is no such line. */
  lead: string
  /** Whether the lead is the line above the list and not the heading. */
  hasLead: boolean
  /** Verbatim, without their bullets. */
  items: string[]
  /** Whether the items are numbered, as steps are. */
  isOrdered: boolean
  /** Offsets of the list with its lead, or of the items if the lead is the heading; in UTF-16 units. */
  start: number
  end: number
}

// Matches a word with its number: "Step 1:", "Schritt 2:".
const LABELLED_NUMBER = String.raw`\p{Lu}\p{L}{2,9} \d{1,2} ?[:.)]`
export const BULLET = new RegExp(
  String.raw`^\s*(?:>\s*)*(?:[-*•·–—▪◦‣]|\(?\d{1,2}[.)]|\(?[a-z][.)]|${LABELLED_NUMBER})\s+(?=\S)`,
  'u',
)
const NUMBERED_ITEM = new RegExp(String.raw`^\s*(?:>\s*)*(?:\(?\d{1,2}[.)]|${LABELLED_NUMBER})\s`, 'u')
// A longer line without a bullet is a paragraph.
const MAX_BARE_ITEM_LENGTH = 80
const MIN_ITEMS = 2
const MAX_LEAD_LENGTH = 240

interface TextLine {
  text: string
  /** Whether an empty line is before it. */
  isAfterEmptyLine: boolean
  start: number
  end: number
}

/** Lists in reading order. A list without a lead of its own has `heading` as its lead. */
export function listsIn(text: string, heading: string): TextList[] {
  // "9. Recommendations" above a list is not an item of it.
  const lines = linesOf(text).filter((line) => line.text.replace(/^#+\s*/, '').trim() !== heading)
  const lists: TextList[] = []
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]
    if (!line) break
    const isLead =
      /[:：]\s*$/.test(line.text) && line.text.length <= MAX_LEAD_LENGTH && !BULLET.test(line.text)
    const from = isLead ? i + 1 : i
    const bulleted = linesWhile(lines, from, ({ text }) => BULLET.test(text))
    const items = bulleted.length || !isLead ? bulleted : linesWhile(lines, from, isBareItem)
    const lead = isLead ? line.text.trim() : heading
    if (items.length >= MIN_ITEMS && lead && !areQuestions(items)) {
      lists.push({
        lead,
        hasLead: isLead,
        items: items.map((item) => item.text.replace(BULLET, '').trim()),
        isOrdered: items.every(({ text }) => NUMBERED_ITEM.test(text)),
        start: isLead ? line.start : (items[0]?.start ?? line.start),
        end: items.at(-1)?.end ?? line.end,
      })
    }
    i = Math.max(from + items.length, i + 1)
  }
  return lists
}

/** Whether most items are questions, as in a table of contents. */
const areQuestions = (items: readonly TextLine[]): boolean =>
  2 * items.filter(({ text }) => /[?？؟]\s*$/.test(text)).length > items.length

/** Lines that are not empty. */
function linesOf(text: string): TextLine[] {
  const lines: TextLine[] = []
  let end = 0
  for (const match of text.matchAll(/[^\n]+/g)) {
    const [line] = match
    if (!line.trim()) continue
    const isAfterEmptyLine = /\n\s*\n/.test(text.slice(end, match.index))
    end = match.index + line.length
    lines.push({ text: line, isAfterEmptyLine, start: match.index, end })
  }
  return lines
}

function linesWhile(
  lines: readonly TextLine[],
  from: number,
  isItem: (line: TextLine, isFirst: boolean) => boolean,
): TextLine[] {
  const rest = lines.slice(from)
  const end = rest.findIndex((line, i) => !isItem(line, i === 0))
  return end < 0 ? rest : rest.slice(0, end)
}

// Matches a line of code outside a fenced block: "let a = 1;", "run()", "$ npm test", "// note".
const UNFENCED_CODE = /[{}=;]|\(\)|^\s*(?:\/\/|[$#>] )/

/** Whether a line may be an item without a bullet: a short line of the same paragraph that is not code. */
const isBareItem = ({ text, isAfterEmptyLine }: TextLine, isFirst: boolean): boolean =>
  (isFirst || !isAfterEmptyLine) &&
  text.trim().length <= MAX_BARE_ITEM_LENGTH &&
  !/[.!?:：。！？؟]\s*$/.test(text) &&
  !UNFENCED_CODE.test(text) &&
  !text.includes('|')
