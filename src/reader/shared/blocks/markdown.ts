// A parsed document as Markdown (CommonMark with GFM tables). Pure.

import type { Block, ParsedDocument } from '../../block.ts'

/**
 * The blocks in reading order, with a comment `<!-- page N -->` at the start of each page and the title as YAML front
 * matter.
 */
export function toMarkdown({ title, blocks }: Pick<ParsedDocument, 'title' | 'blocks'>): string {
  // A JSON string is also a YAML string.
  const parts: string[] = title ? [`---\ntitle: ${JSON.stringify(title)}\n---`] : []
  let page: number | undefined
  for (const block of blocks) {
    if (block.page !== undefined && block.page !== page) parts.push(`<!-- page ${block.page} -->`)
    page = block.page ?? page
    parts.push(blockMarkdown(block))
  }
  return `${parts.join('\n\n')}\n`
}

function blockMarkdown({ kind, text, level = 2 }: Block): string {
  switch (kind) {
    case 'heading':
      return `${'#'.repeat(level)} ${oneLine(text)}`
    case 'code': {
      // The fence must be longer than any run of backticks inside (CommonMark 0.31, 4.5).
      const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
      const fence = '`'.repeat(longest + 1)
      return `${fence}\n${text}\n${fence}`
    }
    case 'note':
      return text.replace(/^/gm, '> ')
    case 'table':
    case 'list':
      return text
    default:
      // Escapes the beginnings of lines that Markdown would read as a heading, a quotation, a fence or a ruler.
      return text.replace(/^(?=#{1,6}\s|>|`{3}|~{3}|(?:-{3,}|={3,})\s*$)/gm, '\\')
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
