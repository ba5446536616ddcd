// Reads Rich Text Format ([RTF 1.9.1]) that arrives in pieces. Headings are found by style and outline level, and tables by the
// edges of their cells. The numbers of lists are those that the file has as text. A field gives its result. Notes, comments and
// text boxes come after their paragraph, and headers and footers become a note each. Hidden text becomes blocks of its own at the
// end, and deleted text is left out.

import type { Block, ParsedDocument } from '../../block.ts'
import { commentBlock } from '../blocks/comment.ts'
import { numeral } from '../blocks/numerals.ts'
import { markedPageNumber, runningNote } from '../blocks/running.ts'
import { flatText, storyText } from '../blocks/table.ts'
import { closeTables, endCell, endRow, finishStory } from '../office/flat-story.ts'
import { finishDocument } from '../office/paragraphs.ts'
import { outlineLevel } from '../office/style-names.ts'
import { definedRow, newDefinition, rowWords } from './rows.ts'
import {
  addBytes,
  addText,
  endParagraph,
  type Group,
  hasOpenParagraph,
  newState,
  newStory,
  type State,
  type Story,
  settleRaised,
  settleText,
} from './state.ts'
import { openTokenizer, type TokenHandler } from './tokens.ts'

// No program nests groups so deeply. Deeper groups have the properties of the group around them.
const MAX_GROUPS = 1000
// Text that is raised by less is no superscript.
const MIN_RAISE_HALF_POINTS = 4
// In half points.
const DEFAULT_SIZE = 24
const MAX_LABEL_CHARACTERS = 40

/** The document in an RTF file that arrives in pieces. */
export async function readRtf(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<ParsedDocument> {
  const state = newState()
  const tokenizer = openTokenizer(handlerOf(state))
  for await (const piece of pieces) tokenizer.write(piece)
  tokenizer.end()
  const { blocks, ...document } = finishDocument(endFile(state), state.title)
  const hidden = state.hiddenText
    .split('\n')
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text): Block => ({ kind: 'paragraph', text, hidden: true }))
  return {
    ...document,
    blocks: [...runningNote(state.headers), ...blocks, ...runningNote(state.footers), ...hidden],
  }
}

function handlerOf(state: State): TokenHandler {
  return {
    open: () => openGroup(state),
    close: () => closeGroup(state),
    word: (name, value) => readWord(state, name, value),
    symbol: (sign) => readSymbol(state, sign),
    text: (bytes, from, to, isAscii) => {
      if (state.skippedGroups === 0) addBytes(state, bytes.subarray(from, to), isAscii)
    },
    byte: (value) => {
      if (state.skippedGroups === 0) addBytes(state, Buffer.of(value), value < 0x80)
    },
  }
}

function openGroup(state: State): void {
  if (state.skippedGroups > 0) {
    state.skippedGroups++
    return
  }
  settleText(state)
  if (state.groups.length >= MAX_GROUPS) {
    state.unsavedGroups++
    return
  }
  const { group } = state
  state.groups.push(group)
  state.group = { ...group, isOptional: false, end: undefined }
  state.isGroupStart = true
  if (group.destination === 'styles') state.style = { name: '' }
}

function closeGroup(state: State): void {
  if (state.skippedGroups > 0 && --state.skippedGroups > 0) return
  settleText(state)
  if (state.unsavedGroups > 0) {
    state.unsavedGroups--
    return
  }
  const outer = state.groups.pop()
  if (outer === undefined) return
  const { group, style } = state
  state.isGroupStart = false
  group.end?.()
  if (group.destination === 'styles' && style.name !== '') {
    state.styles.set(style.number ?? 0, {
      ...style,
      name: style.name.replace(/;.*/s, '').trim().toLowerCase(),
    })
    state.style = { name: '' }
  }
  state.group = outer
}

