// The backend for images, which are documents of one page, or of several in a TIFF file. A page is drawn without loading the text
// recognition.

import type { Backend } from '../../backend.ts'
import { openImage } from '../../shared/rasters/image-file.ts'
import { NoSuchPage } from '../../task.ts'

export const image: Backend = {
  parse: async (task, report) => (await import('./parse.ts')).parseImage(task, report),
  openPage: async (task) => {
    const { page } = task.draw
    const file = await openImage(task)
    if (page > file.pages) {
      await file.close()
      throw new NoSuchPage(`there is no page ${page}`)
    }
    const { exifAngle } = await file.selectPage(page)
    return { path: file.path, page: 1, angle: exifAngle, close: file.close }
  },
}
