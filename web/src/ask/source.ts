// A source of an answer, as the page shows it.

import type { Output } from '../../../src/client/client.ts'

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

type Citation = Output<'getThread'>['turns'][number]['citations'][number]

export const sourcesOf = (citations: readonly Citation[]): Source[] =>
  citations.map(({ number, document_title, page, text, state, source_url }) => ({
    number,
    title: document_title,
    page,
    text,
    url: source_url,
    ...(state === 'current' ? {} : { state }),
  }))
