// Files of other kinds that Word shows as a part of its text ([ECMA-376-1] 17.17.2.1, altChunk). Programs that turn web pages
// into Word files store the page unchanged, mostly as one such chunk with the whole document.

import PostalMime from 'postal-mime'
import { type Block, isMachineError } from '../../block.ts'
import { textBlocks } from '../../shared/blocks/text-blocks.ts'
import type { Archive } from '../../shared/containers/archive.ts'
import type { Relation } from '../../shared/containers/package.ts'
import { htmlBlocks } from '../../shared/html/html.ts'
import { decodeHtml } from '../../shared/html/page.ts'
import { isHtmlPage } from '../../shared/html/tags.ts'
import { readRtf } from '../../shared/rtf/rtf.ts'

const MAX_CHUNK_BYTES = 32 * 2 ** 20

/** The blocks of each chunk by its relationship id. A chunk that is another Word file, too large or damaged is reported. */
export async function chunksOf(
  archive: Archive,
  relations: readonly Relation[],
): Promise<Map<string, Block[]>> {
  const blocksById = new Map<string, Block[]>()
  for (const { id, target } of relations.filter(({ type }) => type === 'aFChunk')) {
    const blocks = await chunkBlocks(archive, target).catch((error: unknown) => {
      if (isMachineError(error)) throw error
    })
    if (blocks === undefined) archive.incomplete.add(target)
    else blocksById.set(id, blocks)
  }
  return blocksById
}

async function chunkBlocks(archive: Archive, target: string): Promise<Block[] | undefined> {
  const bytes = await archive.read(target, MAX_CHUNK_BYTES)
  if (bytes === undefined) return undefined
  const beginning = bytes.toString('latin1', 0, 8192)
  if (beginning.startsWith('PK\u0003\u0004')) return undefined
  if (beginning.startsWith('{\\rtf')) return (await readRtf([bytes])).blocks
  // The chunk is a web page with its pictures, as a browser saves it.
  if (/^mime-version:/im.test(beginning)) {
    const { html, text } = await PostalMime.parse(bytes)
    if (html !== undefined) return htmlBlocks(html)
    return text === undefined ? undefined : [...textBlocks(text)]
  }
  const text = decodeHtml(bytes)
  return isHtmlPage(text.slice(0, 8192)) ? htmlBlocks(text) : [...textBlocks(text)]
}
