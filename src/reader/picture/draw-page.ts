// A page of a PDF or an image as PNG, for people to look at. Runs in a parser child like everything that opens uploads.

import { symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScreenshotResult } from '@llamaindex/liteparse'
import { UnreadableFile } from '../block.ts'
import { type DrawTask, NoSuchPage } from '../task.ts'
import type { Angle } from './formats/exif-orientation.ts'
import { openImage } from './formats/image-file.ts'

// Pixels along the longer side: small print of a letter page can be read, and a scan of it takes about 1 MB.
const LONG_SIDE_PIXELS = 1600
const MOST_SIDE_PIXELS = 4000
// Tells a page's shape within a third of a per cent, and the largest page PDF allows is still only 13 million pixels.
const PROBE_DPI = 18
const MOST_DPI = 1200

interface Drawable {
  path: string
  page: number
  angle: Angle
  close: () => Promise<void>
}

/** The page as PNG bytes. @throws NoSuchPage, UnreadableFile */
export async function drawPage(task: DrawTask): Promise<Buffer> {
  if (task.kind !== 'pdf' && task.kind !== 'image')
    throw new NoSuchPage(`a ${task.kind} has no pages to show`)
  const drawable = await (task.kind === 'pdf' ? openPdf(task) : openPicture(task))
  try {
    const probe = await shoot(drawable, PROBE_DPI)
    return (await shoot(drawable, wantedDpi(probe, task.draw.width))).imageBuffer
  } finally {
    await drawable.close()
  }
}

/** Never more than 4,000 pixels along a side, whatever the page's size and whoever asks. */
function wantedDpi(probe: ScreenshotResult, width: number | undefined): number {
  const longest = Math.max(probe.width, probe.height)
  const wanted = width === undefined ? LONG_SIDE_PIXELS / longest : width / probe.width
  const bounded = Math.min(wanted, MOST_SIDE_PIXELS / longest)
  return Math.max(1, Math.min(MOST_DPI, PROBE_DPI * bounded))
}

async function shoot({ path, page, angle }: Drawable, dpi: number): Promise<ScreenshotResult> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const turned = angle === 0 ? {} : { pageOrientationCorrections: [{ page, angle }] }
  try {
    const drawer = new LiteParse({ dpi, quiet: true, ocrEnabled: false, ...turned })
    const [shot] = await drawer.screenshot(path, [page])
    if (shot === undefined) throw new NoSuchPage(`page ${page} was not drawn`)
    return shot
  } catch (error) {
    if (/out of range/i.test(String(error))) throw new NoSuchPage(`there is no page ${page}`)
    if (/password|encrypt/i.test(String(error))) throw new UnreadableFile('encrypted')
    throw error instanceof NoSuchPage ? error : new UnreadableFile('damaged', String(error).slice(0, 300))
  }
}

async function openPdf({ id, path, folder, draw }: DrawTask): Promise<Drawable> {
  // liteparse tells kinds by extension and blobs have none.
  const link = join(folder, `${id}.pdf`)
  await symlink(path, link)
  return { path: link, page: draw.page, angle: 0, close: () => unlink(link) }
}

async function openPicture(task: DrawTask): Promise<Drawable> {
  const image = await openImage(task)
  if (task.draw.page > image.pages) {
    await image.close()
    throw new NoSuchPage(`there is no page ${task.draw.page}`)
  }
  const { stated } = await image.turnTo(task.draw.page)
  return { path: image.path, page: 1, angle: stated, close: image.close }
}
