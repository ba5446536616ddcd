// Splits blocks between two lines if the page shows a break there. The layout pass joins a bold heading to the text below it,
// successive headings, separate paragraphs, and the text after a list to its last entry.

import type { TextItem } from '@llamaindex/liteparse'
import { entryText, isClause, isEntry, isNumbered } from '../marks.ts'
import { type Line, textLines } from '../tables/lines.ts'
import { heightOf, INDENT, LINE_PITCH, usualHeight } from '../tolerance.ts'
import { itemsIn, type PlacedBlock, rectBox, union } from './boxes.ts'
import { entryEdges, entryIndent, nested, signsAtEnd, withNote } from './lists.ts'
import { namedEnd } from './named-texts.ts'
import { isBelowEntry, paragraphEdges } from './paragraph-edges.ts'
import { closestPitch, fontOf, isBold, type TypeLine } from './type-lines.ts'
import { endOf, lettersOf } from './words.ts'

/** The block's lines from the top. */
export const linesOf = ({ bbox }: PlacedBlock, items: readonly TextItem[]): TypeLine[] =>
  textLines(itemsIn(items, bbox).map((item) => ({ text: item.text, item, bbox: rectBox(item) }))).map(
    typeLine,
  )

function typeLine({ segments, bbox }: Line): TypeLine {
  const words = segments.flatMap((segment) => segment.words)
  const longest = words.reduce((a, b) => (b.text.length > a.text.length ? b : a))
  return {
    text: words.map(({ text }) => text).join(' '),
    bbox,
    bold: words.every(({ item, text }) => isBold(item) || !/[\p{L}\p{N}]/u.test(text)),
    font: fontOf(longest.item),
  }
}

/** The block in one piece or several, in order, each with its place. A piece that looks like a heading becomes one. */
export function cutBlock(
  block: PlacedBlock,
  items: readonly TextItem[],
  names: readonly string[] = [],
): PlacedBlock[] {
  if (block.kind !== 'paragraph' && block.kind !== 'heading' && block.kind !== 'list') return [block]
  const lines = linesOf(block, items)
  if (lines.length < 2) return [block]
  if (areFormEntries(block, lines)) return [formEntriesBlock(block, lines)]
  const nameCuts = names.length === 0 ? [] : namedCuts(lines, names)
  const entryStarts = block.kind === 'paragraph' ? entryEdges(lines) : []
  const edges = entryStarts.length > 0 ? entryStarts : cutsOf(block, lines)
  const cuts = [...new Set([...edges, ...nameCuts])].sort((a, b) => a - b).filter((cut) => cut > 0)
  if (cuts.length === 0) return [block]
  const pieces = nested(piecesOf(block, lines, cuts), usualHeight(lines))
  return block.kind === 'paragraph' ? withNote(pieces, lines) : pieces
}

const MIN_ENTRIES = 3

const areFormEntries = ({ kind }: PlacedBlock, lines: readonly TypeLine[]): boolean =>
  kind !== 'list' &&
  (kind === 'heading' || lines.length >= MIN_ENTRIES) &&
  lines.every(({ text }) => FORM_ENTRY.test(text))

/** Names in bold with their values, one per line, as at the start of a report. */
const formEntriesBlock = ({ level: _, ...block }: PlacedBlock, lines: readonly TypeLine[]): PlacedBlock => ({
  ...block,
  kind: 'paragraph',
  text: lines.map(({ text }) => text).join('\n'),
})

