// The interface of the reader, which turns the bytes of a file into blocks. It uses no database and no HTTP. Other folders of
// src import only this file.

import { basename } from 'node:path'
import { type DocumentKind, type ParsedDocument, UnreadableFile } from './block.ts'
import { sniff } from './identify/sniff.ts'
import type { ParserPool } from './pool.ts'

export * from './block.ts'
export { type Sniffed, sniff } from './identify/sniff.ts'
export { launchProgram } from './launch.ts'
export { fairnessLimits } from './limits.ts'
export { openPool, type ParserPool, type PoolOptions } from './pool.ts'
export { reasonSentence } from './reasons.ts'
export { type Sandbox, type SandboxDir, sandboxOf } from './sandbox.ts'
export { giveFile, openChildFile } from './sandbox-dir.ts'
export { toMarkdown } from './shared/blocks/markdown.ts'
export {
  filledRows,
  headerRows,
  type PlacedTable,
  readTable,
  rowsBetween,
  stackTables as stacked,
  writeTable,
} from './shared/blocks/table-html.ts'
export {
  configuredOcr,
  installCommand,
  installedLanguages,
  missingLanguages,
  type OcrSettings,
  requireLanguageData,
} from './shared/ocr/languages.ts'
export { hasHeicDecoder } from './shared/rasters/heic.ts'
export * from './task.ts'

/** The kind and the content of a file. @throws UnreadableFile if it cannot be read */
export async function readDocument(
  pool: Pick<ParserPool, 'parse'>,
  path: string,
  filename = basename(path),
): Promise<ParsedDocument & { kind: DocumentKind }> {
  const sniffed = await sniff(path, filename)
  if ('unsupported' in sniffed) throw new UnreadableFile('unsupported', sniffed.unsupported)
  return { kind: sniffed.kind, ...(await pool.parse({ path, filename, kind: sniffed.kind })) }
}
