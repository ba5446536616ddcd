// A source of an answer, as the page shows it.

export interface Source {
  number: number
  title: string | null
  page: number | null
  text: string | null
  /** The address at which a person can open it. */
  url: string | null
  /** Set for a source that can no longer be opened. */
  state?: 'changed' | 'deleted'
}

export const nameOf = ({ number, title, page }: Source): string =>
  `Source ${number}${title ? `: ${title}` : ''}${page ? `, page ${page}` : ''}`
