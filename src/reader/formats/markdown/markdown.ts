// Reads Markdown files (.md, .mdx) in segments.

import { readFile } from 'node:fs/promises'
import type { Backend } from '../../backend.ts'
import type { Block } from '../../block.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { decodeText } from '../../shared/encodings/encoding.ts'
import { markdownBlocks } from '../../shared/markdown/markdown.ts'
import type { Parser } from '../../task.ts'

// The tree takes about 60 times the size of its text, and parsing time grows faster than the text.
const SEGMENT_CHARACTERS = 128_000

/** The blocks of a Markdown file. The title is that of the front matter, or a heading above all others. */
const parseMarkdown: Parser = async (task, report) => {
  const text = decodeText(await readFile(task.path))
  const blocks: Block[] = []
  let frontMatterTitle: string | undefined
  let readCharacters = 0
  for (const segment of segments(text)) {
    if (readCharacters === 0) frontMatterTitle = titleInFrontMatter(segment)
    // Blocks are added one by one, because `push` with many arguments would overflow the stack.
    for (const block of markdownBlocks(segment)) blocks.push(block)
    readCharacters += segment.length
    report({ share: readCharacters / text.length })
  }
  const title = chooseTitle(frontMatterTitle, hasTitle(blocks) ? blocks : [])
  return { ...(title === undefined ? {} : { title }), blocks }
}

export const markdown: Backend = { parse: parseMarkdown }

/**
 * Whether the highest heading may be the title. If there are several below level 1, or text before it, they are the headings of
 * parts, because many sites write the title only into the file name.
 */
function hasTitle(blocks: readonly Block[]): boolean {
  const headings = blocks.filter(({ kind }) => kind === 'heading')
  const highest = headings.reduce((minLevel, { level }) => Math.min(minLevel, level ?? 1), Infinity)
  const [only, another] = headings.filter(({ level }) => level === highest)
  const first = blocks.find(({ kind }) => kind !== 'note' && kind !== 'figure')
  return highest === 1 || (another === undefined && only === first)
}

/** Splits a long text at blank lines outside of fenced code. */
function* segments(text: string): Generator<string> {
  let start = 0
  let fence: string | undefined
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at)
    const end = lineEnd === -1 ? text.length : lineEnd + 1
    const line = text.slice(at, Math.min(end, at + 200))
    const fenceMark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fenceMark !== undefined)
      fence = fence === undefined ? fenceMark : fenceMark.startsWith(fence) ? undefined : fence
    const isFull = end - start >= SEGMENT_CHARACTERS
    if (isFull && ((fence === undefined && line.trim() === '') || end - start >= 4 * SEGMENT_CHARACTERS)) {
      yield text.slice(start, end)
      start = end
    }
    at = end
  }
  if (start < text.length) yield text.slice(start)
}

/** The title in the front matter. */
function titleInFrontMatter(text: string): string | undefined {
  const matter = /^\ufeff?(?:---|\+\+\+)\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\+\+\+)\s*(?:\r?\n|$)/.exec(
    text,
  )?.[1]
  const { line, below } = (matter === undefined ? undefined : TITLE.exec(matter)?.groups) ?? {}
  return (line ?? below?.replace(/\s+/g, ' '))?.trim().replace(/^(["'])(.*)\1$/, '$2')
}

// Matches `title: Name`, and a title on the indented lines below `title: >`.
const TITLE =
  /^title[ \t]*[:=][ \t]*(?:(?:[|>][-+\d]{0,2})?[ \t]*(?<below>(?:\r?\n[ \t]+\S.*)+)|(?<line>.+))$/im
