// Pictures inside a document (a PDF, an Office file, a book, a page): which may hold words, and what they say. In a
// parser child, one picture a task: what kills the child costs that picture alone.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Block, Picture } from '../../block.ts'
import { withArchive } from '../../identify/archive.ts'
import type { FoundPicture, PicturesTask, Report } from '../../task.ts'
import { readHtml } from '../../text/html.ts'
import { countedPictures, decodeHtml } from '../../text/page.ts'
import { pixelSize } from '../size.ts'
import { type Drawing, drawPicture } from './draw-picture.ts'
import { drawPdfPicture, findPdfPictures } from './pdf-pictures.ts'
import { readWords } from './read-words.ts'
import { isLargeEnough, MOST_FOUND } from './size.ts'

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
  const found: FoundPicture[] = []
  await eachPicture(task, find, (picture, bytes) => {
    const size = pixelSize(bytes)
    if (size === undefined || !isLargeEnough(size) || found.length >= MOST_FOUND) return
    found.push({ ...picture, ...size, hash: createHash('sha256').update(bytes).digest('hex') })
  })
  return found
}

async function drawing(task: PicturesTask, wanted: FoundPicture): Promise<Drawing | undefined> {
  if (task.kind === 'pdf') return drawPdfPicture(task, wanted)
  let drawn: Promise<Drawing | undefined> = Promise.resolve(undefined)
  await eachPicture(task, [wanted], (_, bytes) => {
    drawn = drawPicture(task, bytes)
  })
  return drawn
}

/** Each of the pictures with its bytes, one after the other; those that are not there or damaged are passed over. */
async function eachPicture(
  task: PicturesTask,
  wanted: readonly Picture[],
  take: (picture: Picture, bytes: Buffer) => void,
): Promise<void> {
  if (task.kind === 'html') return eachOfPage(task.path, wanted, take)
  await withArchive(task.path, async (archive) => {
    for (const picture of wanted) {
      const bytes = await archive.read(picture.name, MOST_BYTES).catch(() => undefined)
      if (bytes !== undefined) take(picture, bytes)
    }
  })
}

async function eachOfPage(
  path: string,
  wanted: readonly Picture[],
  take: (picture: Picture, bytes: Buffer) => void,
): Promise<void> {
  const byName = new Map(wanted.map((picture) => [picture.name, picture]))
  const nameOf = countedPictures((name, bytes) => {
    const picture = byName.get(name)
    if (picture !== undefined) take(picture, bytes())
  })
  readHtml(decodeHtml(await readFile(path)), nameOf)
}
