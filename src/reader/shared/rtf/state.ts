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

/** The properties that apply in a group and end with it. */
export interface Group {
  /** Where its text goes: to the story, to `captured`, to the font or style table, or nowhere. */
  destination: 'story' | 'captured' | 'fonts' | 'styles' | 'nowhere'
  /** Whether it begins with `\*`: it is skipped if its first control word is not known. */
  isOptional: boolean
  isHidden: boolean
  isDeleted: boolean
  isRaised: boolean
  /** The size of type in half points. */
  size: number
  font: number
  /** How many fallback characters for old programs follow each \u. */
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
  /** A header or a footer. */
  isRunning: boolean
}

interface FontReading {
  encoding: string
  /** The name of a symbol font, '' for other fonts. */
  symbols: string
}

export interface State {
  /** Hidden text, a line a paragraph. */
  hidden: string
  groups: Group[]
  group: Group
  /** Whether nothing of the open group was read yet. Only then `\*` has a meaning. */
  isGroupStart: boolean
  /** The number of open groups from the one that is skipped on, 0 if none is. */
  skipped: number
  /** The number of open groups beyond the limit, whose properties are not saved. */
  unsaved: number
  story: Story
  captured: string
  /** Text that is not yet decoded, since characters may consist of several escaped bytes. */
  bytes: Buffer
  length: number
  /** How many fallback characters are still to be skipped. */
  fallbacks: number
  codePage: number | undefined
  defaultFont: number
  fonts: Map<number, RtfFont>
  /** The font that is being defined. `style` is the style that is being defined. */
  font: RtfFont
  encodings: Map<number, FontReading>
  styles: Map<number, RtfStyle>
  style: RtfStyle
  levels: Map<number, number>
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
  skipped: 0,
  unsaved: 0,
  story: newStory(),
  hidden: '',
  captured: '',
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

/** Adds bytes of text. ASCII is added at once, other bytes are kept until all bytes of a character are there. */
export function addBytes(state: State, bytes: Buffer, isAscii: boolean): void {
  const skippedBytes = Math.min(state.fallbacks, bytes.length)
  state.fallbacks -= skippedBytes
  const textBytes = bytes.subarray(skippedBytes)
  if (textBytes.length === 0 || state.group.destination === 'nowhere') return
  if (isAscii && state.length === 0) {
    const { symbols } = fontReadingOf(state)
    const text = textBytes.toString('latin1')
    addText(state, symbols === '' ? text : inFont(text, symbols))
    return
  }
  // RTF is ASCII. Programs that write other bytes directly mostly write UTF-8.
  if (state.length === 0 && isUtf8(textBytes)) {
    addText(state, textBytes.toString('utf8'))
    return
  }
  const length = state.length + textBytes.length
  if (length > state.bytes.length) {
    const larger = Buffer.alloc(2 * length)
    state.bytes.copy(larger, 0, 0, state.length)
    state.bytes = larger
  }
  textBytes.copy(state.bytes, state.length)
  state.length = length
}

/** Decodes the bytes that were kept, and ends the skipping of fallback characters. */
export function settleText(state: State): void {
  state.fallbacks = 0
  if (state.length === 0) return
  const bytes = state.bytes.subarray(0, state.length)
  const { encoding, symbols } = fontReadingOf(state)
  state.length = 0
  addText(state, symbols === '' ? iconv.decode(bytes, encoding) : inFont(bytes.toString('latin1'), symbols))
}

function fontReadingOf({ group, fonts, encodings, codePage }: State): FontReading {
  // The font table itself is not in one of its fonts.
  const number = group.destination === 'fonts' ? -1 : group.font
  const cached = encodings.get(number)
  if (cached !== undefined) return cached
  const font = fonts.get(number)
  const reading = {
    encoding: fontEncoding(fonts, number, codePage),
    symbols: font?.charset === SYMBOL_CHARSET ? font.name.replace(/;.*/s, '').trim() : '',
  }
  encodings.set(number, reading)
  return reading
}

export function addText(state: State, text: string): void {
  const { group, story } = state
  state.isGroupStart = false
  if (group.destination === 'captured') state.captured += text
  else if (group.destination === 'fonts') state.font.name += text
  else if (group.destination === 'styles') state.style.name += text
  else if (group.destination === 'story' && group.isHidden && !group.isDeleted) state.hidden += text
  else if (group.destination === 'story' && !group.isDeleted) {
    if (group.isRaised) story.raisedText += text
    else {
      settleRaised(story)
      story.parts.push(text)
    }
    if (/\S/.test(text)) story.size = story.size === 0 ? group.size : Math.min(story.size, group.size)
  }
}

const MAX_CHARACTERS_BEFORE = 8

/** Adds the raised text to the paragraph as an exponent, a note reference, or unchanged. */
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

/** Ends the paragraph, which is `depth` tables deep. */
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

/** One object per size, since a file may have a million paragraphs. Bold type alone does not make a line a heading. */
function lookOf({ looks }: State, size: number): Look {
  const look = looks.get(size) ?? { bold: false, size, centred: false }
  looks.set(size, look)
  return look
}
