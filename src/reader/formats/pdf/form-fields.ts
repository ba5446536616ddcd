// The values filled into a PDF form: PDFium's page text omits them, and they are what readers ask about.

import type { FormField, ParsedPage } from '@llamaindex/liteparse'
import type { Block } from '../../block.ts'
import { rectBox } from '../../shared/page/layout/boxes.ts'
import { plainWords } from '../../shared/page/layout/words.ts'

/** One line "Name: value" for each filled field of the page whose value is in none of its blocks. */
export function formBlocks(page: ParsedPage, blocks: readonly Block[]): Block[] {
  const fields = (page.formFields ?? []).filter((field) => filledValue(field) !== '')
  if (fields.length === 0) return []
  const present = new Set(blocks.flatMap((block) => plainWords(block.text)))
  return fields.flatMap((field) => {
    const value = filledValue(field)
    if (plainWords(value).every((word) => present.has(word))) return []
    const name = (field.alternateName ?? field.name ?? '').replace(/[_.[\]#]+/g, ' ').trim()
    const place = field.rect === undefined ? {} : { bbox: rectBox(field.rect) }
    return [
      {
        kind: 'paragraph' as const,
        text: name === '' ? value : `${name}: ${value}`,
        page: page.pageNum,
        ...place,
      },
    ]
  })
}

function filledValue(field: FormField): string {
  if (/button|signature/i.test(field.type)) return ''
  // A box that is not ticked.
  if (field.checked === false || (field.value === 'Off' && !/text/i.test(field.type))) return ''
  return (field.selectedOptions.length > 0 ? field.selectedOptions.join(', ') : (field.value ?? '')).trim()
}
