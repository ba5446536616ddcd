// Finds the files of a folder that can be uploaded: accepted kinds, up to 100 MB a file, in requests of up to 20 files.

import { openAsBlob } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { DemoFailure } from './failure.ts'

export interface LocalFile {
  path: string
  /** Relative to the folder, with slashes; folders become scopes. */
  name: string
  bytes: number
}

export interface Found {
  files: LocalFile[]
  /** The names of other files, each with the reason. */
  skipped: string[]
}

export const MAX_FILES = 20
const MAX_BYTES = 100 * 1024 * 1024

const accepted = new Set(
  'pdf doc docx rtf ppt pptx xls xlsx xlsb ods csv tsv md markdown txt html htm epub eml json jsonl png jpg jpeg gif bmp webp tif tiff'.split(
    ' ',
  ),
)

/** The files in `folder` and below, by name, without hidden ones. @throws DemoFailure */
export async function findFiles(folder: string): Promise<Found> {
  const found: Found = { files: [], skipped: [] }
  const names = await readdir(folder, { recursive: true }).catch(() => {
    throw new DemoFailure(`The folder ${folder} cannot be read. Name a folder with documents after --files.`)
  })
  for (const local of names.sort()) {
    const name = local.replaceAll('\\', '/')
    if (name.split('/').some((part) => part.startsWith('.') || part === 'node_modules')) continue
    const path = join(folder, local)
    const info = await stat(path).catch(() => undefined)
    if (!info?.isFile()) continue
    const why = reasonToSkip(name, info.size)
    if (why) found.skipped.push(`${name} (${why})`)
    else found.files.push({ path, name, bytes: info.size })
  }
  if (found.files.length === 0) {
    throw new DemoFailure(
      `The folder ${folder} has no file of an accepted kind (${[...accepted].join(', ')}).`,
    )
  }
  return found
}

function reasonToSkip(name: string, bytes: number): string | undefined {
  if (!accepted.has(extname(name).slice(1).toLowerCase())) return 'not an accepted kind'
  return bytes > MAX_BYTES ? 'over 100 MB' : undefined
}

export function batches(files: LocalFile[]): LocalFile[][] {
  return Array.from({ length: Math.ceil(files.length / MAX_FILES) }, (_, no) =>
    files.slice(no * MAX_FILES, (no + 1) * MAX_FILES),
  )
}

/** A multipart body; the files are streamed from disk. */
export async function formOf(files: LocalFile[]): Promise<FormData> {
  const form = new FormData()
  for (const { path, name } of files) form.append('files', await openAsBlob(path), name)
  return form
}