/** Closes everything that is still open, as in a truncated file. */
function endFile(state: State): ReturnType<typeof newStory>['flat'] {
  state.skippedGroups = 0
  state.unsavedGroups = 0
  while (state.groups.length > 0) closeGroup(state)
  settleText(state)
  if (hasOpenParagraph(state.story)) endParagraph(state)
  const { flat } = state.story
  finishStory(flat)
  return flat
}

function readSymbol(state: State, sign: string): void {
  if (state.skippedGroups > 0) return
  settleText(state)
  if (sign === '*') state.group.isOptional = state.isGroupStart
  else if (sign === '\n') readWord(state, 'par', undefined)
  else if (textBySign[sign] !== undefined) addText(state, textBySign[sign])
}

// The texts of control symbols. "\_" is a non-breaking hyphen. An optional hyphen ("\-") is not shown.
const textBySign: Readonly<Record<string, string>> = { '\\': '\\', '{': '{', '}': '}', '~': ' ', _: '-' }

function readWord(state: State, name: string, value: number | undefined): void {
  if (state.skippedGroups > 0) return
  settleText(state)
  const { group } = state
  const openDestination = destinations.get(name)
  state.isGroupStart = false
  if (group.isOptional && openDestination === undefined) skipGroup(state)
  else if (openDestination !== undefined) {
    group.isOptional = false
    if (state.unsavedGroups === 0) openDestination(state)
  } else if (group.destination === 'fonts') readFontWord(state, name, value)
  else if (group.destination === 'styles') readStyleWord(state, name, value)
  else if (group.destination !== 'nowhere') {
    const character = textByWord[name]
    if (character !== undefined) addText(state, character)
    else if (name === 'chpgn' && state.story.isRunning) addPageNumber(state)
    else if (name === 'u') addUnicode(state, value ?? 0)
    else if (!setProperty(state, name, value) && group.destination === 'story')
      readStoryWord(state, name, value)
  }
}

const textByWord: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  softline: '\n',
  page: '\n',
  column: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  zwj: '\u200d',
  zwnj: '\u200c',
}

/** Adds the character of `\u`. Codes above 32,767 are written as negative numbers, those above 65,535 as surrogates or directly. */
function addUnicode(state: State, code: number): void {
  if (code <= 0xffff) addText(state, String.fromCharCode(code))
  else if (code <= 0x10ffff) addText(state, String.fromCodePoint(code))
  state.fallbacks = state.group.fallbacks
}

/** Sets a property of the group; false for other control words. */
function setProperty(state: State, name: string, value: number | undefined): boolean {
  const set = properties.get(name)
  set?.(state.group, value ?? 1, state)
  return set !== undefined
}

const plainProperties = { isHidden: false, isDeleted: false, isRaised: false, size: DEFAULT_SIZE }
const plainParagraph = { style: 0, level: undefined, list: 0, listLevel: 0, isInTable: false, tables: 0 }

type SetProperty = (group: Group, value: number, state: State) => void
const setTo =
  <Name extends keyof Group>(name: Name, from: (value: number) => Group[Name]): SetProperty =>
  (group, value) => {
    group[name] = from(value)
  }

const properties: ReadonlyMap<string, SetProperty> = new Map<string, SetProperty>([
  ['v', setTo('isHidden', (value) => value !== 0)],
  ['deleted', setTo('isDeleted', (value) => value !== 0)],
  ['super', setTo('isRaised', (value) => value !== 0)],
  ['sub', setTo('isRaised', () => false)],
  ['nosupersub', setTo('isRaised', () => false)],
  [
    'up',
    (group, value) =>
      Object.assign(group, value > 0 && value < MIN_RAISE_HALF_POINTS ? {} : { isRaised: value > 0 }),
  ],
  ['fs', setTo('size', (value) => value)],
  ['f', setTo('font', (value) => value)],
  ['uc', setTo('fallbacks', (value) => Math.max(0, value))],
  ['plain', (group, _, { defaultFont }) => Object.assign(group, plainProperties, { font: defaultFont })],
  ['pard', (group) => Object.assign(group, plainParagraph)],
  ['s', setTo('style', (value) => value)],
  ['outlinelevel', setTo('level', outlineLevel)],
  ['ls', setTo('list', (value) => value)],
  ['ilvl', setTo('listLevel', (value) => Math.max(0, value))],
  ['intbl', setTo('isInTable', (value) => value !== 0)],
  ['itap', setTo('tables', (value) => value)],
])

