// Copies a passage as a quotation with its source.

import { t } from '../language/text.tsx'

interface PassageSource {
  title: string | null | undefined
  page: number | null | undefined
  url: string | null | undefined
}

export function passageWithSource(text: string, { title, page, url }: PassageSource): string {
  const quotation = text.trim().replace(/^/gm, '> ').replace(/ +$/gm, '')
  return [quotation, '', [`— ${placeOf(title, page)}`, url].filter(Boolean).join('\n')].join('\n')
}

function placeOf(title: PassageSource['title'], page: PassageSource['page']): string {
  if (!page) return title ?? ''
  return title ? t('{title}, page {page}', { title, page }) : t('page {page}', { page })
}
