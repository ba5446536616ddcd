// Prepares extracted text for storing and searching: well-formed Unicode without control characters (PostgreSQL refuses
// a text with a NUL, BAD-30), one spelling for characters that mean the same.

import type { Block, HiddenPassage, ParsedDocument, Picture } from '../../block.ts'

// Control characters except \t and \n, noncharacters, zero-width spaces (but not ZWJ and ZWNJ, which carry meaning in
// Indic and Persian scripts), invisible operators of formulas, the soft hyphen.
const unwantedCharacters = /[^\P{Cc}\t\n]|[\u00ad\u200b\u2060-\u2064\ufeff\ufdd0-\ufdef\ufffe\uffff]/gu
// Spaces of every kind, the line and paragraph separators, and the ligatures ﬀ to ﬆ.
const RESPELLED_CHARACTERS = /[\p{Zs}\u2028\u2029\ufb00-\ufb06]/gu

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

// The characters that Windows-1252 has at the codes 0x80 to 0x9f, where Latin-1 has control characters that nobody uses.
// Texts in Windows-1252 are often declared as Latin-1, and Node's TextDecoder('windows-1252') also gives the control
// characters. Without this, mails and old Word files would lose their quotes and euro signs.
const FIRST_CONTROL = 0x80
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

// A text that needs no cleaning, as nine of ten texts of filings do not. The patterns below would take ten times as long.
const PRINTABLE_ASCII = /^[\t\n\x20-\x7e]*$/

/** The text as it is stored. Spaces of every kind become U+0020. */
export function cleanText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - FIRST_CONTROL] ?? '')
    .replace(/\f|\v/g, '\n')
    .replace(unwantedCharacters, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(RESPELLED_CHARACTERS, (character) => spellings[character] ?? ' ')
    .normalize('NFC')
}

/** Joins words hyphenated at a line end ("informa-\ntion") and keeps other hyphens ("A-\n12", "Anglo-\nSaxon"). */
export function joinHyphenated(text: string): string {
  return text.replace(/(\p{Ll})[-\u2010]\n(\p{Ll})/gu, '$1$2')
}

// More hidden text is no remark of an author but an attempt to fill the memory.
const MAX_HIDDEN_CHARACTERS = 100_000

/**
 * Cleans all texts of a document, separates hidden text, drops empty blocks and records the positions of pictures. The list
 * of blocks is changed in place, because a copy of 100 MB of text would come close to the memory limit of the parser process.
 */
export function cleanDocument(document: ParsedDocument): ParsedDocument {
  const { blocks } = document
  const pictures: Picture[] = []
  const hidden: HiddenPassage[] = [...(document.hidden ?? [])]
  let hiddenCharacters = 0
  let keptCount = 0
  for (const { picture, hidden: isHidden, quoteDepth: _, ...block } of blocks) {
    const text = trimLines(cleanText(block.text), block.kind)
    if (isHidden) {
      hiddenCharacters += text.length
      if (text === '') continue
      const isKept = hiddenCharacters <= MAX_HIDDEN_CHARACTERS
      hidden.push({ ...(block.page !== undefined && { page: block.page }), text: isKept ? text : '' })
      continue
    }
    if (picture !== undefined) pictures.push(pictureAfter(keptCount, picture, block, text !== ''))
    if (text === '') continue
    blocks[keptCount++] = {
      ...block,
      text,
      ...(block.html === undefined ? {} : { html: cleanText(block.html) }),
    }
  }
  blocks.length = keptCount
  const title = document.title === undefined ? '' : cleanText(document.title).replace(/\s+/g, ' ').trim()
  const { title: _, ...rest } = document
  return {
    ...rest,
    ...(title === '' ? {} : { title }),
    blocks,
    ...(hidden.length === 0 ? {} : { hidden }),
    ...(pictures.length === 0 ? {} : { pictures }),
  }
}

/** A picture after so many blocks. Its caption is the next block and comes before it. */
function pictureAfter(blockCount: number, name: string, { page }: Block, isCaptioned: boolean): Picture {
  const picture = { name, ...(page === undefined ? {} : { page }) }
  return isCaptioned
    ? { ...picture, at: blockCount + 1, captioned: isCaptioned }
    : { ...picture, at: blockCount }
}

function trimLines(text: string, kind: Block['kind']): string {
  // Line by line, since a pattern for white space at line ends takes quadratic time (BAD-33).
  const lines = text.split('\n').map((line) => line.trimEnd())
  const firstLine = lines.findIndex((line) => line !== '')
  const remainingLines = firstLine === -1 ? [] : lines.slice(firstLine)
  const cleaned = (kind === 'list' ? outdented(remainingLines) : remainingLines).join('\n').trimEnd()
  return kind === 'code' ? cleaned : cleaned.trimStart()
}

/** Removes the indentation that all items of a list share. */
function outdented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
  const minIndent = indents.reduce((smallest, indent) => Math.min(smallest, indent), Number.POSITIVE_INFINITY)
  return lines.map((line) => line.slice(minIndent))
}
