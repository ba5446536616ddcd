// The file in which a child passes a parsed document to the pool: JSON lines, first the document without its blocks, then one
// block per line. Over IPC a document of 100 MB would be in memory three times.

import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Block, ParsedDocument } from './block.ts'
import { openChildFile } from './sandbox-dir.ts'

const BATCH_CHARACTERS = 1 << 20

/** Writes `document` to `path`; rejects if it cannot be written completely. */
export async function writeResult(path: string, document: ParsedDocument): Promise<void> {
  const { blocks, ...head } = document
  const file = await open(path, 'w', 0o600)
  try {
    let batch = `${JSON.stringify({ ...head, count: blocks.length })}\n`
    for (const block of blocks) {
      batch += `${JSON.stringify(block)}\n`
      if (batch.length < BATCH_CHARACTERS) continue
      await file.write(batch)
      batch = ''
    }
    await file.write(batch)
  } finally {
    await file.close()
  }
}

/** Reads what `writeResult` wrote, after `waitForMemory` has reserved that many bytes. Throws if the file is incomplete. */
export async function readResult(
  path: string,
  waitForMemory: (bytes: number) => Promise<void> | undefined = () => undefined,
): Promise<ParsedDocument> {
  const file = await openChildFile(dirname(path), path)
  try {
    await waitForMemory((await file.stat()).size)
  } catch (error) {
    await file.close()
    throw error
  }
  const blocks: Block[] = []
  let head: (Omit<ParsedDocument, 'blocks'> & { count: number }) | undefined
  for await (const line of createInterface({
    // The stream closes the file at its end.
    input: file.createReadStream({ encoding: 'utf8' }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (head === undefined) head = JSON.parse(line) as Omit<ParsedDocument, 'blocks'> & { count: number }
    else blocks.push(JSON.parse(line) as Block)
  }
  if (head === undefined || blocks.length !== head.count)
    throw new Error('the parser wrote an incomplete result')
  const { count: _, ...rest } = head
  return { ...rest, blocks }
}
