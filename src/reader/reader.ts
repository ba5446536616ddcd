// The reader's door: a file's bytes in, blocks out. It knows no database and no HTTP; other rooms import this file alone.

import { basename } from 'node:path'
import { type DocumentKind, type ParsedDocument, UnreadableFile } from './block.ts'
import type { ParserPool } from './pool.ts'
import { sniff } from './sniff.ts'

export * from './block.ts'
export { toMarkdown } from './blocks/markdown.ts'
export {
  filledRows,
  headerRows,
  type PlacedTable,
  readTable,
  rowsBetween,
  stacked,
  writeTable,
} from './blocks/table-html.ts'
export { newcomersLimits } from './limits.ts'
export { hasHeicDecoder } from './picture/formats/heic.ts'
export {
  configuredOcr,
  installCommand,
  installedLanguages,
  missingLanguages,
  type OcrSettings,
  refuseMissingLanguages,
} from './picture/ocr/languages.ts'
export { openPool, type ParserPool } from './pool.ts'
export { reasonSentence } from './reasons.ts'
export { type Sniffed, sniff } from './sniff.ts'
export * from './task.ts'

/** What a file is and what it says. @throws UnreadableFile for what is the file's fault */
export async function readDocument(
  pool: Pick<ParserPool, 'parse'>,
  path: string,
  filename = basename(path),
): Promise<ParsedDocument & { kind: DocumentKind }> {
  const found = await sniff(path, filename)
  if ('unsupported' in found) throw new UnreadableFile('unsupported', found.unsupported)
  return { kind: found.kind, ...(await pool.parse({ path, filename, kind: found.kind })) }
}
