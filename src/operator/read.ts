// `kenning read FILE…`: what Kenning reads of files, for whoever wants nothing else. No service, no database.

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import {
  configuredOcr,
  openPool,
  type ParserPool,
  readDocument,
  reasonSentence,
  refuseMissingLanguages,
  toMarkdown,
  UnreadableFile,
} from '../reader/reader.ts'

export const READ_USAGE = `kenning read FILE… [--markdown | --json]   print what Kenning reads of files

  --markdown   as Markdown, files one after the other (the default)
  --json       a line of JSON for each file: {file, kind, title, pages, warnings, blocks}

Languages of scans and pictures: KENNING_OCR_LANGUAGES. Words in pictures inside a document are not read.
Exit code: 0 when all were read, 1 when one could not be, 2 for wrong use.
`

type Write = (text: string) => void

/** Prints what is read of each file, in their order; what cannot be read is told with its reason. */
export async function readFiles(
  config: Pick<Config, 'ocrLanguages' | 'dataDir'>,
  args: readonly string[],
  out: { print: Write; complain: Write },
): Promise<number> {
  const wanted = readArguments(args)
  if (typeof wanted === 'string') {
    out.complain(`${wanted}\n\n${READ_USAGE}`)
    return 2
  }
  const ocr = configuredOcr(config.ocrLanguages, config.dataDir)
  refuseMissingLanguages(ocr)
  const scratch = await mkdtemp(join(tmpdir(), 'kenning-read-'))
  const pool = openPool({ size: 1, cacheDir: scratch, log: SILENT, ocr })
  let failed = 0
  try {
    for (const file of wanted.files) {
      const read = await readOne(pool, file)
      if ('problem' in read) {
        failed++
        out.complain(`${file}: ${read.problem}\n`)
      } else if (wanted.json) out.print(`${JSON.stringify(read.document)}\n`)
      else {
        if (wanted.files.length > 1) out.print(`<!-- ${file.replaceAll('--', '- -')} -->\n\n`)
        out.print(toMarkdown({ blocks: read.document.blocks, title: read.document.title ?? '' }))
        for (const warning of read.document.warnings) out.complain(`${file}: ${warning}\n`)
      }
    }
  } finally {
    await pool.close()
    await rm(scratch, { recursive: true, force: true })
  }
  return failed ? 1 : 0
}

const SILENT = { info: () => {}, warn: () => {} }

function readArguments(args: readonly string[]): { files: string[]; json: boolean } | string {
  try {
    const options = { json: { type: 'boolean' }, markdown: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    if (positionals.length === 0) return 'Name one file or more.'
    if (values.json && values.markdown) return 'Choose --json or --markdown, not both.'
    return { files: positionals, json: values.json === true }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function readOne(pool: ParserPool, file: string) {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error)
    return { problem: found.code === 'ENOENT' ? 'There is no such file.' : found.message }
  if (!found.isFile()) return { problem: 'This is not a file.' }
  try {
    const { kind, title, pages, warnings = [], blocks } = await readDocument(pool, file)
    return { document: { file, kind, title: title ?? null, pages: pages ?? null, warnings, blocks } }
  } catch (error) {
    if (error instanceof UnreadableFile) return { problem: reasonSentence[error.reason] }
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
