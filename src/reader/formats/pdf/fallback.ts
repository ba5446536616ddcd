// Reads a PDF without liteparse. It uses the Markdown of pdf-inspector page by page, or the plain text of pdf.js if
// pdf-inspector finds nothing. This is for files that crash liteparse, and for single pages on which liteparse finds nothing.

import { readFile } from 'node:fs/promises'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { markdownBlocks } from '../../shared/markdown/markdown.ts'
import type { Parser } from '../../task.ts'
import { readProperties } from './properties.ts'

/** The text and tables of a PDF by these two libraries, without OCR. */
const parsePdfSimply: Parser = async (task, report) => {
  const bytes = await readFile(task.path)
  const pages = (await pagesByInspector(bytes)) ?? (await plainPages(bytes))
  report({ share: 1, pages: pages.size })
  const blocks = [...pages.values()].flat()
  if (blocks.length === 0) throw new UnreadableFile('no_text')
  const title = chooseTitle((await readProperties(bytes)).title, blocks)
  return { ...(title === undefined ? {} : { title }), pages: pages.size, blocks }
}

export const pdfFallback: Backend = { parse: parsePdfSimply }

/** Blocks of the given pages (1-based), by the first of the two libraries that finds text on the page. */
export async function readByOtherLibraries(
  path: string,
  pages: readonly number[],
): Promise<Map<number, Block[]>> {
  const bytes = await readFile(path)
  const blocksByPage = (await pagesByInspector(bytes, pages)) ?? new Map<number, Block[]>()
  const pagesWithoutText = pages.filter((page) => (blocksByPage.get(page) ?? []).length === 0)
  if (pagesWithoutText.length === 0) return blocksByPage
  const plainBlocks = await plainPages(bytes).catch(() => new Map<number, Block[]>())
  for (const page of pagesWithoutText) blocksByPage.set(page, plainBlocks.get(page) ?? [])
  return blocksByPage
}

/**
 * The blocks of pages as pdf-inspector reads them. Undefined if it cannot read the file. @throws UnreadableFile if it has a
 * password
 */
async function pagesByInspector(
  bytes: Buffer,
  pages?: readonly number[],
): Promise<Map<number, Block[]> | undefined> {
  const { extractPagesMarkdown } = await import('@firecrawl/pdf-inspector')
  try {
    const result = extractPagesMarkdown(
      bytes,
      pages?.map((page) => page - 1),
    )
    return new Map(
      result.pages.map(({ page, markdown }) => [page + 1, withPage(markdownBlocks(markdown), page + 1)]),
    )
  } catch (error) {
    if (/encrypt|password/i.test(String(error))) throw new UnreadableFile('encrypted')
    return undefined
  }
}

async function plainPages(bytes: Buffer): Promise<Map<number, Block[]>> {
  const { extractText } = await import('unpdf')
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: false })
  return new Map(text.map((page, i) => [i + 1, withPage([{ kind: 'paragraph', text: page }], i + 1)]))
}

function withPage(blocks: Block[], page: number): Block[] {
  return blocks.filter((block) => block.text.trim() !== '').map((block) => ({ ...block, page }))
}
