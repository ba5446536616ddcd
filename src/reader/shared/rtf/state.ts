// The state while an RTF file is read: the properties of the open groups, and the text of the open paragraph.

import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { Block } from '../../block.ts'
import { withRaised } from '../blocks/raised.ts'
import { addFlatParagraph, type FlatStory, openFlatStory } from '../office/flat-story.ts'
import type { Look } from '../office/headings-by-look.ts'
import { inFont } from '../office/symbol-fonts.ts'
import { fontEncoding, type RtfFont, type RtfStyle, styleLevel } from './font-and-style-tables.ts'
import { newDefinition, type RowDefinition } from './rows.ts'

/** The properties of a group. They apply until it closes. */
export interface Group {
  /** Where its text goes: to the story, to `captured`, to the font or style table, or nowhere. */
  destination: 'story' | 'captured' | 'fonts' | 'styles' | 'nowhere'
  /** Whether it begins with `\*`. Then it is skipped if its first control word is unknown. */
  isOptional: boolean
  isHidden: boolean
  isDeleted: boolean
  isRaised: boolean
  /** The font size in half points. */
  size: number
  font: number
  /** The number of fallback characters for old programs after each \u. */
  fallbacks: number
  style: number
  /** The outline level of the paragraph, 1 to 9; 0 for body text, undefined if its style decides. */
  level: number | undefined
  /** The number of the paragraph's list, 0 for none. */
  list: number
  listLevel: number
  isInTable: boolean
  /** The nesting depth of tables, if stated. */
  tables: number
  /** A function that is called when the group closes. */
  end: (() => void) | undefined
}

/** The body, a note or a text box while it is read. */
export interface Story {
  flat: FlatStory
  /** The text of the open paragraph. */
  parts: string[]
  /** The raised text at the end of the open paragraph. */
  raisedText: string
  /** The smallest font size in the paragraph, 0 if it is empty. */
  size: number
  label: string | undefined
  /** The notes, comments and boxes of the paragraph. */
  blocksAfter: Block[]
  row: RowDefinition
  isEndnote: boolean
  /** Whether it is a header or a footer. */
  isRunning: boolean
}

/** How the bytes of text in a font are decoded. */
interface FontDecoding {
  encoding: string
  /** The name of a symbol font; '' for other fonts. */
  symbolFont: string
}

export interface State {
  /** The hidden text, with a line for each paragraph. */
  hiddenText: string
  /** The groups around the open one, the outermost first. */
  groups: Group[]
  /** The open group. */
  group: Group
  /** Whether nothing of the open group has been read. Only then `\*` has a meaning. */
  isGroupStart: boolean
  /** The number of open groups that are skipped: the outermost one and those inside it. */
  skippedGroups: number
  /** The number of open groups beyond the limit, whose properties are not saved. */
  unsavedGroups: number
  story: Story
  /** The text of the group whose text is captured. */
  capturedText: string
  /** A buffer for bytes that are not yet decoded, because a character may consist of several escaped bytes. */
  bytes: Buffer
  /** The number of bytes in the buffer. */
  length: number
  /** The number of fallback characters that are still to be skipped. */
  fallbacks: number
  codePage: number | undefined
  defaultFont: number
  fonts: Map<number, RtfFont>
  /** The font that is being defined. */
  font: RtfFont
  /** A cache of the decodings of fonts. */
  encodings: Map<number, FontDecoding>
  styles: Map<number, RtfStyle>
  /** The style that is being defined. */
  style: RtfStyle
  /** A cache of the heading levels of styles. */
  levels: Map<number, number>
  /** One look for each font size. */
  looks: Map<number, Look>
  title: string | undefined
  /** The author of the next comment. */
  author: string
  footnotes: number
  endnotes: number
  /** The texts of headers and footers. */
  headers: string[]
  footers: string[]
  /** The code of the last field. */
  field: string
}

const SYMBOL_CHARSET = 2

export const newStory = (): Story => ({
  flat: openFlatStory(),
  parts: [],
  raisedText: '',
  size: 0,
  label: undefined,
  blocksAfter: [],
  row: newDefinition(),
  isEndnote: false,
  isRunning: false,
})

export const newState = (): State => ({
  groups: [],
  group: {
    destination: 'story',
    isOptional: false,
    isHidden: false,
    isDeleted: false,
    isRaised: false,
    size: 24,
    font: 0,
    fallbacks: 1,
    style: 0,
    level: undefined,
    list: 0,
    listLevel: 0,
    isInTable: false,
    tables: 0,
    end: undefined,
  },
  isGroupStart: false,
  skippedGroups: 0,
  unsavedGroups: 0,
  story: newStory(),
  hiddenText: '',
  capturedText: '',
  bytes: Buffer.alloc(1024),
  length: 0,
  fallbacks: 0,
  codePage: undefined,
  defaultFont: 0,
  fonts: new Map(),
  font: { name: '' },
  encodings: new Map(),
  styles: new Map(),
  style: { name: '' },
  levels: new Map(),
  looks: new Map(),
  title: undefined,
  author: '',
  footnotes: 0,
  endnotes: 0,
  headers: [],
  footers: [],
  field: '',
})

