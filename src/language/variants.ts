// Spelling variants of one word: British and American English, Greek letters and their names, grouped digits. Chunks and
// queries are normalized in the same way, so it does not matter which form is chosen.

import type { Language } from './language.ts'

/**
 * Changes the British spelling of a folded English word to the American one: colour, organised, centre, leukaemia. It adds .001
 * to .002 to nDCG@10 on scifact in the search by words.
 */
export function americanSpelling(word: string): string {
  if (word.length < 5 || !MAYBE_BRITISH.test(word)) return word
  let spelled = word
  for (const [british, american] of RULES) spelled = spelled.replace(british, american)
  return spelled
}

// A quick test that excludes most words. With it the rules add a tenth to the time of analysis, without it a third.
const MAYBE_BRITISH = /our|is[ea]|ising|lyz|re[ds]?$|ence|ogue|mme|[ao]e/

const RULES: readonly (readonly [RegExp, string])[] = [
  // behaviour, colour
  [
    /(arm|behavi|cand|clam|col|demean|endeav|enam|fav|ferv|flav|harb|hon|hum|lab|neighb|od|parl|rig|rum|savi?|splend|tum|val|vap|vig)our/,
    '$1or',
  ],
  [/practis(?=e[ds]?$|ing$)/, 'practic'],
  // organise, but not promise, precise, supervise or expertise, whose -ise is no suffix.
  [
    /(?<=.{3}[^aeiouw])(?<!compr|enterpr|surpr|prom|prem|prec|conc|exerc|circumc|superv|telev|improv|parad|merchand|franch|expert|treat)is(e[ds]?|ers?|ing|ations?|ational|able)$/,
    'iz$1',
  ],
  // Here American "analyzed" becomes British "analysed", because "analyses" is also the plural of "analysis".
  [/lyz(e[ds]?|ers?|ing)$/, 'lys$1'],
  [/(cent|met|lit|fib|theat|calib|lust|somb|meag)re(s?)$/, '$1er$2'],
  [/centred$/, 'centered'],
  // defence, licence
  [/(def|off|pret|lic)ence/, '$1ense'],
  [/(catal|dial|anal|monol)ogue/, '$1og'],
  [/programme(s?)$/, 'program$1'],
  // haemoglobin, leukaemia
  [/haem/, 'hem'],
  [/(?<=.)aemi/, 'emi'],
  // paediatric, archaeology
  [/(p|arch|pal)ae(?=[do])/, '$1e'],
  // foetus, oestrogen
  [/(f|^)oe(?=t|strog|strad|dem|soph)/, '$1e'],
  // aetiology, anaesthesia
  [/(^|an)ae(?=tiol|sth)/, '$1e'],
  // gynaecology, faecal
  [/(gyn|^f)aec/, '$1ec'],
  // diarrhoea, apnoea
  [/(rrh|pn)oe/, '$1e'],
  [/manoeuvr(?:e(?=s?$)|(?=e[dr]|ing|ab))/, 'maneuver'],
]

const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  τ: 'tau',
  φ: 'phi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
}

// A single Greek letter is a symbol and not Greek text. μ before a Latin letter is micro.
const GREEK_SYMBOL = /(?<!\p{Script=Greek})(?!μ\p{Script=Latin})[α-ω](?!\p{Script=Greek})/giu

/** Replaces Greek symbols by their names: TNFα, TNF-α and TNF-alpha become the same. */
export const withGreekNames = (raw: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing to look for in ASCII
  /[^\x00-\x7f]/.test(raw)
    ? raw
        .replace(GREEK_SYMBOL, (letter) => {
          const name = GREEK[letter.toLowerCase()]
          return name ? `-${name}-` : letter
        })
        // Removes hyphens at the beginning and the end, and double ones.
        .replace(/^-|-(?=-|$)/g, '')
    : raw

/**
 * Replaces ligatures by two letters: people type coeur for cœur, encyclopaedia for encyclopædia. In Danish and Norwegian æ is a
 * letter and stays.
 */
export const withoutLigatures = (raw: string, language: Language): string =>
  /[œæ]/i.test(raw)
    ? raw.replace(language === 'da' || language === 'no' ? /œ/gi : /[œæ]/gi, (ligature, index: number) => {
        const letters = ligature.toLowerCase() === 'œ' ? 'oe' : 'ae'
        if (ligature === ligature.toLowerCase()) return letters
        return /^\p{Lu}/u.test(raw.slice(index + 1)) ? letters.toUpperCase() : `${letters[0]?.toUpperCase()}e`
      })
    : raw

// Grouped digits: 10 000 (SI, most of Europe), 10.000 (German, Spanish …) and 10'000 (Swiss) also give the term 10000, as
// 10,000 does. Each group is a term too, because 100 200 in a row of figures may be two numbers.

// Queries may have thin and no-break spaces. Five or more groups of three digits are a row of figures.
const SPACED_NUMBER =
  /(?<![\p{L}\p{N}.,/_])(?<!(?<!\d)\d{1,3}[ \u00a0\u2009\u202f])[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3}){1,4}(?![\p{L}\p{N}]|[ \u00a0\u2009\u202f]\d{3}(?!\d))/gu

const MAYBE_SPACED_NUMBER = /\d[ \u00a0\u2009\u202f]\d{3}/

/** The numbers of a text that are grouped by spaces, without the spaces. */
export const spacedNumbers = (text: string): string[] =>
  MAYBE_SPACED_NUMBER.test(text)
    ? [...text.matchAll(SPACED_NUMBER)].map(([number]) => number.replace(/\D/g, ''))
    : []

// In English one group after a full stop is a decimal fraction (1.250). Several groups never are (1.250.000).
const POINTED_NUMBER = /^[1-9]\d{0,2}(?:\.\d{3})+(?=$|,\d)/
const NUMBER_WITH_TWO_POINTS = /^[1-9]\d{0,2}(?:\.\d{3}){2,}(?=$|,\d)/
const SWISS_NUMBER = /^[1-9]\d{0,2}(?:'\d{3})+(?=$|\.\d)/

/** The number of a word whose digits are grouped by points or apostrophes. */
export function pointedNumber(word: string, language: Language): string | undefined {
  const [number] =
    (language === 'en' ? NUMBER_WITH_TWO_POINTS : POINTED_NUMBER).exec(word) ?? SWISS_NUMBER.exec(word) ?? []
  return number?.replace(/\D/g, '')
}
