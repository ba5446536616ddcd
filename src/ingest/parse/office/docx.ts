// Word (.docx) by mammoth: headings, lists, spanning tables, footnotes, text boxes (the other library loses those).
// Mammoth leaves equations and content out silently; equations come back as their characters.

import mammoth from 'mammoth'
import { chooseTitle } from '../blocks/title.ts'
import type { Parser } from '../task.ts'
import { htmlBlocks } from '../text/html.ts'
import { withEquationText } from './equations.ts'
import { packageTitle } from './properties.ts'

const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Code'] => pre:fresh",
  "p[style-name='HTML Preformatted'] => pre:fresh",
]

// Inlined pictures would double the HTML for text nobody reads.
const noPictures = mammoth.images.imgElement(async () => ({ src: '' }))

/** A Word document's blocks; it has no pages until it is laid out. */
export const parseDocx: Parser = async (task) => {
  const input = await withEquationText(task.path)
  const { value } = await mammoth.convertToHtml(input, { styleMap, convertImage: noPictures })
  const blocks = htmlBlocks(value)
  const title = chooseTitle(await packageTitle(task.path), blocks)
  return { ...(title === undefined ? {} : { title }), blocks }
}
