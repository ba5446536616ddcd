// Refines a span of capitalised words to names: removes function words, roles and dates, and drops what only looks
// like a name. The document's own use of a word decides first, then the word lists.

import {
  countryOfDemonym,
  isCommonWord,
  isFirstName,
  isLastName,
  isModifier,
  isPlace,
} from '../../../language/gazetteer.ts'
import {
  BOILERPLATE,
  CALENDAR,
  HONORIFICS,
  LEGAL_FORMS,
  ORGANIZATION_CUES,
  ROLES,
} from '../../../language/gazetteer-cues.ts'
import type { Language } from '../../../language/language.ts'
import { isStopWord } from '../../../language/stem.ts'
import type { Token, TokenSentence } from './tokens.ts'
import { type Casing, startsClause } from './tokens.ts'

/** Tokens `from` to `to` (exclusive) of a sentence. */
export interface NameSpan {
  sentence: TokenSentence
  from: number
  to: number
  /** An honorific or a role was before the name. */
  hasTitle: boolean
  quoted: boolean
}

export interface NameContext {
  casing: Casing
  language: Language
}

const ROMAN = /^[IVX]+$/
const CONNECTOR =
  /^(?:of|de|del|della|di|da|do|dos|du|des|la|le|von|van|der|den|zu|zum|ibn|bin|al|el|the|and|for|on)$/

/** The names in a span: none, one, or two ("German Chancellor Merkel"). */
export function refineSpan(span: NameSpan, context: NameContext): NameSpan[] {
  const { tokens } = span.sentence
  let { from, to } = span
  const opens = (index: number): boolean => index === 0 || startsClause(tokens[index]?.gap ?? '')
  while (from < to && isLeadingNoise(tokens, from, opens(from), to - from, context)) from++
  while (from < to && isTrailingNoise(tokens[to - 1], to - from)) to--
  const names: NameSpan[] = []
  if (to - from > 1 && startsWithDemonym(tokens, from, to)) {
    names.push({ ...span, from, to: from + 1 })
    from++
  }
  const cut = withoutRole(tokens, from, to)
  from = cut.from
  while (from < to && CONNECTOR.test(tokens[from]?.raw ?? '')) from++
  while (to > from && CONNECTOR.test(tokens[to - 1]?.raw ?? '')) to--
  if (from < to) names.push({ ...span, from: withYear(tokens, from, to), to, hasTitle: cut.person })
  return names.filter((name) => isName(name, opens(name.from), context))
}

function isLeadingNoise(
  tokens: readonly Token[],
  at: number,
  opens: boolean,
  length: number,
  context: NameContext,
): boolean {
  const token = tokens[at]
  if (!token) return false
  if (/^(?:the|a|an|this|these|its|his|her|their|our|my|de[rsmn]|die|das|eine?)$/i.test(token.raw)) {
    return length > 1 || token.shape !== 'acronym'
  }
  // "12 June Hollis & Grane": after a number June is a month and no first name.
  if (isCalendar(token)) return length === 1 || !isFirstName(token.low) || tokens[at - 1]?.shape === 'number'
  if (BOILERPLATE.has(token.low) && length > 1) return token.shape === 'capital'
  if (!opens || token.shape === 'acronym') return false
  if (isStopWord(token.low, context.language) || isStopWord(token.low, 'en')) return !isPlace(token.low)
  if (length === 1 || context.casing.capitalised(token.low) > 0) return false
  if (isModifier(token.low)) return true
  // "Tell Hannah Birch": a verb starts the sentence before a name.
  const next = tokens[at + 1]
  return (
    length > 2 && next?.gap === ' ' && isFirstName(next.low) && !isFirstName(token.low) && !isPlace(token.low)
  )
}

const isCalendar = ({ low }: Token): boolean =>
  CALENDAR.has(low) || (low.endsWith('days') && CALENDAR.has(low.slice(0, -1)))

function isTrailingNoise(token: Token | undefined, length: number): boolean {
  if (!token) return false
  if (isCalendar(token)) return true
  if (token.shape !== 'capital' || ROMAN.test(token.raw)) return false
  if (isStopWord(token.low, 'en') && token.raw.length < 4) return true
  return length > 1 && ROLES.has(token.low) && !ROYAL.has(token.low) && !NAME_ENDINGS.has(token.low)
}
/** "AM2 6QT": separates a place from a name written after it. */
export const isPostCode = (outward: Token | undefined, inward: Token | undefined): boolean =>
  /^[A-Z]{1,2}\d[A-Z\d]?$/.test(outward?.raw ?? '') && /^\d[A-Z]{2}$/.test(inward?.raw ?? '')

