// Numbers of clauses that the layout pass took for a column of their own: short clauses in turn, each on one line, whose
// numbers then came first ("13.1", "13.2") and their texts behind all of them.

import type { BBox, Block } from '../../block.ts'
import { INDENT, sameEdge } from '../../page/tolerance.ts'
import { union } from '../layout/place.ts'

const NUMBER = /^(\d{1,3}(?:\.\d{1,3})*)\.(\d{1,3})\.?$/

interface Clause {
  number: Block
  text: Block
  edges: [number: number, text: number]
  above: string
  no: number
}

/** The blocks with each number before its clause: two at least that count on, both on the edges of the other. */
export function withClauseNumbers(blocks: Block[], height: number): Block[] {
  const numbers = blocks.filter(({ kind, text }) => kind === 'paragraph' && NUMBER.test(text))
  if (numbers.length < 2) return blocks
  const clauses = numbers.flatMap((number) => clauseOf(number, blocks, height) ?? [])
  const counted = clauses.filter((clause) => clauses.some((other) => countsOn(clause, other, height)))
  const joined = new Map(counted.map(({ number, text }) => [text, number]))
  const taken = new Set(joined.values())
  return blocks.flatMap((block) => {
    if (taken.has(block)) return []
    const number = joined.get(block)
    return number === undefined ? [block] : [{ ...block, ...joinedTo(number, block) }]
  })
}

/** The one text that begins on the number's line, right of it. */
function clauseOf(number: Block, blocks: readonly Block[], height: number): Clause | undefined {
  const { bbox } = number
  const [, above = '', no = ''] = NUMBER.exec(number.text) ?? []
  if (bbox === undefined) return undefined
  const beside = blocks.filter((other) => other.bbox !== undefined && standsBeside(bbox, other.bbox, height))
  const [text] = beside
  if (beside.length !== 1 || text?.kind !== 'paragraph' || text.bbox === undefined) return undefined
  return { number, text, edges: [bbox[0], text.bbox[0]], above, no: Number(no) }
}

const standsBeside = (number: BBox, other: BBox, height: number): boolean =>
  sameEdge(other[1], number[1], height) && other[0] > number[2] && other[0] - number[2] < height * INDENT[1]

const countsOn = (a: Clause, b: Clause, height: number): boolean =>
  a.above === b.above &&
  Math.abs(a.no - b.no) === 1 &&
  a.edges.every((edge, i) => sameEdge(edge, b.edges[i] ?? 0, height))

function joinedTo(number: Block, { text, bbox }: Block): Partial<Block> {
  return {
    text: `${number.text} ${text}`,
    ...(number.bbox && bbox && { bbox: union(number.bbox, bbox) }),
  }
}
