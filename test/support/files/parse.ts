// Runs the child's own program on bytes, in this process: what a parser finds, without the pool around it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DocumentKind, ParsedDocument } from '../../../src/reader/block.ts'
import { parseFile } from '../../../src/reader/child/parse-file.ts'
import type { Report } from '../../../src/reader/task.ts'

/** A folder that lives as long as the work in it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'kenning-parse-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the parser of `kind` makes of `bytes`. */
export function parseBytes(
  kind: DocumentKind,
  bytes: Buffer | string,
  fallback = false,
  report: Report = () => undefined,
): Promise<ParsedDocument> {
  return inFolder(async (folder) => {
    const path = join(folder, 'upload')
    await writeFile(path, bytes)
    const task = {
      id: 1,
      path,
      bytes: bytes.length,
      filename: `upload.${kind}`,
      kind,
      folder,
      resultPath: '',
      usesFallback: fallback,
    }
    return parseFile(task, report)
  })
}