// Roles at the end of a span are removed ("Attorney General"), but these words also end names.
const NAME_ENDINGS = new Set(
  'general major chief head chair cardinal marshal bishop judge private partner speaker senior'.split(' '),
)

/** A demonym before a person is a name of its own: "German Chancellor Merkel", "Mexican Dulce María". */
function startsWithDemonym(tokens: readonly Token[], from: number, to: number): boolean {
  const next = tokens[from + 1]
  if (next?.gap !== ' ' || !countryOfDemonym(tokens[from]?.low ?? '') || isFirstName(tokens[from]?.low ?? ''))
    return false
  if (ROLES.has(next.low) || HONORIFICS.has(next.low)) {
    return (
      withoutRole(tokens, from + 1, to).person ||
      tokens.slice(from + 1, to).every(({ low }) => ROLES.has(low))
    )
  }
  return (
    (isFirstName(next.low) && to - from > 2 && !isPlace(next.low)) ||
    (to - from === 2 && countryOfDemonym(next.low) !== undefined)
  )
}

/** Where the name starts after "President", "Dr." or "Mayor of", which are not part of it. */
function withoutRole(tokens: readonly Token[], from: number, to: number): { from: number; person: boolean } {
  let of = from + 1
  while (of < to - 1 && tokens[of]?.raw !== 'of' && tokens[of]?.raw !== 'for') of++
  if (of >= to - 1) of = 0
  const held = tokens[of - 1]
  if (held && ROLES.has(held.low) && held.shape === 'capital') {
    const after = tokens[of + 1]?.low === 'the' ? of + 2 : of + 1
    if (after < to && (!ROYAL.has(held.low) || isPlace(tokens[after]?.low ?? '')))
      return { from: after, person: false }
  }
  let at = from
  while (at < to - 1 && (HONORIFICS.has(tokens[at]?.low ?? '') || isRole(tokens[at]))) at++
  // "General Electric" and "Captain Cook Hotel" are not persons.
  const last = tokens[to - 1]?.low ?? ''
  const person =
    at > from && !ORGANIZATION_CUES.has(last) && !LEGAL_FORMS.has(last) && !PLAIN_AFTER_ROLE.has(last)
  return person ? { from: at, person } : { from, person }
}

const isRole = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.shape === 'capital' || token.shape === 'acronym') &&
  ROLES.has(token.low) &&
  !ROYAL.has(token.low)
// Titles that are part of the name.
const ROYAL = new Set(
  'king queen prince princess duke duchess count countess baron lord lady earl pope emperor empress'.split(
    ' ',
  ),
)
const PLAIN_AFTER_ROLE = new Set(
  'electric motors mills dynamics island islands street road award cup prize trophy county city class mode'.split(
    ' ',
  ),
)

// Events whose year is part of the name: 2002 Winter Olympics.
const YEARLY_EVENTS = new Set(
  'olympics games championship championships cup season tournament election elections conference festival summit open prix awards'.split(
    ' ',
  ),
)

function withYear(tokens: readonly Token[], from: number, to: number): number {
  const year = tokens[from - 1]
  const dated = year && /^(?:1[5-9]|20)\d\d$/.test(year.raw) && tokens[from]?.gap === ' '
  return dated && tokens.slice(from, to).some(({ low }) => YEARLY_EVENTS.has(low)) ? from - 1 : from
}

/** Whether the refined span is a name at all. */
function isName(span: NameSpan, opens: boolean, context: NameContext): boolean {
  const { tokens } = span.sentence
  const first = tokens[span.from]
  const length = span.to - span.from
  if (!first || length > 12) return false
  if (length > 1) {
    const own = tokens.slice(span.from, span.to)
    if (own.every(isGenericWord) || (!span.quoted && isPhrase(own, context))) return false
    return context.language !== 'de' || isGermanName(tokens, span)
  }
  const { raw, low, shape } = first
  if (raw.length < 2 || ROMAN.test(raw) || BOILERPLATE.has(low) || CALENDAR.has(low) || LEGAL_FORMS.has(low))
    return false
  if (shape === 'code')
    return /^(?:\p{Lu}{1,6}[-/.]?\d{2,}|\p{Lu}{2,6}[-/.]\d)/u.test(raw) && !/^(?:FY|Q|H|CY)\d/.test(raw)
  if (shape === 'mixed') return true
  if (shape === 'acronym') return isAcronymName(raw, low, context)
  return isSingleName(span, first, opens, context)
}

