// Availability: whether a question asks for what is in stock or what is out of stock, and which of the two a sentence
// or a row says. The deciding words ("out of", "from") are stop words for search. English, German, French, Spanish.
// Pure.

import type { Cell } from '../markdown-table.ts'

export type Availability = 'in' | 'out'

const OUT =
  /(?<![\p{L}])(?:out of stock|not in stock|sold out|not available|unavailable|back-?ordered|on back-?order|discontinued|nicht (?:auf|am) lager|nicht (?:vorrätig|lieferbar|verfügbar)|ausverkauft|vergriffen|en rupture(?: de stock)?|rupture de stock|épuisée?s?|indisponibles?|agotad[oa]s?|sin existencias|no disponibles?)(?![\p{L}])/iu
const IN =
  /(?<![\p{L}])(?:(?:in|from|ex) stock|available|(?:auf|ab|am) lager|vorrätig|lieferbar|verfügbar|en stock|disponibles?|en existencia)(?![\p{L}])/iu
// Columns of stock levels, in which 0 means out of stock.
const COLUMN =
  /stock|on.?hand|inventory|available|bestand|lager|vorrat|verfügbar|existencias|disponible|inventaire/iu

/** The availability that a question asks for; undefined when it asks for none. */
export const availabilityAsked = (question: string): Availability | undefined =>
  OUT.test(question) ? 'out' : IN.test(question) ? 'in' : undefined

/** The question without its words about availability. */
export const withoutAvailability = (question: string): string => question.replace(OUT, ' ').replace(IN, ' ')

/** The availability that a sentence or a row states; undefined when it states none. */
export function availabilityIn(text: string, cells?: readonly Cell[]): Availability | undefined {
  if (OUT.test(text)) return 'out'
  const counted = cells?.find(({ header, text }) => COLUMN.test(header) && /^[\d.,\s]+$/.test(text))
  if (counted) return Number(counted.text.replace(/[^\d]/g, '')) === 0 ? 'out' : 'in'
  return IN.test(text) ? 'in' : undefined
}
