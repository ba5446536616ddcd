// `kenning read FILE…` prints what Kenning reads in files, without a service or a database.

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { ocrServer } from '../ports/ocr/ocr-server.ts'
import {
  configuredOcr,
  openPool,
  type ParserPool,
  readDocument,
  reasonSentence,
  requireLanguageData,
  toMarkdown,
  UnreadableFile,
} from '../reader/reader.ts'
import { type Output, silentLog } from './output.ts'

export const READ_USAGE = `kenning read FILE… [--markdown | --json]   print what Kenning reads of files

  --markdown   as Markdown, files one after the other (the default)
  --json       a line of JSON for each file: {file, kind, title, pages, warnings, hidden, blocks};
               hidden: text that is in the file but not visible in the document

With --workspace NAME it prints a document of that workspace instead: kenning read TITLE --workspace NAME [--json]

KENNING_OCR_LANGUAGES sets the languages of scans and pictures. Words in pictures inside a document are not read.
Exit code: 0 when all files were read, 1 when one could not be read, 2 for wrong use.
`

/** Prints what is read in each file, in order, or the reason why a file cannot be read. */
export async function readFiles(
  config: Pick<Config, 'ocrLanguages' | 'ocrServer' | 'dataDir'>,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const options = readArguments(args)
  if (typeof options === 'string') {
    output.complain(`${options}\n\n${READ_USAGE}`)
    return 2
  }
  const ocr = configuredOcr(config.ocrLanguages, config.dataDir, config.ocrServer)
  const recognise = config.ocrServer && { recognise: ocrServer(config.ocrServer) }
  requireLanguageData(ocr)
  const scratch = await mkdtemp(join(tmpdir(), 'kenning-read-'))
  const pool = openPool({ size: 1, cacheDir: scratch, log: silentLog, ocr, ...recognise })
  let failures = 0
  try {
    for (const file of options.files) {
      const result = await readOne(pool, file)
      if ('problem' in result) {
        failures++
        output.complain(`${file}: ${result.problem}\n`)
      } else if (options.json) output.print(`${JSON.stringify(result.document)}\n`)
      else {
        if (options.files.length > 1) output.print(`<!-- ${file.replaceAll('--', '- -')} -->\n\n`)
        output.print(toMarkdown({ blocks: result.document.blocks, title: result.document.title ?? '' }))
        for (const warning of result.document.warnings) output.complain(`${file}: ${warning}\n`)
      }
    }
  } finally {
    await pool.close()
    await rm(scratch, { recursive: true, force: true })
  }
  return failures ? 1 : 0
}

function readArguments(args: readonly string[]): { files: string[]; json: boolean } | string {
  try {
    const options = { json: { type: 'boolean' }, markdown: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (positionals.length === 0) return 'Name at least one file.'
    if (values.json && values.markdown) return 'Use either --json or --markdown.'
    return { files: positionals, json: values.json === true }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function readOne(pool: ParserPool, file: string) {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (stats instanceof Error)
    return { problem: stats.code === 'ENOENT' ? 'There is no such file.' : stats.message }
  if (!stats.isFile()) return { problem: 'This is not a regular file.' }
  try {
    const { kind, title, pages, warnings = [], hidden = [], blocks } = await readDocument(pool, file)
    return { document: { file, kind, title: title ?? null, pages: pages ?? null, warnings, hidden, blocks } }
  } catch (error) {
    if (error instanceof UnreadableFile) return { problem: reasonSentence[error.reason] }
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
