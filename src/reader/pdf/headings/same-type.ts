// Lines that the layout pass lost, in the very type of the page's headings: they are headings, too. Fonts that are not called
// bold ("YoonGothicPro780") say so in no other way.

import type { TextItem } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { centreIn } from '../layout/place.ts'
import { linesOf, piecesOf } from './cut-blocks.ts'
import { fontOf } from './type.ts'

const MOST_LETTERS = 60
const LETTERS = /\p{L}{2}/u

const typeOf = (item: TextItem): string => `${fontOf(item)} ${Math.round(item.height * 2)}`

/** The blocks with their lines in such type as headings, where nothing but short lines is set in it. */
export function withSameType(
  blocks: readonly Block[],
  headings: readonly Block[],
  items: readonly TextItem[],
): Block[] {
  if (blocks.length === 0 || headings.length === 0) return [...blocks]
  const text = new Set(items.filter(isSentence).map(typeOf))
  const levels = new Map<string, number>()
  for (const { bbox, level } of headings)
    for (const item of items)
      if (bbox !== undefined && level !== undefined && centreIn(item, bbox) && !text.has(typeOf(item)))
        levels.set(typeOf(item), level)
  return levels.size === 0 ? [...blocks] : blocks.flatMap((block) => inType(block, levels, items))
}

const isSentence = ({ text }: TextItem): boolean => text.length > MOST_LETTERS || /[.,;]$/.test(text)

function inType(block: Block, levels: ReadonlyMap<string, number>, items: readonly TextItem[]): Block[] {
  if (block.kind !== 'paragraph') return [block]
  const lines = linesOf(block, items)
  const level = lines.map(({ bbox, text }) => {
    const found = items.filter((item) => centreIn(item, bbox)).map((item) => levels.get(typeOf(item)))
    return found.every((each) => each === found[0]) && LETTERS.test(text) ? found[0] : undefined
  })
  if (level.every((each) => each === undefined)) return [block]
  const edges = lines.map((_, i) => i).filter((i) => i > 0)
  const cuts = edges.filter((i) => level[i] !== undefined || level[i - 1] !== undefined)
  return piecesOf(block, lines, cuts).map((piece) => {
    const own = level[lines.findIndex(({ bbox }) => bbox[1] === piece.bbox?.[1])]
    return own === undefined ? piece : { ...piece, kind: 'heading', level: own }
  })
}
