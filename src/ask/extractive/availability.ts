// "Out of stock" is not "from stock": its small words are stop words to search, and say everything. Whether a question asks
// for what is there or for what is not, and which of the two a sentence or a row says. English, German, French, Spanish. Pure.

import type { Cell } from '../markdown-table.ts'

export type Stock = 'in' | 'out'

const OUT =
  /(?<![\p{L}])(?:out of stock|not in stock|sold out|not available|unavailable|back-?ordered|on back-?order|discontinued|nicht (?:auf|am) lager|nicht (?:vorrätig|lieferbar|verfügbar)|ausverkauft|vergriffen|en rupture(?: de stock)?|rupture de stock|épuisée?s?|indisponibles?|agotad[oa]s?|sin existencias|no disponibles?)(?![\p{L}])/iu
const IN =
  /(?<![\p{L}])(?:(?:in|from|ex) stock|available|(?:auf|ab|am) lager|vorrätig|lieferbar|verfügbar|en stock|disponibles?|en existencia)(?![\p{L}])/iu
// Columns that count pieces on the shelf: there 0 says that none is left.
const COLUMN =
  /stock|on.?hand|inventory|available|bestand|lager|vorrat|verfügbar|existencias|disponible|inventaire/iu

/** What a question asks for; undefined when it asks for something else. */
export const asksForStock = (question: string): Stock | undefined =>
  OUT.test(question) ? 'out' : IN.test(question) ? 'in' : undefined

/** The question without the words about the shelf. */
export const withoutStock = (question: string): string => question.replace(OUT, ' ').replace(IN, ' ')

/** What a sentence or a row says of the shelf; undefined when nothing. */
export function stockOf(text: string, cells?: readonly Cell[]): Stock | undefined {
  if (OUT.test(text)) return 'out'
  const counted = cells?.find(({ header, text }) => COLUMN.test(header) && /^[\d.,\s]+$/.test(text))
  if (counted) return Number(counted.text.replace(/[^\d]/g, '')) === 0 ? 'out' : 'in'
  return IN.test(text) ? 'in' : undefined
}
