// Pictures inside a document (a PDF, an Office file, a book, a page): which may hold words, and what they say. In a
// parser child, one picture a task: what kills the child costs that picture alone.

import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Block } from '../../block.ts'
import { withArchive } from '../../identify/archive.ts'
import type { FoundPicture, PicturesTask, Report } from '../../task.ts'
import { readHtml } from '../../text/html/html.ts'
import { countedPictures, decodeHtml } from '../../text/html/page.ts'
import { type PixelSize, pixelSize } from '../formats/image-size.ts'
import { isLargeEnough, MOST_FOUND } from './minimum-size.ts'
import { drawPdfPicture, findPdfPictures } from './pdf-pictures.ts'
import { readWords } from './recognise-picture.ts'
import { type Drawing, drawPicture } from './render-picture.ts'

// A slide's photograph has 0.1 to 10 MB.
const MOST_BYTES = 64 * 2 ** 20

/** What was found, or the readable texts of the one picture wanted. @throws UnreadableFile for no picture or a bomb */
export async function workOnPictures(task: PicturesTask, report: Report): Promise<FoundPicture[] | Block[]> {
  const { pictures } = task
  if ('read' in pictures) {
    // A page to recognise: the deadline follows.
    report({ share: 0, pages: 1, ocrPages: 1 })
    return readWords(await drawing(task, pictures.read), pictures.language)
  }
  const { find } = pictures
  if (find === 'unplaced') return findPdfPictures(task, report)
  const known = new Map<string, PixelSize & { hash: string }>()
  await eachPicture(task, new Set(find.map(({ name }) => name)), (name, bytes) => {
    const size = pixelSize(bytes)
    if (size === undefined || !isLargeEnough(size)) return
    known.set(name, { ...size, hash: createHash('sha256').update(bytes).digest('hex') })
  })
  const found = find.flatMap((picture) => {
    const own = known.get(picture.name)
    return own === undefined ? [] : [{ ...picture, ...own }]
  })
  return found.slice(0, MOST_FOUND)
}

async function drawing(task: PicturesTask, wanted: FoundPicture): Promise<Drawing | undefined> {
  if (task.kind === 'pdf') return drawPdfPicture(task, wanted)
  let drawn: Promise<Drawing | undefined> = Promise.resolve(undefined)
  await eachPicture(task, new Set([wanted.name]), (_, bytes) => {
    drawn = drawPicture(task, bytes)
  })
  return drawn
}

type Place = Pick<PicturesTask, 'id' | 'path' | 'kind' | 'folder'>
type Take = (name: string, bytes: Buffer) => void

/** Each of the pictures with its bytes, one after the other; those that are not there or damaged are passed over. */
async function eachPicture(task: Place, names: ReadonlySet<string>, take: Take): Promise<void> {
  if (task.kind === 'html') return eachOfPage(task.path, names, take)
  if (task.kind === 'email' || task.kind === 'msg') return eachOfMail(task, names, take)
  await withArchive(task.path, async (archive) => {
    for (const name of names) {
      const bytes = await archive.read(name, MOST_BYTES).catch(() => undefined)
      if (bytes !== undefined) take(name, bytes)
    }
  })
}

async function eachOfPage(path: string, names: ReadonlySet<string>, take: Take): Promise<void> {
  const nameOf = countedPictures((name, bytes) => {
    if (names.has(name)) take(name, bytes())
  })
  readHtml(decodeHtml(await readFile(path)), nameOf)
}

/** Those in its text, and those of the documents attached to it: "part 2/word/media/image1.png". */
async function eachOfMail(
  { id, path, folder }: Place,
  names: ReadonlySet<string>,
  take: Take,
): Promise<void> {
  const { mailParts } = await import('../../text/email.ts')
  for (const { name, filename, bytes } of await mailParts(path)) {
    if (names.has(name)) take(name, bytes())
    const within = [...names].flatMap((all) =>
      all.startsWith(`${name}/`) ? [all.slice(name.length + 1)] : [],
    )
    if (within.length === 0) continue
    const attached = join(folder, `${id}.${randomUUID()}`)
    await writeFile(attached, bytes(), { mode: 0o600 })
    try {
      const { sniff } = await import('../../sniff.ts')
      const found = await sniff(attached, filename)
      if ('unsupported' in found) continue
      const inner = { id, path: attached, kind: found.kind, folder }
      await eachPicture(inner, new Set(within), (own, picture) => take(`${name}/${own}`, picture))
    } finally {
      await rm(attached, { force: true })
    }
  }
}
