// The backend for PDF. Its parts are loaded when they are needed, because drawing a page or finding a picture does not need
// the parser.

import { symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backend } from '../../backend.ts'

export const pdf: Backend = {
  parse: async (task, report) => (await import('./parse.ts')).parsePdf(task, report),
  openPage: async ({ id, path, folder, draw }) => {
    // liteparse recognises the format by the extension, which stored files do not have.
    const link = join(folder, `${id}.pdf`)
    await symlink(path, link)
    return { path: link, page: draw.page, angle: 0, close: () => unlink(link) }
  },
  unplacedPictures: {
    hasLargePicture: async (path) => (await import('./pictures.ts')).hasLargePicture(path),
    find: async (file, report) => (await import('./pictures.ts')).findPdfPictures(file, report),
    render: async (file, picture) => (await import('./pictures.ts')).renderPdfPicture(file, picture),
  },
}
