// The prefixes that well-known models expect before a text. According to their model cards, these models lose several points of
// nDCG without the prefixes.

import type { Purpose } from './embedder.ts'

const FAMILIES: { name: RegExp; query: string; passage: string }[] = [
  { name: /\be5-(small|base|large)/i, query: 'query: ', passage: 'passage: ' },
  {
    name: /\bbge-(small|base|large)-en|\bmxbai-embed-large|\bsnowflake-arctic-embed/i,
    query: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
  { name: /\bnomic-embed-text/i, query: 'search_query: ', passage: 'search_document: ' },
  { name: /\bembeddinggemma/i, query: 'task: search result | query: ', passage: 'title: none | text: ' },
]

/** The text with the prefix of the model's family, which is found by the model's name. Most families have no prefix. */
export function withPrefix(model: string, text: string, purpose: Purpose): string {
  return `${FAMILIES.find(({ name }) => name.test(model))?.[purpose] ?? ''}${text}`
}
