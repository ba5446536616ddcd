// The real parser child, taken down whenever it draws a page from the second to the fourth, as by a library that crashes on a
// picture.

import { LiteParse } from '@llamaindex/liteparse'

const originalScreenshot = LiteParse.prototype.screenshot
LiteParse.prototype.screenshot = function (path, pages) {
  if (pages?.some((page) => page >= 2 && page <= 4)) process.abort()
  return originalScreenshot.call(this, path, pages)
}
await import('../../src/reader/child/entry.ts')
