// Pictures inside a document (PDF, Office file, e-book, web page, mail): finds those that may hold words, and recognises them.
// Runs in a parser child with one picture a task, so that a picture that kills the child costs itself alone.

import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Block } from '../block.ts'
import { findPdfPictures, renderPdfPicture } from '../formats/pdf/pictures.ts'
import { withArchive } from '../shared/containers/archive.ts'
import { readHtml } from '../shared/html/html.ts'
import { countedPictures, decodeHtml } from '../shared/html/page.ts'
import { isLargeEnough, MAX_PICTURES } from '../shared/pictures/minimum-size.ts'
import { recognisePicture } from '../shared/pictures/recognise-picture.ts'
import { type RenderedPicture, renderPicture } from '../shared/pictures/render-picture.ts'
import { type PixelSize, pixelSize } from '../shared/rasters/image-size.ts'
import type { FoundPicture, PicturesTask, Report } from '../task.ts'

// The photograph of a slide has 0.1 to 10 MB.
const MAX_BYTES = 64 * 2 ** 20

/** The pictures found, or the readable text of one picture. @throws UnreadableFile for no image, or too many pixels */
export async function runPicturesTask(task: PicturesTask, report: Report): Promise<FoundPicture[] | Block[]> {
  const { pictures } = task
  if ('read' in pictures) {
    // Extends the deadline to that of a scanned page.
    report({ share: 0, pages: 1, ocrPages: 1 })
    return recognisePicture(await renderOne(task, pictures.read), pictures.language)
  }
  const { find } = pictures
  if (find === 'unplaced') return findPdfPictures(task, report)
  const cachedSizes = new Map<string, PixelSize & { hash: string }>()
  await eachPicture(task, new Set(find.map(({ name }) => name)), (name, bytes) => {
    const size = pixelSize(bytes)
    if (size === undefined || !isLargeEnough(size)) return
    cachedSizes.set(name, { ...size, hash: createHash('sha256').update(bytes).digest('hex') })
  })
  const attached = find.flatMap((picture) => {
    const own = cachedSizes.get(picture.name)
    return own === undefined ? [] : [{ ...picture, ...own }]
  })
  return attached.slice(0, MAX_PICTURES)
}

async function renderOne(task: PicturesTask, picture: FoundPicture): Promise<RenderedPicture | undefined> {
  if (task.kind === 'pdf') return renderPdfPicture(task, picture)
  let rendered: Promise<RenderedPicture | undefined> = Promise.resolve(undefined)
  await eachPicture(task, new Set([picture.name]), (_, bytes) => {
    rendered = renderPicture(task, bytes)
  })
  return rendered
}

type Source = Pick<PicturesTask, 'id' | 'path' | 'kind' | 'folder'>
type OnPicture = (name: string, bytes: Buffer) => void

/** Calls `onPicture` for each of the named pictures, except those that are missing or damaged. */
async function eachPicture(task: Source, names: ReadonlySet<string>, onPicture: OnPicture): Promise<void> {
  if (task.kind === 'html') return eachOfPage(task.path, names, onPicture)
  if (task.kind === 'email' || task.kind === 'msg') return eachOfMail(task, names, onPicture)
  await withArchive(task.path, async (archive) => {
    for (const name of names) {
      const bytes = await archive.read(name, MAX_BYTES).catch(() => undefined)
      if (bytes !== undefined) onPicture(name, bytes)
    }
  })
}

async function eachOfPage(path: string, names: ReadonlySet<string>, onPicture: OnPicture): Promise<void> {
  const nameOf = countedPictures((name, bytes) => {
    if (names.has(name)) onPicture(name, bytes())
  })
  readHtml(decodeHtml(await readFile(path)), nameOf)
}

/** Pictures in the mail's text, and in documents attached to it: "part 2/word/media/image1.png". */
async function eachOfMail(
  { id, path, folder }: Source,
  names: ReadonlySet<string>,
  onPicture: OnPicture,
): Promise<void> {
  const { mailParts } = await import('../formats/mail/email.ts')
  for (const { name, filename, bytes } of await mailParts(path)) {
    if (names.has(name)) onPicture(name, bytes())
    const within = [...names].flatMap((all) =>
      all.startsWith(`${name}/`) ? [all.slice(name.length + 1)] : [],
    )
    if (within.length === 0) continue
    const attached = join(folder, `${id}.${randomUUID()}`)
    await writeFile(attached, bytes(), { mode: 0o600 })
    try {
      const { sniff } = await import('../identify/sniff.ts')
      const sniffed = await sniff(attached, filename)
      if ('unsupported' in sniffed) continue
      const inner = { id, path: attached, kind: sniffed.kind, folder }
      await eachPicture(inner, new Set(within), (own, picture) => onPicture(`${name}/${own}`, picture))
    } finally {
      await rm(attached, { force: true })
    }
  }
}
