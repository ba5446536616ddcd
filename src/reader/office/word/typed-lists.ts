// Lists whose numbers are typed: "1.", a tab, the item. Paragraphs one below the other whose numbers count on are a list,
// as automatic ones are, with what is lettered below a number one level deeper.

import type { Block } from '../../block.ts'
import type { Look } from './emphasis.ts'

/** Where an item stands: the third of "a." or of "1)"; bullets of one sign are all alike. */
interface Place {
  sequence: string
  at: number
}

interface Item {
  places: readonly Place[]
  /** Its line, of an automatic list all lines. */
  lines: readonly string[]
  /** Where its last line stands. */
  last: readonly Place[]
}

interface Run {
  /** The levels that are open, each with the place of its last item. */
  open: (readonly Place[])[]
  lines: string[]
  blocks: Block[]
  /** Whether an item follows another one of its level: "A." with "1." below it alone is a heading with its first clause. */
  counts: boolean
}

const LABEL = String.raw`(\(?(?:\d{1,3}|[a-z]{1,5}|[A-Z]{1,5})[.)]|[•·▪◦‣–—-])`
// A tab parts the number from its item, whatever spaces are typed beside it.
const TYPED = new RegExp(`^${LABEL} *\\t\\s*(\\S.*)$`, 'su')
const AUTOMATIC = new RegExp(`^${LABEL} `, 'u')
const MOST_DEPTH = 5

/** Makes lists of the typed items among the blocks, in place; `looks` of those that stand in the body itself. */
export function joinTypedLists(blocks: Block[], looks: ReadonlyMap<Block, Look>): void {
  const joined: Block[] = []
  let run = newRun()
  const flush = (): void => {
    for (const block of listOf(run)) joined.push(block)
    run = newRun()
  }
  for (const block of blocks) {
    // A line in bold with a number is a heading.
    const item = looks.get(block)?.bold === true ? undefined : itemOf(block)
    if (item === undefined || !take(run, block, item)) flush()
    if (item === undefined) joined.push(block)
    else if (run.blocks.length === 0) take(run, block, item)
  }
  flush()
  blocks.length = 0
  for (const block of joined) blocks.push(block)
}

const newRun = (): Run => ({ open: [], lines: [], blocks: [], counts: false })

function listOf({ counts, lines, blocks }: Run): Block[] {
  return counts ? [{ kind: 'list', text: lines.join('\n') }] : blocks
}

/** The block as an item, undefined for one without a number. */
function itemOf({ kind, text, picture }: Block): Item | undefined {
  if (picture !== undefined) return undefined
  if (kind === 'list') return automaticItem(text)
  const [, label = '', rest = ''] = (kind === 'paragraph' && TYPED.exec(text)) || []
  if (label === '') return undefined
  const places = placesOf(label)
  // "etc." and "(see)" count nothing.
  if (places.length === 0) return undefined
  return { places, last: places, lines: [`${label} ${rest.replaceAll('\t', ' ')}`] }
}

/** An automatic list goes on where a typed item counts on from its last one of the first level. */
function automaticItem(text: string): Item | undefined {
  const lines = text.split('\n')
  const labels = lines.flatMap((line) => AUTOMATIC.exec(line)?.[1] ?? [])
  const [first] = lines
  if (first === undefined || AUTOMATIC.exec(first) === null) return undefined
  return { places: placesOf(labels[0] ?? ''), last: placesOf(labels.at(-1) ?? ''), lines }
}

/** Takes the item into the run where it counts on or begins a level; false where it is no part of it. */
function take(run: Run, block: Block, { places, last, lines }: Item): boolean {
  const level = run.open.findLastIndex((before) => following(before, places).length > 0)
  // "1." below "7." is another list.
  const isOpen = ({ sequence }: Place): boolean =>
    run.open.some((before) => before.some((one) => one.sequence === sequence))
  const begins = places.some((place) => place.at <= 1 && !isOpen(place))
  if (level === -1 && run.open.length > 0 && !begins) return false
  const depth = level === -1 ? run.open.length : level
  if (level !== -1) run.counts = true
  const here = last === places ? following(run.open[depth], places) : last
  run.open.length = depth
  run.open.push(here)
  for (const line of lines) run.lines.push(`${'  '.repeat(Math.min(depth, MOST_DEPTH))}${line}`)
  run.blocks.push(block)
  return true
}

/** Of `places`, those that count on from `before`; all where nothing is before. */
function following(before: readonly Place[] | undefined, places: readonly Place[]): readonly Place[] {
  return before === undefined ? places : places.filter((place) => before.some((one) => follows(one, place)))
}

const follows = (one: Place, next: Place): boolean =>
  one.sequence === next.sequence && (next.at === 0 || next.at === one.at + 1)

/** "i." is a letter and a Roman number until the next one tells. */
function placesOf(label: string): Place[] {
  const [, sign = ''] = /([\da-z]+)/i.exec(label) ?? []
  if (sign === '') return [{ sequence: label, at: 0 }]
  const form = label.replace(sign, '')
  if (/\d/.test(sign)) return [{ sequence: `1${form}`, at: Number(sign) }]
  const isSmall = sign === sign.toLowerCase()
  const places: Place[] = []
  if (sign.length === 1)
    places.push({ sequence: `${isSmall ? 'a' : 'A'}${form}`, at: sign.toLowerCase().charCodeAt(0) - 96 })
  const roman = romanNumber(sign.toLowerCase())
  if (roman > 0) places.push({ sequence: `${isSmall ? 'i' : 'I'}${form}`, at: roman })
  return places
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** Up to 39, which is more than lists have; 0 for what is none. */
function romanNumber(text: string): number {
  if (!/^x{0,3}(?:ix|iv|v?i{0,3})$/.test(text)) return 0
  return [...text].reduce((sum, sign, i) => {
    const value = ROMAN[sign] ?? 0
    return sum + (value < (ROMAN[text[i + 1] ?? ''] ?? 0) ? -value : value)
  }, 0)
}
