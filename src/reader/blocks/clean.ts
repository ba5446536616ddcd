// Makes extracted text fit to store and search: well formed Unicode, no NUL, no C0 (BAD-30: one NUL in a text
// kills inserts into PostgreSQL), one spelling for what only looks different.

import type { Block, ParsedDocument, Picture } from '../block.ts'

// Controls but \t and \n, noncharacters, zero-width marks that split words (ZWJ and ZWNJ carry meaning in Indic and
// Persian script and stay), invisible operators of formulas, the soft hyphen.
const unwanted = /[^\P{Cc}\t\n]|[\u00ad\u200b\u2060-\u2064\ufeff\ufdd0-\ufdef\ufffe\uffff]/gu
const odd = /[\p{Zs}\u2028\u2029\ufb00-\ufb06]/gu

const spellings: Record<string, string> = {
  '\ufb00': 'ff',
  '\ufb01': 'fi',
  '\ufb02': 'fl',
  '\ufb03': 'ffi',
  '\ufb04': 'ffl',
  '\ufb05': 'st',
  '\ufb06': 'st',
  '\u2028': '\n',
  '\u2029': '\n',
}

// What Windows-1252 has where Latin-1 has controls that nobody writes: both are declared for the same texts, and Node's
// TextDecoder('windows-1252') gives the controls too, with it mails and old Word files lost their quotes and euro signs.
const FIRST_CONTROL = 0x80
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

// Nine of ten texts of filings: the patterns below take ten times as long to find nothing in them.
const CLEAN = /^[\t\n\x20-\x7e]*$/

/** `text` as it may be stored: see the file's head. Spaces of every kind become U+0020. */
export function cleanText(text: string): string {
  if (CLEAN.test(text)) return text
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - FIRST_CONTROL] ?? '')
    .replace(/\f|\v/g, '\n')
    .replace(unwanted, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(odd, (character) => spellings[character] ?? ' ')
    .normalize('NFC')
}

/** Joins words broken by a hyphen at a line's end ("informa-\ntion") and keeps true hyphens ("A-\n12", "Anglo-\nSaxon"). */
export function joinBroken(text: string): string {
  return text.replace(/(\p{Ll})[-\u2010]\n(\p{Ll})/gu, '$1$2')
}

/**
 * Cleans every text of a document and drops the blocks that hold nothing, but says where pictures stood. The document's
 * own list is made anew in its place: two of 100 MB of text beside one another are what a child's ceiling is made of.
 */
export function cleanDocument(document: ParsedDocument): ParsedDocument {
  const { blocks } = document
  const pictures: Picture[] = []
  let kept = 0
  for (const { picture, ...block } of blocks) {
    const text = trimLines(cleanText(block.text), block.kind)
    if (picture !== undefined) pictures.push(placeOf(picture, block, kept, text !== ''))
    if (text === '') continue
    blocks[kept++] = { ...block, text, ...(block.html === undefined ? {} : { html: cleanText(block.html) }) }
  }
  blocks.length = kept
  const title = document.title === undefined ? '' : cleanText(document.title).replace(/\s+/g, ' ').trim()
  const { title: _, ...rest } = document
  return {
    ...rest,
    ...(title === '' ? {} : { title }),
    blocks,
    ...(pictures.length === 0 ? {} : { pictures }),
  }
}

function placeOf(name: string, { page }: Block, before: number, captioned: boolean): Picture {
  const place = { name, ...(page === undefined ? {} : { page }) }
  return captioned ? { ...place, at: before + 1, captioned } : { ...place, at: before }
}

function trimLines(text: string, kind: Block['kind']): string {
  // Line by line: a pattern for white space at a line's end takes the square of its length (BAD-33).
  const lines = text.split('\n').map((line) => line.trimEnd())
  const from = lines.findIndex((line) => line !== '')
  const kept = from === -1 ? [] : lines.slice(from)
  const whole = (kind === 'list' ? outdented(kept) : kept).join('\n').trimEnd()
  return kind === 'code' ? whole : whole.trimStart()
}

/** A list that begins at a deeper level begins at the first all the same; its items keep their distance. */
function outdented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
  const least = indents.reduce((smallest, indent) => Math.min(smallest, indent), Number.POSITIVE_INFINITY)
  return lines.map((line) => line.slice(least))
}
