// Splits blocks where the lines show a break. Liteparse joins a bold heading to the text below it, successive headings, separate
// paragraphs, and the text after a list to its last entry.

import type { TextItem } from '@llamaindex/liteparse'
import { entryText, isClause, isEntry, isNumbered } from '../marks.ts'
import { type Line, textLines } from '../tables/lines.ts'
import { heightOf, INDENT, LINE_PITCH, usualHeight } from '../tolerance.ts'
import { itemsIn, type PlacedBlock, rectBox, union } from './boxes.ts'
import { closestPitch, fontOf, isBold, type StyledLine } from './line-fonts.ts'
import { entryIndent, listCuts, signsAtEnd, withIndents, withNoteMark } from './lists.ts'
import { namedEnd } from './named-texts.ts'
import { isBelowEntry, paragraphEdges } from './paragraph-edges.ts'
import { endOf, lettersOf } from './words.ts'

/** The lines of a block, from the top. */
export const linesOf = ({ bbox }: PlacedBlock, items: readonly TextItem[]): StyledLine[] =>
  textLines(itemsIn(items, bbox).map((item) => ({ text: item.text, item, bbox: rectBox(item) }))).map(
    styledLine,
  )

function styledLine({ segments, bbox }: Line): StyledLine {
  const words = segments.flatMap((segment) => segment.words)
  const longestWord = words.reduce((a, b) => (b.text.length > a.text.length ? b : a))
  return {
    text: words.map(({ text }) => text).join(' '),
    bbox,
    bold: words.every(({ item, text }) => isBold(item) || !/[\p{L}\p{N}]/u.test(text)),
    font: fontOf(longestWord.item),
  }
}

/**
 * The block in one piece or several, each with its position. A piece that looks like a heading becomes one. `names` are the names
 * of the page's bookmarks.
 */
export function cutBlock(
  block: PlacedBlock,
  items: readonly TextItem[],
  names: readonly string[] = [],
): PlacedBlock[] {
  if (block.kind !== 'paragraph' && block.kind !== 'heading' && block.kind !== 'list') return [block]
  const lines = linesOf(block, items)
  if (lines.length < 2) return [block]
  if (areFormEntries(block, lines)) return [formEntriesBlock(block, lines)]
  const bookmarkCuts = names.length === 0 ? [] : cutsAtBookmarks(lines, names)
  const entryStarts = block.kind === 'paragraph' ? listCuts(lines) : []
  const edges = entryStarts.length > 0 ? entryStarts : cutsOf(block, lines)
  const cuts = [...new Set([...edges, ...bookmarkCuts])].sort((a, b) => a - b).filter((cut) => cut > 0)
  if (cuts.length === 0) return [block]
  const pieces = withIndents(piecesOf(block, lines, cuts), usualHeight(lines))
  return block.kind === 'paragraph' ? withNoteMark(pieces, lines) : pieces
}

// The minimum number of lines of a paragraph that are entries of a form.
const MIN_FORM_ENTRIES = 3

/** Whether each line has a name and its value, such as "Report ID: A-12", as at the start of a report. */
const areFormEntries = ({ kind }: PlacedBlock, lines: readonly StyledLine[]): boolean =>
  kind !== 'list' &&
  (kind === 'heading' || lines.length >= MIN_FORM_ENTRIES) &&
  lines.every(({ text }) => FORM_ENTRY.test(text))

const formEntriesBlock = (
  { level: _, ...block }: PlacedBlock,
  lines: readonly StyledLine[],
): PlacedBlock => ({
  ...block,
  kind: 'paragraph',
  text: lines.map(({ text }) => text).join('\n'),
})

