// What is known while an RTF file is read: the properties of the open groups, the text that is not yet a paragraph.

import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { Block } from '../../block.ts'
import { raised } from '../../blocks/raised.ts'
import { addFlatParagraph, type FlatStory, openFlatStory } from '../flat-story.ts'
import type { Look } from '../headings-by-look.ts'
import { inFont } from '../symbol-fonts.ts'
import { newDefinition, type RowDefinition } from './rows.ts'
import { fontEncoding, type RtfFont, type RtfStyle, styleLevel } from './sheets.ts'

/** What holds in a group, and is restored when it closes. */
export interface Group {
  /** Where its text goes: into the story, into `captured`, into a sheet, or nowhere. */
  destination: 'story' | 'captured' | 'fonts' | 'styles' | 'nowhere'
  /** `\*` stands at its beginning: it is left out where its destination is not known. */
  isOptional: boolean
  isHidden: boolean
  isDeleted: boolean
  isRaised: boolean
  /** Half points. */
  size: number
  font: number
  /** How many characters for old readers follow each \u. */
  substitutes: number
  style: number
  /** A paragraph's own heading level: 1 to 9, 0 for body text, undefined where its style decides. */
  level: number | undefined
  /** The list of a paragraph by number, 0 for none. */
  list: number
  listLevel: number
  isInTable: boolean
  /** How many tables deep a paragraph is, where the file says so. */
  tables: number
  /** What is to be done when the group closes. */
  end: (() => void) | undefined
}

/** The text of the body, a note or a box while it is read. */
export interface Story {
  flat: FlatStory
  /** The open paragraph. */
  parts: string[]
  /** Raised text behind them, not yet an exponent or a mark. */
  raised: string
  /** The smallest size in the paragraph, 0 before its first letter. */
  size: number
  label: string | undefined
  /** Notes and boxes of the paragraph. */
  after: Block[]
  row: RowDefinition
  isEndnote: boolean
}

interface FontReading {
  encoding: string
  /** Its name where it shows signs in place of letters. */
  symbols: string
}

export interface State {
  groups: Group[]
  group: Group
  /** Nothing stands in the open group yet: only there `\*` says something. */
  isGroupStart: boolean
  /** How many groups are open in one that is left out, itself included. */
  skipped: number
  /** How many groups are open beyond the most that are kept. */
  buried: number
  story: Story
  captured: string
  /** Text that is not decoded yet: letters of East Asia are written byte by byte. */
  bytes: Buffer
  length: number
  /** How many characters for old readers are still to be left out. */
  substitutes: number
  codePage: number | undefined
  defaultFont: number
  fonts: Map<number, RtfFont>
  /** The one being defined, as is the style. */
  font: RtfFont
  encodings: Map<number, FontReading>
  styles: Map<number, RtfStyle>
  style: RtfStyle
  levels: Map<number, number>
  looks: Map<number, Look>
  title: string | undefined
  /** Who made the remark that follows. */
  author: string
  footnotes: number
  endnotes: number
  /** Notes that headers refer to. */
  late: Block[]
}

const SYMBOLS = 2

export const newStory = (): Story => ({
  flat: openFlatStory(),
  parts: [],
  raised: '',
  size: 0,
  label: undefined,
  after: [],
  row: newDefinition(),
  isEndnote: false,
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
    substitutes: 1,
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
  buried: 0,
  story: newStory(),
  captured: '',
  bytes: Buffer.alloc(1024),
  length: 0,
  substitutes: 0,
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
  late: [],
})

/** Takes bytes of text: ASCII is text at once, the rest waits until the letter is whole. */
export function addBytes(state: State, bytes: Buffer, from: number, to: number, isAscii: boolean): void {
  const left = Math.min(state.substitutes, to - from)
  state.substitutes -= left
  const begin = from + left
  if (begin === to || state.group.destination === 'nowhere') return
  if (isAscii && state.length === 0) {
    const { symbols } = readingOf(state)
    const text = bytes.toString('latin1', begin, to)
    addText(state, symbols === '' ? text : inFont(text, symbols))
    return
  }
  // The format is written in ASCII; a writer that does not keep to it writes UTF-8 more often than a code page.
  if (state.length === 0 && isUtf8(bytes.subarray(begin, to))) {
    addText(state, bytes.toString('utf8', begin, to))
    return
  }
  const length = state.length + to - begin
  if (length > state.bytes.length) {
    const larger = Buffer.alloc(2 * length)
    state.bytes.copy(larger, 0, 0, state.length)
    state.bytes = larger
  }
  bytes.copy(state.bytes, state.length, begin, to)
  state.length = length
}

/** Decodes the bytes that wait; no more characters are left out. */
export function settleText(state: State): void {
  state.substitutes = 0
  if (state.length === 0) return
  const bytes = state.bytes.subarray(0, state.length)
  const { encoding, symbols } = readingOf(state)
  state.length = 0
  addText(state, symbols === '' ? iconv.decode(bytes, encoding) : inFont(bytes.toString('latin1'), symbols))
}

function readingOf({ group, fonts, encodings, codePage }: State): FontReading {
  // A font's name says nothing about what is being defined.
  const number = group.destination === 'fonts' ? -1 : group.font
  const known = encodings.get(number)
  if (known !== undefined) return known
  const font = fonts.get(number)
  const reading = {
    encoding: fontEncoding(fonts, number, codePage),
    symbols: font?.charset === SYMBOLS ? font.name.replace(/;.*/s, '').trim() : '',
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
  else if (group.destination === 'story' && !group.isHidden && !group.isDeleted) {
    if (group.isRaised) story.raised += text
    else {
      settleRaised(story)
      story.parts.push(text)
    }
    if (/\S/.test(text)) story.size = story.size === 0 ? group.size : Math.min(story.size, group.size)
  }
}

const CHARACTERS_BEFORE = 8

/** Raised text joins its paragraph as an exponent, the mark of a note, or as it is. */
export function settleRaised(story: Story): void {
  if (story.raised === '') return
  let before = ''
  for (let i = story.parts.length - 1; i >= 0 && before.length < CHARACTERS_BEFORE; i--)
    before = (story.parts[i] ?? '').slice(-CHARACTERS_BEFORE) + before
  story.parts.push(raised(before.slice(-CHARACTERS_BEFORE), story.raised))
  story.raised = ''
}

export const hasOpenParagraph = ({ parts, raised: up, after }: Story): boolean =>
  parts.length > 0 || up !== '' || after.length > 0

/** The paragraph that was read joins its story, in as many tables as `depth` says. */
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
  addFlatParagraph(story.flat, paragraph, depth, story.after)
  story.parts = []
  story.after = []
  story.size = 0
  story.label = undefined
}

const depthOf = ({ isInTable, tables }: Group): number => (isInTable ? Math.max(1, tables) : 0)

function levelOf({ levels, styles }: State, style: number): number {
  const level = levels.get(style) ?? styleLevel(styles, style)
  levels.set(style, level)
  return level
}

/** One of each size, since a file may have a million paragraphs. Bold type alone makes no heading of a line. */
function lookOf({ looks }: State, size: number): Look {
  const look = looks.get(size) ?? { bold: false, size, centred: false }
  looks.set(size, look)
  return look
}
