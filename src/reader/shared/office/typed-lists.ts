// Finds lists with typed numbers: "1.", a tab, the item. Consecutive paragraphs whose numbers increase become a list. Letters
// below a number are one level deeper.

import type { Block } from '../../block.ts'
import { type Look, romanNumber } from './headings-by-look.ts'

/** A position in a sequence: the third for "c." or "3)". Bullets with the same sign all have the same position. */
interface Place {
  sequence: string
  at: number
}

interface Item {
  places: readonly Place[]
  /** The line of a typed item, or all lines of an automatic list. */
  lines: readonly string[]
  /** The places of its last line. */
  lastPlaces: readonly Place[]
}

interface Run {
  /** The open levels, each with the possible positions of its last item. */
  open: (readonly Place[])[]
  lines: string[]
  blocks: Block[]
  /** Whether one item follows another on its level. "A." followed only by a "1." below it is a heading with its first clause. */
  counts: boolean
}

const LABEL = String.raw`(\(?(?:\d{1,3}|[a-z]{1,5}|[A-Z]{1,5})[.)]|[•·▪◦‣–—-])`
// A tab separates the number from its item, possibly with spaces around it.
const TYPED_ITEM = new RegExp(`^${LABEL} *\\t\\s*(\\S.*)$`, 'su')
const AUTOMATIC_LABEL = new RegExp(`^${LABEL} `, 'u')
const MAX_DEPTH = 5

/** Turns typed items into lists, in place. */
export function joinTypedLists(blocks: Block[], looks: ReadonlyMap<Block, Look>): void {
  const joined: Block[] = []
  let run = newRun()
  const flush = (): void => {
    for (const block of listOf(run)) joined.push(block)
    run = newRun()
  }
  for (const block of blocks) {
    // A bold line with a number is a heading.
    const item = looks.get(block)?.bold === true ? undefined : itemOf(block)
    if (item === undefined || !addToRun(run, block, item)) flush()
    if (item === undefined) joined.push(block)
    else if (run.blocks.length === 0) addToRun(run, block, item)
  }
  flush()
  blocks.length = 0
  for (const block of joined) blocks.push(block)
}

const newRun = (): Run => ({ open: [], lines: [], blocks: [], counts: false })

function listOf({ counts, lines, blocks }: Run): Block[] {
  return counts ? [{ kind: 'list', text: lines.join('\n') }] : blocks
}

/** The block as an item; undefined for one without a number. */
function itemOf({ kind, text, picture }: Block): Item | undefined {
  if (picture !== undefined) return undefined
  if (kind === 'list') return automaticItem(text)
  const [, label = '', rest = ''] = (kind === 'paragraph' && TYPED_ITEM.exec(text)) || []
  if (label === '') return undefined
  const places = placesOf(label)
  // "etc." and "(see)" are no numbers.
  if (places.length === 0) return undefined
  return { places, lastPlaces: places, lines: [`${label} ${rest.replaceAll('\t', ' ')}`] }
}

/** An automatic list may be continued by typed items. */
function automaticItem(text: string): Item | undefined {
  const lines = text.split('\n')
  const labels = lines.flatMap((line) => AUTOMATIC_LABEL.exec(line)?.[1] ?? [])
  const [first] = lines
  if (first === undefined || AUTOMATIC_LABEL.exec(first) === null) return undefined
  return { places: placesOf(labels[0] ?? ''), lastPlaces: placesOf(labels.at(-1) ?? ''), lines }
}

/** Adds the item to the run if it continues or begins a level. Returns false if the item does not belong to the run. */
function addToRun(run: Run, block: Block, { places, lastPlaces, lines }: Item): boolean {
  const level = run.open.findLastIndex((openItem) => following(openItem, places).length > 0)
  // "1." below "7." begins another list.
  const isOpen = ({ sequence }: Place): boolean =>
    run.open.some((openItem) => openItem.some((place) => place.sequence === sequence))
  const beginsSequence = places.some((place) => place.at <= 1 && !isOpen(place))
  if (level === -1 && run.open.length > 0 && !beginsSequence) return false
  const depth = level === -1 ? run.open.length : level
  if (level !== -1) run.counts = true
  const matchingPlaces = lastPlaces === places ? following(run.open[depth], places) : lastPlaces
  run.open.length = depth
  run.open.push(matchingPlaces)
  for (const line of lines) run.lines.push(`${'  '.repeat(Math.min(depth, MAX_DEPTH))}${line}`)
  run.blocks.push(block)
  return true
}

/** The positions that continue the previous ones. All of them if there are none. */
function following(previousPlaces: readonly Place[] | undefined, places: readonly Place[]): readonly Place[] {
  return previousPlaces === undefined
    ? places
    : places.filter((place) => previousPlaces.some((previous) => follows(previous, place)))
}

const follows = (place: Place, next: Place): boolean =>
  place.sequence === next.sequence && (next.at === 0 || next.at === place.at + 1)

/** The positions that a label may mean: "i." is a letter or a Roman numeral until the next label decides. */
function placesOf(label: string): Place[] {
  const [, sign = ''] = /([\da-z]+)/i.exec(label) ?? []
  if (sign === '') return [{ sequence: label, at: 0 }]
  const form = label.replace(sign, '')
  if (/\d/.test(sign)) return [{ sequence: `1${form}`, at: Number(sign) }]
  const isSmall = sign === sign.toLowerCase()
  const places: Place[] = []
  if (sign.length === 1)
    places.push({ sequence: `${isSmall ? 'a' : 'A'}${form}`, at: sign.toLowerCase().charCodeAt(0) - 96 })
  const roman = isRoman(sign) ? romanNumber(sign) : 0
  if (roman > 0) places.push({ sequence: `${isSmall ? 'i' : 'I'}${form}`, at: roman })
  return places
}

/** Whether a text is a Roman numeral up to 39. Lists have no larger ones. */
const isRoman = (text: string): boolean => /^x{0,3}(?:ix|iv|v?i{0,3})$/i.test(text)
