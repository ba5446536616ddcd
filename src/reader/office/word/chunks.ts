// Files of other kinds that Word shows as a part of its text ([ECMA-376-1] 17.17.2.1, altChunk): programs that make Word
// files of pages leave the page as it is, mostly as one chunk that is the whole document.

import PostalMime from 'postal-mime'
import type { Block } from '../../block.ts'
import type { Archive } from '../../identify/archive.ts'
import { htmlBlocks } from '../../text/html/html.ts'
import { decodeHtml } from '../../text/html/page.ts'
import { isHtmlPage } from '../../text/html/tags.ts'
import { textBlocks } from '../../text/plain.ts'
import type { Relation } from '../ooxml/package.ts'
import { readRtf } from '../rtf/rtf.ts'

const MOST_CHUNK_BYTES = 32 * 2 ** 20

/** The blocks of each chunk by its relationship id. A chunk that is another Word file is not read, which is reported. */
export async function chunksOf(
  archive: Archive,
  relations: readonly Relation[],
): Promise<Map<string, Block[]>> {
  const found = new Map<string, Block[]>()
  for (const { id, target } of relations.filter(({ type }) => type === 'aFChunk')) {
    const bytes = await archive.read(target, MOST_CHUNK_BYTES)
    const blocks = bytes && (await blocksOf(bytes))
    if (blocks === undefined) archive.incomplete.add(target)
    else found.set(id, blocks)
  }
  return found
}

async function blocksOf(bytes: Buffer): Promise<Block[] | undefined> {
  const start = bytes.toString('latin1', 0, 8192)
  if (start.startsWith('PK')) return undefined
  if (start.startsWith('{\\rtf')) return (await readRtf([bytes])).blocks
  // A page with its pictures, as a browser saves it.
  if (/^mime-version:/im.test(start)) return htmlBlocks((await PostalMime.parse(bytes)).html ?? '')
  const text = decodeHtml(bytes)
  return isHtmlPage(text.slice(0, 8192)) ? htmlBlocks(text) : [...textBlocks(text)]
}
