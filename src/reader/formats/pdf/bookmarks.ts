// Finds headings by bookmarks: a line with the title of a bookmark of its page is a heading with the bookmark's level. Nothing
// else in a PDF states levels as clearly. Other headings keep their level relative to the heading above them.

import type { Block } from '../../block.ts'
import { union } from '../../shared/page/layout/boxes.ts'
import { isCaption } from '../../shared/page/layout/figures.ts'
import { namedEnd, namesOf } from '../../shared/page/layout/named-texts.ts'
import { SAME_SIZE } from '../../shared/page/tolerance.ts'
import type { SizedHeading } from './heading-levels.ts'

export interface Bookmark {
  title: string
  /** 0 at the top of the outline. */
  depth: number
  /** 1-based. */
  page: number
  /** Points from the page's lower edge to the top of the text with this title. */
  y?: number
}

interface Page {
  number: number
  height: number
  blocks: Block[]
  headings: readonly SizedHeading[]
}

const MAX_LEVEL = 6

/**
 * Turns texts with the titles of bookmarks into headings, and sets the levels of all headings by the bookmarks. Changes the
 * pages in place.
 */
export function applyBookmarks(pages: readonly Page[], bookmarks: readonly Bookmark[]): void {
  const pageByNumber = new Map(pages.map((page) => [page.number, page]))
  const depths = new Map<Block, number>()
  for (const bookmark of bookmarks) {
    const page = pageByNumber.get(bookmark.page)
    const heading = page && makeHeading(page, bookmark, depths)
    if (heading !== undefined) depths.set(heading, bookmark.depth)
  }
  if (depths.size > 0) setLevels(headingsOf(pages), depths, hasTitleAbove(pages, depths))
}

const headingsOf = (pages: readonly Page[]): Block[] =>
  pages.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'heading'))

/** Changes the block with a bookmark's title into a heading. Of several, it takes the one nearest to the bookmark's position. */
function makeHeading(
  page: Page,
  bookmark: Bookmark,
  usedHeadings: ReadonlyMap<Block, number>,
): Block | undefined {
  const names = namesOf(bookmark.title).filter((name) => name.length > 1)
  const runs = page.blocks.flatMap((_, start) => {
    const run = runWithName(page.blocks, start, names)
    return run === undefined ? [] : [run]
  })
  const top = bookmark.y === undefined ? 0 : page.height - bookmark.y
  const distance = ([first]: readonly Block[]): number => Math.abs((first?.bbox?.[1] ?? 0) - top)
  const [run] = runs
    .filter((blocks) => !blocks.some((block) => usedHeadings.has(block)))
    .sort((a, b) => rank(a) - rank(b) || distance(a) - distance(b))
  return run && mergeIntoHeading(page, run)
}

/** Runs of lower rank are preferred: headings of the layout pass before other text. */
const rank = (run: readonly Block[]): number => (run[0]?.kind === 'heading' ? 0 : 1)

/** The run of blocks from `start` whose joined text is one of the names. */
function runWithName(blocks: readonly Block[], start: number, names: readonly string[]): Block[] | undefined {
  const end = namedEnd(blocks, start, names)
  const namedRun = blocks.slice(start, end)
  return end === undefined || !namedRun.every(mayBeHeading) ? undefined : namedRun
}

const mayBeHeading = ({ kind, text, bbox }: Block): boolean =>
  (kind === 'heading' || kind === 'paragraph' || (kind === 'list' && !text.includes('\n'))) &&
  bbox !== undefined &&
  !isCaption(text)

/** The titles of each page's bookmarks, reduced to letters and digits, each with its section number and without it. */
export function bookmarkNames(bookmarks: readonly Bookmark[]): Map<number, string[]> {
  const names = new Map<number, string[]>()
  for (const { title, page } of bookmarks)
    names.set(page, [...(names.get(page) ?? []), ...namesOf(title).filter((name) => name.length > 1)])
  return names
}

function mergeIntoHeading(page: Page, run: readonly Block[]): Block | undefined {
  const [first, ...rest] = run
  if (first === undefined) return undefined
  first.kind = 'heading'
  first.text = run.map(({ text }) => text.replace(/^- /, '').replace(/\s+/g, ' ')).join(' ')
  for (const { bbox } of rest) if (first.bbox && bbox) first.bbox = union(first.bbox, bbox)
  page.blocks = page.blocks.filter((block) => !rest.includes(block))
  return first
}

/**
 * Whether there is a title above all headings with bookmarks. It is on the page of the first of them and in larger type than
 * any of them.
 */
function hasTitleAbove(pages: readonly Page[], depths: ReadonlyMap<Block, number>): boolean {
  const firstPage = pages.find(({ blocks }) => blocks.some((block) => depths.has(block)))
  const sizedHeadings = pages.flatMap(({ headings }) => headings)
  const largestSize = Math.max(
    0,
    ...sizedHeadings.flatMap(({ block, size }) => (depths.has(block) ? [size] : [])),
  )
  const blocksAbove = firstPage?.blocks.slice(
    0,
    firstPage.blocks.findIndex((block) => depths.has(block)),
  )
  return (
    firstPage?.headings.some(
      ({ block, size }) => blocksAbove?.includes(block) && size > largestSize * SAME_SIZE,
    ) ?? false
  )
}

/**
 * A heading with a bookmark gets its level from the bookmark's depth. Any other heading stays as many levels below the last
 * larger heading as its type size says.
 */
function setLevels(headings: readonly Block[], depths: ReadonlyMap<Block, number>, hasTitle: boolean): void {
  const levelByType = typeLevels(headings, depths)
  const minDepth = Math.min(...depths.values())
  let headingsAbove: { typeLevel: number; level: number }[] = []
  for (const block of headings) {
    const typeLevel = levelByType.get(block) ?? MAX_LEVEL
    const depth = depths.get(block)
    headingsAbove = headingsAbove.filter((heading) => heading.typeLevel < typeLevel)
    const parent = headingsAbove.at(-1)
    if (depth !== undefined) block.level = clamp(depth - minDepth + (hasTitle ? 2 : 1))
    else if (parent !== undefined) block.level = clamp(parent.level + typeLevel - parent.typeLevel)
    else block.level = typeLevel
    if (depth !== undefined) headingsAbove.push({ typeLevel, level: block.level })
  }
}

const clamp = (level: number): number => Math.min(MAX_LEVEL, Math.max(1, level))

/**
 * The level of each heading by its type size. A heading that exists only because of its bookmark gets the level of other
 * headings with the same depth.
 */
function typeLevels(headings: readonly Block[], depths: ReadonlyMap<Block, number>): Map<Block, number> {
  const levelByDepth = new Map<number, number>()
  for (const block of headings) {
    const depth = depths.get(block)
    if (depth !== undefined && block.level !== undefined && !levelByDepth.has(depth))
      levelByDepth.set(depth, block.level)
  }
  return new Map(
    headings.map((block) => {
      const depth = depths.get(block) ?? 0
      return [block, block.level ?? levelByDepth.get(depth) ?? depth + 1]
    }),
  )
}
