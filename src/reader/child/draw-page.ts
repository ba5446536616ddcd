// Renders a page of a PDF or an image as PNG for people to look at. Runs in a parser child, like all code that opens uploads.

import type { ScreenshotResult } from '@llamaindex/liteparse'
import type { OpenPage } from '../backend.ts'
import { UnreadableFile } from '../block.ts'
import { type Format, formats } from '../formats/formats.ts'
import { withResolution } from '../shared/rasters/png-resolution.ts'
import { type DrawTask, NoSuchPage } from '../task.ts'

// At this size the small print of a page in US Letter format is readable, and the PNG of a scan has about 1 MB.
const DEFAULT_LONG_SIDE_PIXELS = 1600
const MAX_SIDE_PIXELS = 4000
// The resolution of the first rendering, which shows the aspect ratio of the page to a third of a per cent. The largest page
// that PDF allows then has 13 million pixels.
const PROBE_DPI = 18
const MAX_DPI = 1200

/** The page as PNG bytes. @throws NoSuchPage, UnreadableFile */
export async function drawPage(task: DrawTask): Promise<Buffer> {
  // The database may have documents of a kind that this version does not support.
  const format: Format | undefined = formats[task.kind]
  const openPage = (await format?.backend())?.openPage
  if (openPage === undefined) throw new NoSuchPage(`a ${task.kind} file has no pages to show`)
  const page = await openPage(task)
  try {
    const probe = await screenshot(page, PROBE_DPI)
    const dpi = dpiFor(probe, task.draw.width)
    return withResolution((await screenshot(page, dpi)).imageBuffer, dpi)
  } finally {
    await page.close()
  }
}

/** The resolution with which the page has the requested width, but at most 4,000 pixels along a side. */
function dpiFor(probe: ScreenshotResult, width: number | undefined): number {
  const longestSide = Math.max(probe.width, probe.height)
  const scale = width === undefined ? DEFAULT_LONG_SIDE_PIXELS / longestSide : width / probe.width
  const boundedScale = Math.min(scale, MAX_SIDE_PIXELS / longestSide)
  return Math.max(1, Math.min(MAX_DPI, PROBE_DPI * boundedScale))
}

async function screenshot({ path, page, angle }: OpenPage, dpi: number): Promise<ScreenshotResult> {
  const { LiteParse } = await import('@llamaindex/liteparse')
  const rotation = angle === 0 ? {} : { pageOrientationCorrections: [{ page, angle }] }
  try {
    const renderer = new LiteParse({ dpi, quiet: true, ocrEnabled: false, ...rotation })
    const [pageImage] = await renderer.screenshot(path, [page])
    if (pageImage === undefined) throw new NoSuchPage(`page ${page} was not rendered`)
    return pageImage
  } catch (error) {
    if (/out of range/i.test(String(error))) throw new NoSuchPage(`there is no page ${page}`)
    if (/password|encrypt/i.test(String(error))) throw new UnreadableFile('encrypted')
    throw error instanceof NoSuchPage ? error : new UnreadableFile('damaged', String(error).slice(0, 300))
  }
}