function readStoryWord(state: State, name: string, value = 0): void {
  const { story, group } = state
  const { flat, row } = story
  const nestedDepth = Math.max(2, group.tables)
  const defineRow = rowWords.get(name)
  if (defineRow !== undefined) defineRow(row, value)
  else if (name === 'trowd') story.row = newDefinition()
  else if (name === 'par' || name === 'sect') {
    // A paragraph whose end is deleted or hidden continues in the next one.
    if (group.isHidden) state.hiddenText += '\n'
    else if (!group.isDeleted) endParagraph(state)
  } else if (name === 'cell' || name === 'nestcell') {
    const depth = name === 'cell' ? 1 : nestedDepth
    endParagraph(state, depth)
    endCell(flat, depth)
  } else if (name === 'row' || name === 'nestrow') {
    const depth = name === 'row' ? 1 : nestedDepth
    if (hasOpenParagraph(story)) endParagraph(state, depth)
    endRow(flat, depth, (cells) => definedRow(cells, row))
    if (row.isLast) closeTables(flat, depth - 1)
  } else if (name === 'ftnalt') story.isEndnote = true
  else if (name === 'deff') state.defaultFont = group.font = value
  else if (name === 'ansicpg') state.codePage = value
  else if (codePages[name] !== undefined) state.codePage = codePages[name]
  // The last paragraph may have no mark of its own and end with the group of the whole file.
  else if (name === 'rtf') group.end = () => hasOpenParagraph(state.story) && endParagraph(state)
}

const codePages: Readonly<Record<string, number>> = { mac: 10_000, pc: 437, pca: 850 }

function readFontWord(state: State, name: string, value = 0): void {
  if (name === 'f') {
    state.font = { name: '' }
    state.fonts.set(value, state.font)
  } else if (name === 'fcharset') state.font.charset = value
  else if (name === 'cpg') state.font.codePage = value
}

function readStyleWord({ style }: State, name: string, value = 0): void {
  if (name === 's') style.number = value
  else if (name === 'outlinelevel') style.outline = outlineLevel(value)
  else if (name === 'sbasedon') style.base = value
}

type BeginDestination = (state: State) => void

/** Skips the rest of the group with all groups in it. */
const skipGroup: BeginDestination = (state) => {
  state.skippedGroups = 1
}

/** Skips the text of the group, but not the groups in it. */
const skipText: BeginDestination = ({ group }) => {
  group.destination = 'nowhere'
}

/** Reads the text of the group, and passes it to `onEnd` when the group closes. */
const capture =
  (onEnd: (state: State, text: string) => void): BeginDestination =>
  (state) => {
    state.group.destination = 'captured'
    state.capturedText = ''
    state.group.end = () => onEnd(state, state.capturedText.trim())
  }

/** Reads the group as a separate story, and passes its blocks to `onEnd` when the group closes. */
const asStory =
  (onEnd: (state: State, blocks: Block[], story: Story) => void): BeginDestination =>
  (state) => {
    const { group, story: outer } = state
    if (group.isHidden || group.isDeleted) {
      skipGroup(state)
      return
    }
    settleRaised(outer)
    const story = newStory()
    state.story = story
    Object.assign(group, plainParagraph, plainProperties, { destination: 'story' })
    group.end = () => {
      if (hasOpenParagraph(story)) endParagraph(state)
      state.story = outer
      onEnd(state, finishStory(story.flat), story)
    }
  }

