// A source of an answer, as the page shows it.

export interface Source {
  number: number
  title: string | null
  page: number | null
  text: string | null
  /** Where a person can open it. */
  url: string | null
  /** Of a source that cannot be opened any more. */
  state?: 'changed' | 'deleted'
}

export const nameOf = ({ number, title, page }: Source): string =>
  `Source ${number}${title ? `: ${title}` : ''}${page ? `, page ${page}` : ''}`
