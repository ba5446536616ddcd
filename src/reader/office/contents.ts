// Tables of contents without a style: lines that end in a tab and a page number, most of which are headings further down.

import type { Block } from '../block.ts'

const ENTRY = /^(\S[^\n]*?)[ \t]*\t[ \t]*(?:(\d{1,4})|[ivxl]{1,6})$/
const NUMBER = /^(\d+(?:\.\d+)*)\.?[ \t]/
// Longer lines are no entries, and the pattern would take too long on 5,000 tabs.
const MOST_CHARACTERS = 300
const LEAST_ENTRIES = 3
const LEAST_SHARE = 0.5
const MOST_DEPTH = 5

interface Entry {
  title: string
  page: number
  depth: number
}

/** Turns each such run of paragraphs into a list, indented by the numbers of its entries. */
export function joinContents(blocks: readonly Block[]): Block[] {
  const headings = new Set(blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => bare(text)))
  const joined: Block[] = []
  let run: { block: Block; entry: Entry }[] = []
  const flush = (): void => {
    const named = run.filter(({ entry }) => headings.has(bare(entry.title)))
    const isContents = run.length >= LEAST_ENTRIES && named.length >= run.length * LEAST_SHARE
    if (isContents) joined.push({ kind: 'list', text: run.map(lineOf).join('\n') })
    else for (const { block } of run) joined.push(block)
    run = []
  }
  for (const block of blocks) {
    const entry = entryOf(block)
    const isBack = entry !== undefined && entry.page < (run.at(-1)?.entry.page ?? 0)
    if (entry === undefined || isBack) flush()
    if (entry === undefined) joined.push(block)
    else run.push({ block, entry })
  }
  flush()
  return joined
}

/** Pages in Roman numerals count as 0, since they come before all others. */
function entryOf({ kind, text, picture }: Block): Entry | undefined {
  const isLine = kind === 'paragraph' && picture === undefined && text.length <= MOST_CHARACTERS
  const [, title = '', page = '0'] = (isLine && ENTRY.exec(text)) || []
  if (!/\p{L}/u.test(title)) return undefined
  const parts = NUMBER.exec(title)?.[1]?.split('.').length ?? 1
  return { title, page: Number(page), depth: Math.min(MOST_DEPTH, parts - 1) }
}

const lineOf = ({ block, entry }: { block: Block; entry: Entry }): string =>
  `${'  '.repeat(entry.depth)}${block.text}`

/** Without the number, which may be automatic in the heading and missing in the entry. */
const bare = (title: string): string =>
  title
    .replace(/^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVX]+\.)[ \t]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
