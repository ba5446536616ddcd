// Pages whose text lies on its side or upside down (a wide table on a tall page): read again turned upright. As they
// lie their words are cut and their lines run backwards.

import type { LiteParseConfig, ParsedPage } from '@llamaindex/liteparse'

type Angle = 90 | 180 | 270

// A turned page may carry an upright page number.
const TURNED_SHARE = 0.7

/** The pages as they are, turned ones in their upright reading; their boxes are those of the upright page. */
export async function uprightPages(
  path: string,
  pages: readonly ParsedPage[],
  config: Partial<LiteParseConfig>,
): Promise<ParsedPage[]> {
  const turned = pages.flatMap((page) => {
    const angle = angleOf(page)
    return angle === undefined ? [] : [{ page: page.pageNum, angle }]
  })
  if (turned.length === 0) return [...pages]
  const { LiteParse } = await import('@llamaindex/liteparse')
  const targetPages = turned.map(({ page }) => page).join(',')
  const parser = new LiteParse({ ...config, targetPages, pageOrientationCorrections: turned })
  const upright = new Map((await parser.parse(path)).pages.map((page) => [page.pageNum, page]))
  return pages.map((page) => upright.get(page.pageNum) ?? page)
}

/** How most of the page's text is turned, clockwise; undefined when it stands upright. */
function angleOf({ textItems }: ParsedPage): Angle | undefined {
  const counts = new Map<number, number>()
  let all = 0
  for (const { text, rotation = 0 } of textItems) {
    const angle = (((Math.round(rotation / 90) * 90) % 360) + 360) % 360
    counts.set(angle, (counts.get(angle) ?? 0) + text.length)
    all += text.length
  }
  const angles: Angle[] = [90, 180, 270]
  return angles.find((angle) => (counts.get(angle) ?? 0) > all * TURNED_SHARE)
}