/** Adds bytes of text. ASCII is added at once, other bytes are buffered until all bytes of a character are there. */
export function addBytes(state: State, bytes: Buffer, isAscii: boolean): void {
  const skippedBytes = Math.min(state.fallbacks, bytes.length)
  state.fallbacks -= skippedBytes
  const textBytes = bytes.subarray(skippedBytes)
  if (textBytes.length === 0 || state.group.destination === 'nowhere') return
  if (isAscii && state.length === 0) {
    const { symbolFont } = decodingOf(state)
    const text = textBytes.toString('latin1')
    addText(state, symbolFont === '' ? text : inFont(text, symbolFont))
    return
  }
  // RTF should be ASCII. Programs that write other bytes without escaping mostly write UTF-8.
  if (state.length === 0 && isUtf8(textBytes)) {
    addText(state, textBytes.toString('utf8'))
    return
  }
  const length = state.length + textBytes.length
  if (length > state.bytes.length) {
    const largerBuffer = Buffer.alloc(2 * length)
    state.bytes.copy(largerBuffer, 0, 0, state.length)
    state.bytes = largerBuffer
  }
  textBytes.copy(state.bytes, state.length)
  state.length = length
}

/** Decodes the buffered bytes, and ends the skipping of fallback characters. */
export function settleText(state: State): void {
  state.fallbacks = 0
  if (state.length === 0) return
  const bytes = state.bytes.subarray(0, state.length)
  const { encoding, symbolFont } = decodingOf(state)
  state.length = 0
  const isSymbols = symbolFont !== ''
  addText(state, isSymbols ? inFont(bytes.toString('latin1'), symbolFont) : iconv.decode(bytes, encoding))
}

function decodingOf({ group, fonts, encodings, codePage }: State): FontDecoding {
  // The names in the font table have no font.
  const number = group.destination === 'fonts' ? -1 : group.font
  const cached = encodings.get(number)
  if (cached !== undefined) return cached
  const font = fonts.get(number)
  const decoding = {
    encoding: fontEncoding(fonts, number, codePage),
    symbolFont: font?.charset === SYMBOL_CHARSET ? font.name.replace(/;.*/s, '').trim() : '',
  }
  encodings.set(number, decoding)
  return decoding
}

/** Adds decoded text to the destination of the open group. */
export function addText(state: State, text: string): void {
  const { group, story } = state
  state.isGroupStart = false
  if (group.destination === 'captured') state.capturedText += text
  else if (group.destination === 'fonts') state.font.name += text
  else if (group.destination === 'styles') state.style.name += text
  else if (group.destination === 'story' && group.isHidden && !group.isDeleted) state.hiddenText += text
  else if (group.destination === 'story' && !group.isDeleted) {
    if (group.isRaised) story.raisedText += text
    else {
      settleRaised(story)
      story.parts.push(text)
    }
    if (/\S/.test(text)) story.size = story.size === 0 ? group.size : Math.min(story.size, group.size)
  }
}

// This much text before a superscript shows whether it is an exponent or a note reference.
const MAX_CHARACTERS_BEFORE = 8

/** Adds the raised text to the paragraph: as an exponent, as a note reference, or unchanged. */
export function settleRaised(story: Story): void {
  if (story.raisedText === '') return
  let textBefore = ''
  for (let i = story.parts.length - 1; i >= 0 && textBefore.length < MAX_CHARACTERS_BEFORE; i--)
    textBefore = (story.parts[i] ?? '').slice(-MAX_CHARACTERS_BEFORE) + textBefore
  story.parts.push(withRaised(textBefore.slice(-MAX_CHARACTERS_BEFORE), story.raisedText))
  story.raisedText = ''
}

export const hasOpenParagraph = ({ parts, raisedText, blocksAfter }: Story): boolean =>
  parts.length > 0 || raisedText !== '' || blocksAfter.length > 0

/** Ends the paragraph, which is inside `depth` nested tables. */
export function endParagraph(state: State, depth = depthOf(state.group)): void {
  const { story, group } = state
  settleRaised(story)
  const text = story.parts.join('').replace(/ {2,}/g, ' ').trim()
  const paragraph = {
    text,
    level: group.level ?? levelOf(state, group.style),
    label: story.label ?? (group.list > 0 ? '-' : undefined),
    depth: group.listLevel,
    look: story.size === 0 ? undefined : lookOf(state, story.size),
  }
  addFlatParagraph(story.flat, paragraph, depth, story.blocksAfter)
  story.parts = []
  story.blocksAfter = []
  story.size = 0
  story.label = undefined
}

const depthOf = ({ isInTable, tables }: Group): number => (isInTable ? Math.max(1, tables) : 0)

function levelOf({ levels, styles }: State, style: number): number {
  const level = levels.get(style) ?? styleLevel(styles, style)
  levels.set(style, level)
  return level
}

/** The look of a paragraph, by its size alone. One object for each size, because a file may have a million paragraphs. */
function lookOf({ looks }: State, size: number): Look {
  const look = looks.get(size) ?? { bold: false, size, centred: false }
  looks.set(size, look)
  return look
}