/** Roles, words of forms and documents, and legal forms: "Board and Chief", "See Note", "Co. Ltd." */
const isGenericWord = ({ low, raw }: Token): boolean =>
  ROLES.has(low) ||
  BOILERPLATE.has(low) ||
  LEGAL_FORMS.has(low) ||
  REPORT_PARTS.has(low) ||
  CONNECTOR.test(raw)
// Parts of reports: "Annual Report", "Risk Factors", "Consolidated Balance Sheets", "Board of Directors".
const REPORT_PARTS = new Set(
  (
    'see report reports annual quarterly interim risk risks factor factors consolidated condensed balance sheet ' +
    'sheets statement statements financial result results form income earnings cash flow flows equity operations ' +
    'accounting policies policy management discussion analysis board directors committee minutes agenda plan act'
  ).split(' '),
)

/**
 * Dictionary words that the document also writes next to each other in lower case: "Risk Factors", "Financial
 * Statements".
 */
function isPhrase(own: readonly Token[], { casing }: NameContext): boolean {
  if (!own.every(({ low, raw, shape }) => shape === 'capital' && (isCommonWord(low) || CONNECTOR.test(raw))))
    return false
  const [one, two] = own.slice(-2)
  return one !== undefined && two !== undefined && casing.lowerPair(one.low, two.low)
}

// Acronyms that are words, degrees and media, not names.
const COMMON_ACRONYMS = new Set(
  'tv cd cds dvd dvds lp lps vhs ba ma bsc msc mba phd pdf url faq asap fyi aka id ids hr it pc pcs diy rsvp nb ps vat ngo ngos r&d b2b md&a sg&a eps'.split(
    ' ',
  ),
)

const isAcronymName = (raw: string, low: string, { casing }: NameContext): boolean =>
  raw.length <= 8 &&
  !COMMON_ACRONYMS.has(low) &&
  !(isCommonWord(low) && casing.lower(low) > 0) &&
  (!isStopWord(low, 'en') || isPlace(low) || low === 'who')

function isSingleName(
  span: NameSpan,
  { low }: Token,
  opens: boolean,
  { casing, language }: NameContext,
): boolean {
  if ((isStopWord(low, language) || isStopWord(low, 'en')) && !isPlace(low)) return false
  if (HONORIFICS.has(low)) return false
  const known = isPlace(low) || isFirstName(low) || isLastName(low) || countryOfDemonym(low) !== undefined
  if (language === 'de') return known && !isCommonWord(low)
  if (span.hasTitle) return !DEFINED_TERMS.has(low)
  if (casing.lower(low) > 0 && !(known && casing.capitalised(low) > casing.lower(low))) return false
  if (DEFINED_TERMS.has(low) || (ROLES.has(low) && !known)) return false
  const common = isCommonWord(low)
  if (opens && casing.capitalised(low) === 0) return known && (!common || isPlace(low))
  return !(common && !known && casing.capitalised(low) < 2)
}

// Defined terms of contracts and forms, which are capitalised but name only a role in the document.
export const DEFINED_TERMS: ReadonlySet<string> = new Set(
  (
    'company agreement contract party parties tenant landlord lessor lessee buyer seller client customer supplier ' +
    'contractor subcontractor board committee management government state federal court act law bank group team ' +
    'department university college school church army navy city county river lake mount war internet earth moon sun ' +
    'god english-language service services product products order effective term fee premises property licensee ' +
    'issuer person persons trustee registrant holder holders note notes securities shares rule form financial ' +
    'international plan participant indenture street avenue road affiliate affiliates subsidiary subsidiaries closing ' +
    'port licensor borrower lender employer employee vendor purchaser guarantor project programme program'
  ).split(' '),
)
/** German capitalises every noun, so two in a row need another reason to be a name. */
function isGermanName(tokens: readonly Token[], { from, to, hasTitle: person }: NameSpan): boolean {
  if (person) return true
  const last = tokens[to - 1]?.low ?? ''
  const first = tokens[from]?.low ?? ''
  if (LEGAL_FORMS.has(last) || ORGANIZATION_CUES.has(last) || isFirstName(first) || isPlace(first))
    return true
  return tokens.slice(from, to).some(({ shape }) => shape === 'acronym' || shape === 'mixed')
}
