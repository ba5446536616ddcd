// The title a document gives itself: its property unless that is a generic one, else its first heading
// (design/contract.md, "Documents"). Without either the caller takes the file's name.

import type { Block } from '../block.ts'

const MOST_CHARACTERS = 300
// A heading far into the document names a part of it.
const HEADING_WITHIN_BLOCKS = 30

const generic = [
  /^\(?(anonymous|unspecified|unknown)\)?$/i,
  /^microsoft (office )?(word|powerpoint|excel)\b/i,
  /^(untitled( (document|spreadsheet|presentation))?|unbenannt|no title|title|titel|document|dokument|presentation|pr[äa]sentation|(powerpoint|pptxgenjs)( presentation)?)[\s\d_-]*$/i,
  /^(slide|book|sheet|tabelle|mappe|page|scan|image|img|file|layout)[\s\d_-]*$/i,
  /\.(docx?|pdf|xlsx?|pptx?|indd|qxd|tiff?|jpe?g|png|p65|fm|rtf|html?|odt|tex|dvi|ps|txt)$/i,
  /^[\s\d\p{P}\p{S}]*$/u,
  /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i,
  /^(https?:|file:|[a-z]:\\|\/)/i,
  /^(about:blank|print|output|temp|tmp|test)$/i,
]

/** The title worth showing of a property's value and the blocks, or undefined. */
export function chooseTitle(property: string | undefined, blocks: readonly Block[]): string | undefined {
  const own = worthy(property)
  if (own !== undefined) return own
  const headings = blocks
    .slice(0, HEADING_WITHIN_BLOCKS)
    .filter(
      (block) => block.kind === 'heading' && worthy(block.text) !== undefined && (block.page ?? 1) === 1,
    )
  const top = headings.reduce((least, block) => Math.min(least, block.level ?? 6), 6)
  return worthy(headings.find((block) => (block.level ?? 6) === top)?.text)
}

function worthy(text: string | undefined): string | undefined {
  const line = text?.replace(/[\s\0]+/g, ' ').trim()
  if (line === undefined || line.length < 3 || line.length > MOST_CHARACTERS) return undefined
  return generic.some((pattern) => pattern.test(line)) ? undefined : line
}
