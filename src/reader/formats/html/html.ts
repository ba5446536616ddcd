// An HTML page (.html, .htm, .xhtml): its declared encoding, its title, its main part.

import { readFile } from 'node:fs/promises'
import { countedPictures, decodeHtml, pageDocument } from '../../shared/html/page.ts'
import type { Parser } from '../../task.ts'

/** The blocks of an HTML page. */
export const parseHtml: Parser = async (task) =>
  pageDocument(decodeHtml(await readFile(task.path)), countedPictures())