/** The block split before the lines `cuts`. Where its text differs from its lines, it is not split. */
export function piecesOf(
  block: PlacedBlock,
  lines: readonly StyledLine[],
  cuts: readonly number[],
): PlacedBlock[] {
  const pieces: PlacedBlock[] = []
  let rest = block.text
  let first = 0
  for (const end of [...cuts, lines.length]) {
    const pieceLines = lines.slice(first, end)
    const letters = end === lines.length ? rest.length : endOf(rest, lettersOf(pieceLines))
    // The text differs from the lines here, so this piece continues to the next cut.
    if (letters === undefined) continue
    const at = letters + signsAtEnd(rest.slice(letters), pieceLines)
    const text = rest.slice(0, at).trim()
    if (text !== '') pieces.push(pieceOf(block, text, pieceLines, pieces.length === 0))
    rest = rest.slice(at)
    first = end
  }
  return pieces
}

function pieceOf(
  block: PlacedBlock,
  text: string,
  lines: readonly StyledLine[],
  isFirst: boolean,
): PlacedBlock {
  const bbox = lines.map((line) => line.bbox).reduce((a, b) => union(a, b))
  const { level, ...rest } = block
  const piece: PlacedBlock = { ...rest, text, bbox }
  if (block.kind === 'list') {
    if (!isFirst && isEntry(text)) return { ...piece, text: entryText(text) }
    const beginsEntry = isFirst || isNumbered(text) || isClause(text)
    return beginsEntry
      ? {
          ...piece,
          text: entryIndent(block, usualHeight(lines), isFirst ? undefined : bbox) + text.trimStart(),
        }
      : { ...piece, kind: 'paragraph' }
  }
  if (block.kind === 'heading')
    return isFirst || isHeadingLike(text, lines)
      ? { ...piece, ...(level && { level }) }
      : { ...piece, kind: 'paragraph' }
  if (isEntry(text)) return { ...piece, kind: 'list', text: entryText(text) }
  return { ...piece, kind: isHeadingLike(text, lines) ? 'heading' : 'paragraph' }
}

/** The indexes of the lines before which the block is split. */
function cutsOf(block: PlacedBlock, lines: readonly StyledLine[]): number[] {
  const minPitch = closestPitch(lines)
  if (block.kind !== 'list' && block.kind !== 'heading')
    return [...paragraphEdges(lines, minPitch), ...boldCuts(block, lines)]
  const cuts = lines.flatMap((line, i) => {
    const above = lines[i - 1]
    return above !== undefined && isCut(block, { lines, minPitch }, above, line) ? [i] : []
  })
  return block.kind === 'list' ? cuts : [...cuts, ...boldCuts(block, lines)]
}

/** The edges of lines whose text is the name of a bookmark. */
function cutsAtBookmarks(lines: readonly StyledLine[], names: readonly string[]): number[] {
  const cuts = lines.flatMap((_, start) => {
    const end = namedEnd(lines, start, names)
    return end === undefined ? [] : [start, end]
  })
  return cuts.filter((cut) => cut > 0 && cut < lines.length)
}

// Matches "6 SERVICE" and "6.1 Filling the system", which are two headings if they are below each other.
const HEADING_NUMBER = /^\d{1,2}(?:\.\d{1,2})*\.?\s+\p{Lu}/u

/** Whether a list or a heading is split before a line. */
function isCut(
  block: PlacedBlock,
  { lines, minPitch }: { lines: readonly StyledLine[]; minPitch: number },
  above: StyledLine,
  line: StyledLine,
): boolean {
  const pitch = line.bbox[3] - above.bbox[3]
  if (block.kind === 'list') return isBelowEntry(lines, pitch, minPitch) || endsList(lines, above, line)
  const isInOtherColumn = line.bbox[0] > above.bbox[2] || line.bbox[2] < above.bbox[0]
  const hasOtherBoldFont = line.font !== above.font && above.bold && line.bold
  const areNumbered = HEADING_NUMBER.test(line.text) && HEADING_NUMBER.test(above.text)
  return isInOtherColumn || hasOtherBoldFont || areNumbered || pitch > usualHeight(lines) * LINE_PITCH
}

/** Whether this is the first line after the list. All lines after the list are one piece. */
const endsList = (lines: readonly StyledLine[], above: StyledLine, line: StyledLine): boolean =>
  leavesList(lines, above, line) &&
  !lines.slice(0, lines.indexOf(line)).some((other, i) => {
    const previousLine = lines[i - 1]
    return previousLine !== undefined && leavesList(lines, previousLine, other)
  })

