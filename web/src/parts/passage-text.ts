// Copies a passage as a quotation with its source.

interface PassageSource {
  title: string | null | undefined
  page: number | null | undefined
  url: string | null | undefined
}

export function passageWithSource(text: string, { title, page, url }: PassageSource): string {
  const quotation = text.trim().replace(/^/gm, '> ').replace(/ +$/gm, '')
  const name = [title, page && `page ${page}`].filter(Boolean).join(', ')
  return [quotation, '', [`— ${name}`, url].filter(Boolean).join('\n')].join('\n')
}
