// Finds lists whose numbers are typed: "1.", a tab, the text of the item. Consecutive paragraphs whose numbers increase become a
// list. Letters below a number are one level deeper.

import type { Block } from '../../block.ts'
import { type LabelPosition, type Look, romanNumber } from './headings-by-look.ts'

interface Item {
  /** The positions that the label of its first line may mean. */
  positions: readonly LabelPosition[]
  /** The line of a typed item, or all lines of an automatic list. */
  lines: readonly string[]
  /** The positions that the label of its last line may mean. */
  lastPositions: readonly LabelPosition[]
}

/** Consecutive items that may be a list. */
interface Run {
  /** For each open level, the positions that the label of its last item may mean. */
  openLevels: (readonly LabelPosition[])[]
  lines: string[]
  blocks: Block[]
  /** Whether some item continues a level. Without that, "A." and a "1." below it are a heading and its first clause. */
  isList: boolean
}

// Matches "1.", "(a)", "IV)" and bullets.
const LABEL = String.raw`(\(?(?:\d{1,3}|[a-z]{1,5}|[A-Z]{1,5})[.)]|[•·▪◦‣–—-])`
// A tab separates the number from its item, possibly with spaces around it.
const TYPED_ITEM = new RegExp(`^${LABEL} *\\t\\s*(\\S.*)$`, 'su')
const AUTOMATIC_LABEL = new RegExp(`^${LABEL} `, 'u')
const MAX_LIST_DEPTH = 5

/** Turns typed items into lists, in place. */
export function joinTypedLists(blocks: Block[], looks: ReadonlyMap<Block, Look>): void {
  const result: Block[] = []
  let run = newRun()
  const endRun = (): void => {
    for (const block of blocksOf(run)) result.push(block)
    run = newRun()
  }
  for (const block of blocks) {
    // A bold line with a number is a heading.
    const item = looks.get(block)?.bold === true ? undefined : itemOf(block)
    if (item === undefined || !addToRun(run, block, item)) endRun()
    if (item === undefined) result.push(block)
    else if (run.blocks.length === 0) addToRun(run, block, item)
  }
  endRun()
  blocks.length = 0
  for (const block of result) blocks.push(block)
}

const newRun = (): Run => ({ openLevels: [], lines: [], blocks: [], isList: false })

function blocksOf({ isList, lines, blocks }: Run): Block[] {
  return isList ? [{ kind: 'list', text: lines.join('\n') }] : blocks
}

/** The block as an item; undefined for a block without a label. */
function itemOf({ kind, text, picture }: Block): Item | undefined {
  if (picture !== undefined) return undefined
  if (kind === 'list') return automaticItem(text)
  const [, label = '', rest = ''] = (kind === 'paragraph' && TYPED_ITEM.exec(text)) || []
  if (label === '') return undefined
  const positions = positionsOf(label)
  // "etc." and "(see)" are no labels.
  if (positions.length === 0) return undefined
  return { positions, lastPositions: positions, lines: [`${label} ${rest.replaceAll('\t', ' ')}`] }
}

/** An automatic list as one item, because typed items may continue it. */
function automaticItem(text: string): Item | undefined {
  const lines = text.split('\n')
  const labels = lines.flatMap((line) => AUTOMATIC_LABEL.exec(line)?.[1] ?? [])
  const [first] = lines
  if (first === undefined || AUTOMATIC_LABEL.exec(first) === null) return undefined
  return { positions: positionsOf(labels[0] ?? ''), lastPositions: positionsOf(labels.at(-1) ?? ''), lines }
}

/** Adds the item to the run if it continues or begins a level. Returns false if the item does not belong to the run. */
function addToRun(run: Run, block: Block, { positions, lastPositions, lines }: Item): boolean {
  const level = run.openLevels.findLastIndex((previous) => nextPositions(previous, positions).length > 0)
  // "1." below "7." begins another list.
  const isOpen = ({ sequence }: LabelPosition): boolean =>
    run.openLevels.some((previous) => previous.some((position) => position.sequence === sequence))
  const beginsSequence = positions.some((position) => position.at <= 1 && !isOpen(position))
  if (level === -1 && run.openLevels.length > 0 && !beginsSequence) return false
  const depth = level === -1 ? run.openLevels.length : level
  if (level !== -1) run.isList = true
  const isSingleLine = lastPositions === positions
  const openPositions = isSingleLine ? nextPositions(run.openLevels[depth], positions) : lastPositions
  run.openLevels.length = depth
  run.openLevels.push(openPositions)
  for (const line of lines) run.lines.push(`${'  '.repeat(Math.min(depth, MAX_LIST_DEPTH))}${line}`)
  run.blocks.push(block)
  return true
}

/** The positions that continue one of the previous ones. All positions if there is no previous item. */
function nextPositions(
  previousPositions: readonly LabelPosition[] | undefined,
  positions: readonly LabelPosition[],
): readonly LabelPosition[] {
  return previousPositions === undefined
    ? positions
    : positions.filter((position) => previousPositions.some((previous) => follows(previous, position)))
}

/** Whether a position continues the previous one. All bullets with the same sign have the position 0. */
const follows = (previous: LabelPosition, next: LabelPosition): boolean =>
  previous.sequence === next.sequence && (next.at === 0 || next.at === previous.at + 1)

/** The positions that a label may mean: "i." is a letter or a Roman numeral until the next label decides. */
function positionsOf(label: string): LabelPosition[] {
  const [, number = ''] = /([\da-z]+)/i.exec(label) ?? []
  if (number === '') return [{ sequence: label, at: 0 }]
  const punctuation = label.replace(number, '')
  if (/\d/.test(number)) return [{ sequence: `1${punctuation}`, at: Number(number) }]
  const isSmall = number === number.toLowerCase()
  const positions: LabelPosition[] = []
  if (number.length === 1) {
    const at = number.toLowerCase().charCodeAt(0) - 96
    positions.push({ sequence: `${isSmall ? 'a' : 'A'}${punctuation}`, at })
  }
  const roman = isRoman(number) ? romanNumber(number) : 0
  if (roman > 0) positions.push({ sequence: `${isSmall ? 'i' : 'I'}${punctuation}`, at: roman })
  return positions
}

/** Whether a text is a Roman numeral up to 39. No list is longer. */
const isRoman = (text: string): boolean => /^x{0,3}(?:ix|iv|v?i{0,3})$/i.test(text)
