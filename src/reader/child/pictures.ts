// Finds the pictures of a document (PDF, Office file, e-book, web page, mail) that may contain text, and recognises their
// text. A task of the parser child reads one picture, so that a picture that crashes the child affects no other picture.

import { createHash } from 'node:crypto'
import type { OnPicture, PictureSource, ReadEnclosed } from '../backend.ts'
import type { Block } from '../block.ts'
import { formats } from '../formats/formats.ts'
import { sniff } from '../identify/sniff.ts'
import { isLargeEnough, MAX_PICTURES } from '../shared/pictures/minimum-size.ts'
import { recognisePicture } from '../shared/pictures/recognise-picture.ts'
import { type RenderedPicture, renderPicture } from '../shared/pictures/render-picture.ts'
import { type PixelSize, pixelSize } from '../shared/rasters/image-size.ts'
import type { PictureCandidate, PicturesTask, Report } from '../task.ts'

/**
 * Returns the pictures of the file, or the text of one picture. @throws UnreadableFile if the picture is no image or has too
 * many pixels
 */
export async function runPicturesTask(
  task: PicturesTask,
  report: Report,
): Promise<PictureCandidate[] | Block[]> {
  const { pictures } = task
  if ('read' in pictures) {
    // One page of OCR extends the deadline to that of a scanned page.
    report({ share: 0, pages: 1, ocrPages: 1 })
    return recognisePicture(await renderNamedPicture(task, pictures.read), pictures.language)
  }
  const { find } = pictures
  if (find === 'unplaced')
    return (await formats[task.kind].backend()).unplacedPictures?.find(task, report) ?? []
  const sizeByName = new Map<string, PixelSize & { hash: string }>()
  await eachPicture(task, new Set(find.map(({ name }) => name)), (name, bytes) => {
    const size = pixelSize(bytes)
    if (size === undefined || !isLargeEnough(size)) return
    sizeByName.set(name, { ...size, hash: createHash('sha256').update(bytes).digest('hex') })
  })
  const candidates = find.flatMap((picture) => {
    const size = sizeByName.get(picture.name)
    return size === undefined ? [] : [{ ...picture, ...size }]
  })
  return candidates.slice(0, MAX_PICTURES)
}

async function renderNamedPicture(
  task: PicturesTask,
  picture: PictureCandidate,
): Promise<RenderedPicture | undefined> {
  const { unplacedPictures } = await formats[task.kind].backend()
  if (unplacedPictures !== undefined) return unplacedPictures.render(task, picture)
  let rendering: Promise<RenderedPicture | undefined> = Promise.resolve(undefined)
  await eachPicture(task, new Set([picture.name]), (_, bytes) => {
    rendering = renderPicture(task, bytes)
  })
  return rendering
}

async function eachPicture(
  file: PictureSource & Pick<PicturesTask, 'kind'>,
  names: ReadonlySet<string>,
  onPicture: OnPicture,
): Promise<void> {
  await (await formats[file.kind].backend()).eachPicture?.(file, names, onPicture, eachEnclosed)
}

const eachEnclosed: ReadEnclosed = async ({ filename, ...file }, names, onPicture) => {
  const sniffed = await sniff(file.path, filename)
  if ('kind' in sniffed) await eachPicture({ ...file, kind: sniffed.kind }, names, onPicture)
}
