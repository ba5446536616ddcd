// A passage to be pasted elsewhere: quoted, with where it stands.

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
