// Copies a passage as a quotation with its source.

interface Place {
  title: string | null | undefined
  page: number | null | undefined
  url: string | null | undefined
}

export function passageWithSource(text: string, { title, page, url }: Place): string {
  const quoted = text.trim().replace(/^/gm, '> ').replace(/ +$/gm, '')
  const name = [title, page && `page ${page}`].filter(Boolean).join(', ')
  return [quoted, '', [`— ${name}`, url].filter(Boolean).join('\n')].join('\n')
}
