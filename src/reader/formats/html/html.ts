// Reads an HTML page (.html, .htm, .xhtml): its title and its main part, in the encoding that it declares.

import { readFile } from 'node:fs/promises'
import type { Backend } from '../../backend.ts'
import { readHtml } from '../../shared/html/html.ts'
import { countedPictures, decodeHtml, pageDocument } from '../../shared/html/page.ts'

const pageOf = async (path: string): Promise<string> => decodeHtml(await readFile(path))

export const html: Backend = {
  parse: async ({ path }) => pageDocument(await pageOf(path), countedPictures()),
  eachPicture: async ({ path }, names, onPicture) => {
    const nameOf = countedPictures((name, bytes) => {
      if (names.has(name)) onPicture(name, bytes())
    })
    readHtml(await pageOf(path), nameOf)
  },
}