/** Whether a line begins at the mark of an entry or left of it, although the further lines of the entry are indented. */
function leavesList(lines: readonly StyledLine[], above: StyledLine, line: StyledLine): boolean {
  const [first, second] = lines
  if (first === undefined || second === undefined || above === first) return false
  const minIndent = heightOf(first.bbox) * INDENT[0]
  const isHanging = second.bbox[0] - first.bbox[0] > minIndent
  return isHanging && line.bbox[0] < first.bbox[0] + minIndent && line.bbox[0] < second.bbox[0] - minIndent
}

/** The edges of successive bold lines that look like a heading, between or above other lines. */
function boldCuts(block: PlacedBlock, lines: readonly StyledLine[]): number[] {
  if (block.kind !== 'paragraph' && block.kind !== 'heading') return []
  const cuts: number[] = []
  let start = 0
  for (let i = 1; i <= lines.length; i++) {
    if (lines[i]?.bold === lines[start]?.bold) continue
    const run = lines.slice(start, i)
    const text = run.map((line) => line.text).join(' ')
    if (run[0]?.bold && run.length < lines.length && endsEarly(run, lines) && isHeadingLike(text, run))
      cuts.push(start, i)
    start = i
  }
  return cuts.filter((cut) => cut > 0 && cut < lines.length)
}

// The last line of a heading ends before this share of the text's width. Bold words that begin a paragraph are on a full line.
const MAX_EARLY_END_SHARE = 0.9

function endsEarly(run: readonly StyledLine[], lines: readonly StyledLine[]): boolean {
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const right = Math.max(...lines.map(({ bbox }) => bbox[2]))
  return (run.at(-1)?.bbox[2] ?? right) < left + (right - left) * MAX_EARLY_END_SHARE
}

const MAX_HEADING_WORDS = 16
// The titles of the items of a form are long: "Item 5. Market for …" has 18 words.
const MAX_NUMBERED_WORDS = 24
const MAX_HEADING_LINES = 3
// Matches "Report ID: A-12", but not "Step 2: Design", which is a heading.
const FORM_ENTRY =
  /^(?!(?:part|step|chapter|section|module|unit|phase|annex|appendix|item|note|teil|schritt|kapitel|abschnitt|modul|anhang|partie|chapitre|étape|parte|capítulo)\b)[^:]{1,30}:\s+\S/iu
// With such a word and number, a title may be long and end with a full stop.
const NUMBERED_TITLE = /^(?:item|article|section|artikel|abschnitt|§)\s*\d/iu
const CAPTION =
  /^(?:table|tab\.|figure|fig\.|tabelle|abb\.|abbildung|tableau|tabla|figura|exhibit|chart)\s*\d/iu

/** Whether a text begins like the caption of a table or a figure: "Table 3. …". */
export const isCaptionText = (text: string): boolean => CAPTION.test(text)

/** Whether a few bold lines may be a heading: short, not a sentence, not an entry of a form, not a caption. */
export function isHeadingLike(text: string, lines: readonly StyledLine[]): boolean {
  if (!lines.every(({ bold }) => bold) || lines.length > MAX_HEADING_LINES) return false
  const words = text.split(/\s+/).length
  const isNumberedTitle = NUMBERED_TITLE.test(text)
  if (words > (isNumberedTitle ? MAX_NUMBERED_WORDS : MAX_HEADING_WORDS)) return false
  const beginsLikeTitle = /^[\p{Lu}\p{Lo}\p{N}("“]/u.test(text) && /\p{L}{2}/u.test(text)
  const endsLikeSentence = /[,;]$/.test(text) || (/[.:]$/.test(text) && words > 8 && !isNumberedTitle)
  return beginsLikeTitle && !endsLikeSentence && !FORM_ENTRY.test(text) && !CAPTION.test(text)
}