/** The block split before the given lines, as long as its text follows them. */
export function piecesOf(
  block: PlacedBlock,
  lines: readonly TypeLine[],
  cuts: readonly number[],
): PlacedBlock[] {
  const pieces: PlacedBlock[] = []
  let rest = block.text
  let first = 0
  for (const end of [...cuts, lines.length]) {
    const pieceLines = lines.slice(first, end)
    const letters = end === lines.length ? rest.length : endOf(rest, lettersOf(pieceLines))
    // If the text does not follow its lines, the rest stays in one piece.
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
  lines: readonly TypeLine[],
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

/** The lines before which the block is split. */
function cutsOf(block: PlacedBlock, lines: readonly TypeLine[]): number[] {
  const closestPitchOf = closestPitch(lines)
  if (block.kind !== 'list' && block.kind !== 'heading')
    return [...paragraphEdges(lines, closestPitchOf), ...boldCuts(block, lines)]
  const cuts = lines.flatMap((line, i) => {
    const above = lines[i - 1]
    return above !== undefined && isCut(block, { lines, minPitch: closestPitchOf }, above, line) ? [i] : []
  })
  return block.kind === 'list' ? cuts : [...cuts, ...boldCuts(block, lines)]
}

/** The edges of lines that a bookmark of the page names. */
function namedCuts(lines: readonly TypeLine[], names: readonly string[]): number[] {
  const cuts = lines.flatMap((_, start) => {
    const end = namedEnd(lines, start, names)
    return end === undefined ? [] : [start, end]
  })
  return cuts.filter((cut) => cut > 0 && cut < lines.length)
}

// "6 SERVICE", "6.1 Filling the system": two headings below each other.
const HEADING_NUMBER = /^\d{1,2}(?:\.\d{1,2})*\.?\s+\p{Lu}/u

/** Whether a list or a heading is split before a line. */
function isCut(
  block: PlacedBlock,
  { lines, minPitch }: { lines: readonly TypeLine[]; minPitch: number },
  above: TypeLine,
  line: TypeLine,
): boolean {
  const pitch = line.bbox[3] - above.bbox[3]
  if (block.kind === 'list') return isBelowEntry(lines, pitch, minPitch) || endsList(lines, above, line)
  return (
    line.bbox[0] > above.bbox[2] ||
    line.bbox[2] < above.bbox[0] ||
    (line.font !== above.font && above.bold && line.bold) ||
    (HEADING_NUMBER.test(line.text) && HEADING_NUMBER.test(above.text)) ||
    pitch > usualHeight(lines) * LINE_PITCH
  )
}

/** Whether this is the first line after the list. The lines after it are one piece. */
const endsList = (lines: readonly TypeLine[], above: TypeLine, line: TypeLine): boolean =>
  leavesList(lines, above, line) &&
  !lines.slice(0, lines.indexOf(line)).some((other, i) => {
    const previousLine = lines[i - 1]
    return previousLine !== undefined && leavesList(lines, previousLine, other)
  })

/** Whether a line begins left of the entry's mark, or at the mark's edge while the other lines of the entry are indented. */
function leavesList(lines: readonly TypeLine[], above: TypeLine, line: TypeLine): boolean {
  const [first, second] = lines
  if (first === undefined || second === undefined || above === first) return false
  const minIndent = heightOf(first.bbox) * INDENT[0]
  const isHanging = second.bbox[0] - first.bbox[0] > minIndent
  return isHanging && line.bbox[0] < first.bbox[0] + minIndent && line.bbox[0] < second.bbox[0] - minIndent
}

/** The edges of runs of bold lines that look like a heading, between or above other lines. */
function boldCuts(block: PlacedBlock, lines: readonly TypeLine[]): number[] {
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

// A heading's last line ends before this share of the text's width. Bold words at the start of a paragraph fill their line.
const MAX_EARLY_END_SHARE = 0.9

function endsEarly(run: readonly TypeLine[], lines: readonly TypeLine[]): boolean {
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  const right = Math.max(...lines.map(({ bbox }) => bbox[2]))
  return (run.at(-1)?.bbox[2] ?? right) < left + (right - left) * MAX_EARLY_END_SHARE
}

const MAX_HEADING_WORDS = 16
// The titles of a form's items are long: "Item 5. Market for …" has 18 words.
const MAX_NUMBERED_WORDS = 24
const MAX_HEADING_LINES = 3
// "Report ID: A-12" is an entry, "Step 2: Design" a heading.
const FORM_ENTRY =
  /^(?!(?:part|step|chapter|section|module|unit|phase|annex|appendix|item|note|teil|schritt|kapitel|abschnitt|modul|anhang|partie|chapitre|étape|parte|capítulo)\b)[^:]{1,30}:\s+\S/iu
// With such a name and number, a title may end with a full stop.
const NUMBERED_TITLE = /^(?:item|article|section|artikel|abschnitt|§)\s*\d/iu
const CAPTION =
  /^(?:table|tab\.|figure|fig\.|tabelle|abb\.|abbildung|tableau|tabla|figura|exhibit|chart)\s*\d/iu

/** Whether a text begins like the caption of a table or a figure: "Table 3. …". */
export const isCaptionText = (text: string): boolean => CAPTION.test(text)

/** Whether a few bold lines may be a heading: short, not a sentence, not an entry of a form, not a caption. */
export function isHeadingLike(text: string, lines: readonly TypeLine[]): boolean {
  const words = text.split(/\s+/).length
  return (
    lines.every(({ bold }) => bold) &&
    lines.length <= MAX_HEADING_LINES &&
    words <= (NUMBERED_TITLE.test(text) ? MAX_NUMBERED_WORDS : MAX_HEADING_WORDS) &&
    /^[\p{Lu}\p{Lo}\p{N}("“]/u.test(text) &&
    /\p{L}{2}/u.test(text) &&
    !/[,;]$/.test(text) &&
    (!/[.:]$/.test(text) || words <= 8 || NUMBERED_TITLE.test(text)) &&
    !FORM_ENTRY.test(text) &&
    !CAPTION.test(text)
  )
}
