// What stands around a cell's number: currencies, per cent, thousands and millions, measures. Pure.

export interface Unit {
  /** One name for each: '€' for EUR and euros; empty for none. */
  name: string
  /** 1,000,000 for "Mio.". */
  scale: number
}

const SYMBOLS: Readonly<Record<string, string>> = {
  EUR: '€',
  euro: '€',
  euros: '€',
  GBP: '£',
  USD: '$',
  US$: '$',
  dollar: '$',
  dollars: '$',
  JPY: '¥',
  INR: '₹',
  'kr.': 'kr',
  'Rs.': 'Rs',
  percent: '%',
  'per cent': '%',
  Prozent: '%',
  pct: '%',
  'pct.': '%',
}

const CODES = new Set(Intl.supportedValuesOf('currency'))
const CURRENCY = /^(?:[A-Z]{0,3}\p{Sc}|kr\.?|Rs\.?|zł|Kč|Fr\.)$/u

/** A currency before the number; undefined for anything else: "No. 5", "MF-204" and "~5" are no amounts. */
export const unitBefore = (text: string): Unit | undefined =>
  CURRENCY.test(text) || CODES.has(text) ? { name: nameOf(text), scale: 1 } : undefined

const THOUSAND = /^(?:thousand|tausend|tsd\.?|mille|duizend|тыс\.?)(?![\p{L}])/iu
const MILLION =
  /^(?:millions?|millionen|mio\.?|mln\.?|mn\.?|millones|millón|milioni|milione|milhões|miljoen|miljoner|millioner|miljoonaa|млн\.?)(?![\p{L}])/iu
const BILLION =
  /^(?:billions?|bn\.?|mrd\.?|mld\.?|milliarden?|milliards?|miliardi|miljard|miljarder|milliarder|miljardia|млрд\.?)(?![\p{L}])/iu
const TRILLION = /^(?:trillions?|tn\.?)(?![\p{L}])/iu
// Letters alone mean this beside a currency only: 5 m are metres.
const LETTERS: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, b: 1e9, B: 1e9 }

// A measure has two words at most ("per metre"); more is a sentence that begins with a number.
const MEASURE = /^(?:[\p{L}%°µ'"/²³·\p{Sc}$]+[23]?\.?)(?:[ /](?:[\p{L}%°µ/²³·\p{Sc}$]+[23]?\.?))?$/u

/** Scale and unit behind the number; undefined for what is neither. */
export function unitAfter(text: string, beside: boolean): Unit | undefined {
  const [scale, rest] = scaleOf(text, beside)
  const name = rest.replace(/^d[e'] ?/u, '').trim()
  if (name === '') return { name: '', scale }
  if (name.length > 24 || !MEASURE.test(name) || !/[\p{L}%°\p{Sc}]/u.test(name)) return undefined
  return { name: nameOf(name), scale }
}

function scaleOf(text: string, beside: boolean): [scale: number, rest: string] {
  const letter = beside ? LETTERS[text] : undefined
  if (letter) return [letter, '']
  // "5m €" has its currency behind.
  const joined = /^([kKmMbB])\s?(\p{Sc}|[A-Z]{3})$/u.exec(text)
  if (joined && (CURRENCY.test(joined[2] ?? '') || CODES.has(joined[2] ?? '')))
    return [LETTERS[joined[1] ?? ''] ?? 1, joined[2] ?? '']
  for (const [words, scale] of [
    [THOUSAND, 1e3],
    [MILLION, 1e6],
    [BILLION, 1e9],
    [TRILLION, 1e12],
  ] as const) {
    const match = words.exec(text)
    if (match) return [scale, text.slice(match[0].length).trim()]
  }
  return [1, text]
}

const nameOf = (text: string): string => SYMBOLS[text] ?? text

/** Whether amounts of the two may be added: the same name, letter case and an English plural aside. */
export const isSameUnit = (one: string, other: string): boolean => unitKey(one) === unitKey(other)

const unitKey = (name: string): string => (name.length > 3 ? name.toLowerCase().replace(/s$/, '') : name)