/** Adds a note. Footnotes are numbered 1, 2, 3 and endnotes i, ii, iii, as in the other formats of Word. */
function addNote(state: State, blocks: readonly Block[], { isEndnote }: Story): void {
  const { story } = state
  const mark = isEndnote ? `[${numeral(++state.endnotes, 'lowerRoman')}]` : `[${++state.footnotes}]`
  const text = storyText(blocks)
  story.parts.push(mark)
  if (text !== '') story.blocksAfter.push({ kind: 'note', text: `${mark} ${text}` })
}

const addBox = ({ story }: State, blocks: readonly Block[]): void => {
  for (const block of blocks) story.blocksAfter.push(block)
}

const addComment = ({ story, author }: State, blocks: readonly Block[]): void => {
  story.blocksAfter.push(commentBlock(author, storyText(blocks)))
}

/** Reads a header or a footer. A section may have several, for left, right and first pages. */
const asRunning =
  (kind: 'headers' | 'footers'): BeginDestination =>
  (state) => {
    asStory((_, blocks) => {
      state[kind].push(blocks.map((block) => flatText(block, '\t', '\n')).join('\n'))
    })(state)
    if (state.skippedGroups === 0) state.story.isRunning = true
  }

const PAGE_FIELD = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i

/** Reads the code of a field in a header or footer, which shows whether it is a page number. Other codes are skipped. */
const beginCode: BeginDestination = (state) => {
  const readCode = state.story.isRunning
    ? capture((fieldState, text) => {
        fieldState.field = text
      })
    : skipGroup
  readCode(state)
}

const beginResult: BeginDestination = (state) => {
  if (state.story.isRunning && PAGE_FIELD.test(state.field)) capture(addPageNumber)(state)
  state.field = ''
}

const addPageNumber = ({ story }: State): void => {
  story.parts.push(markedPageNumber(''))
}

function setLabel({ story }: State, text: string): void {
  // A bullet is a sign, or the letter "o", which some fonts show as a circle.
  const isNumber = /[\p{L}\d]/u.test(text) && text !== 'o' && text.length <= MAX_LABEL_CHARACTERS
  story.label = isNumber ? text : '-'
}

/** Entries of the map below with the same function for several control words. */
const forEachWord = (names: string, openDestination: BeginDestination): [string, BeginDestination][] =>
  names.split(' ').map((name) => [name, openDestination])

/** The functions that begin a group, by its first control word. A group that begins with `\*` and any other word is skipped. */
const destinations: ReadonlyMap<string, BeginDestination> = new Map<string, BeginDestination>([
  ...forEachWord('pict nonshppict shprslt mmathPict objdata nonesttables xe tc', skipGroup),
  ...forEachWord(
    'colortbl filetbl revtbl listtable listoverridetable ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn',
    skipGroup,
  ),
  ...forEachWord('info shpinst shpgrp do upr', skipText),
  ...forEachWord('header headerl headerr headerf', asRunning('headers')),
  ...forEachWord('footer footerl footerr footerf', asRunning('footers')),
  ['fldinst', beginCode],
  ['fldrslt', beginResult],
  ...forEachWord('listtext pntext', capture(setLabel)),
  ...forEachWord('shptxt dptxbxtext', asStory(addBox)),
  ['footnote', asStory(addNote)],
  ['annotation', asStory(addComment)],
  ['atnauthor', capture((state, text) => Object.assign(state, { author: text }))],
  ['title', capture((state, text) => Object.assign(state, { title: text }))],
  // The text in Unicode. The enclosing group also has a version with only the characters of the code page.
  ['ud', ({ group, groups }) => Object.assign(group, { destination: groups.at(-2)?.destination ?? 'story' })],
  ['nesttableprops', defineNested],
  [
    'fonttbl',
    (state) => {
      state.group.destination = 'fonts'
      state.group.end = () => state.encodings.clear()
    },
  ],
  ['stylesheet', ({ group }) => Object.assign(group, { destination: 'styles' })],
])

/** Reads the row definition of a nested table, and restores the definition of the outer row when the group closes. */
function defineNested({ story, group }: State): void {
  const outer = story.row
  story.row = newDefinition()
  group.end = () => {
    story.row = outer
  }
}
