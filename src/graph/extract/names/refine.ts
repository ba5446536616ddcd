// From a run of capitals to a name: function words, roles and dates are cut away, and what only looks like a name is
// dropped. The document's own use of a word decides, then the word lists.

import {
  countryOfDemonym,
  isCommonWord,
  isFirstName,
  isLastName,
  isModifier,
  isPlace,
} from '../../../language/gazetteer.ts'
import {
  CALENDAR,
  FURNITURE,
  HONORIFICS,
  LEGAL_FORMS,
  ORGANIZATION_CUES,
  ROLES,
} from '../../../language/gazetteer-cues.ts'
import type { Language } from '../../../language/language.ts'
import { isStopWord } from '../../../language/stem.ts'
import type { Token, TokenSentence } from './tokens.ts'
import { type Casing, opensClause } from './tokens.ts'

/** Tokens `from` to `to` (exclusive) of a sentence. */
export interface Run {
  sentence: TokenSentence
  from: number
  to: number
  /** An honorific or a role stood before the name. */
  person: boolean
  quoted: boolean
}

export interface Reading {
  casing: Casing
  language: Language
}

const ROMAN = /^[IVX]+$/
const JOINT =
  /^(?:of|de|del|della|di|da|do|dos|du|des|la|le|von|van|der|den|zu|zum|ibn|bin|al|el|the|and|for|on)$/

/** The names in a run: none, one, or two ("German Chancellor Merkel"). */
export function refine(run: Run, reading: Reading): Run[] {
  const { tokens } = run.sentence
  let { from, to } = run
  const opens = (index: number): boolean => index === 0 || opensClause(tokens[index]?.gap ?? '')
  while (from < to && leads(tokens, from, opens(from), to - from, reading)) from++
  while (from < to && trails(tokens[to - 1], to - from)) to--
  const names: Run[] = []
  if (to - from > 1 && adjectiveOf(tokens, from, to)) {
    names.push({ ...run, from, to: from + 1 })
    from++
  }
  const cut = withoutRole(tokens, from, to)
  from = cut.from
  while (from < to && JOINT.test(tokens[from]?.raw ?? '')) from++
  while (to > from && JOINT.test(tokens[to - 1]?.raw ?? '')) to--
  if (from < to) names.push({ ...run, from: withYear(tokens, from, to), to, person: cut.person })
  return names.filter((name) => isName(name, opens(name.from), reading))
}

function leads(
  tokens: readonly Token[],
  at: number,
  opens: boolean,
  length: number,
  reading: Reading,
): boolean {
  const token = tokens[at]
  if (!token) return false
  if (/^(?:the|a|an|this|these|its|his|her|their|our|my|de[rsmn]|die|das|eine?)$/i.test(token.raw)) {
    return length > 1 || token.shape !== 'acronym'
  }
  // 12 June Hollis & Grane: a month after a number, though June is also a first name.
  if (isCalendar(token)) return length === 1 || !isFirstName(token.low) || tokens[at - 1]?.shape === 'number'
  if (FURNITURE.has(token.low) && length > 1) return token.shape === 'capital'
  if (!opens || token.shape === 'acronym') return false
  if (isStopWord(token.low, reading.language) || isStopWord(token.low, 'en')) return !isPlace(token.low)
  if (length === 1 || reading.casing.inner(token.low) > 0) return false
  if (isModifier(token.low)) return true
  // "Tell Hannah Birch": a sentence opens with a verb, a name follows.
  const next = tokens[at + 1]
  return (
    length > 2 && next?.gap === ' ' && isFirstName(next.low) && !isFirstName(token.low) && !isPlace(token.low)
  )
}

const isCalendar = ({ low }: Token): boolean =>
  CALENDAR.has(low) || (low.endsWith('days') && CALENDAR.has(low.slice(0, -1)))

function trails(token: Token | undefined, length: number): boolean {
  if (!token) return false
  if (isCalendar(token)) return true
  if (token.shape !== 'capital' || ROMAN.test(token.raw)) return false
  if (isStopWord(token.low, 'en') && token.raw.length < 4) return true
  return length > 1 && ROLES.has(token.low) && !ROYAL.has(token.low) && !KEPT_AT_END.has(token.low)
}
/** "AM2 6QT": parts a place from whoever is written after it. */
export const isPostCode = (outward: Token | undefined, inward: Token | undefined): boolean =>
  /^[A-Z]{1,2}\d[A-Z\d]?$/.test(outward?.raw ?? '') && /^\d[A-Z]{2}$/.test(inward?.raw ?? '')

// "Attorney General", "Vice President" end in roles as well, but these words also end names.
const KEPT_AT_END = new Set(
  'general major chief head chair cardinal marshal bishop judge private partner speaker senior'.split(' '),
)

/** "German Chancellor Merkel", "Mexican Dulce María": an adjective before a person is a name of its own. */
function adjectiveOf(tokens: readonly Token[], from: number, to: number): boolean {
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

/** Where the name begins after "President", "Dr.", "Mayor of": roles say who or of what, they are not the name. */
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
  // "General Electric" and "Captain Cook Hotel" are no persons.
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
// Part of how such persons are called.
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

// These happen in a year: 2002 Winter Olympics. A war is called without it.
const YEARLY = new Set(
  'olympics games championship championships cup season tournament election elections conference festival summit open prix awards'.split(
    ' ',
  ),
)

function withYear(tokens: readonly Token[], from: number, to: number): number {
  const year = tokens[from - 1]
  const dated = year && /^(?:1[5-9]|20)\d\d$/.test(year.raw) && tokens[from]?.gap === ' '
  return dated && tokens.slice(from, to).some(({ low }) => YEARLY.has(low)) ? from - 1 : from
}

/** Whether what is left is a name at all. */
function isName(run: Run, opens: boolean, reading: Reading): boolean {
  const { tokens } = run.sentence
  const first = tokens[run.from]
  const length = run.to - run.from
  if (!first || length > 12) return false
  if (length > 1) {
    const own = tokens.slice(run.from, run.to)
    if (own.every(namesNothing) || (!run.quoted && isPhrase(own, reading))) return false
    return reading.language !== 'de' || isGermanName(tokens, run)
  }
  const { raw, low, shape } = first
  if (raw.length < 2 || ROMAN.test(raw) || FURNITURE.has(low) || CALENDAR.has(low) || LEGAL_FORMS.has(low))
    return false
  if (shape === 'code')
    return /^(?:\p{Lu}{1,6}[-/.]?\d{2,}|\p{Lu}{2,6}[-/.]\d)/u.test(raw) && !/^(?:FY|Q|H|CY)\d/.test(raw)
  if (shape === 'mixed') return true
  if (shape === 'acronym') return isAcronymName(raw, low, reading)
  return isSingleName(run, first, opens, reading)
}

/** Roles, parts of documents and legal forms: "Board and Chief", "See Note", "Co. Ltd." */
const namesNothing = ({ low, raw }: Token): boolean =>
  ROLES.has(low) || FURNITURE.has(low) || LEGAL_FORMS.has(low) || REPORT_PARTS.has(low) || JOINT.test(raw)
// Reports are made of these: "Annual Report", "Risk Factors", "Consolidated Balance Sheets", "Board of Directors".
const REPORT_PARTS = new Set(
  (
    'see report reports annual quarterly interim risk risks factor factors consolidated condensed balance sheet ' +
    'sheets statement statements financial result results form income earnings cash flow flows equity operations ' +
    'accounting policies policy management discussion analysis board directors committee minutes agenda plan act'
  ).split(' '),
)

/** Dictionary words that the document also writes in lower case side by side: "Risk Factors", "Financial Statements". */
function isPhrase(own: readonly Token[], { casing }: Reading): boolean {
  if (!own.every(({ low, raw, shape }) => shape === 'capital' && (isCommonWord(low) || JOINT.test(raw))))
    return false
  const [one, two] = own.slice(-2)
  return one !== undefined && two !== undefined && casing.lowerPair(one.low, two.low)
}

// Capitals that are words, degrees and media, not names.
const PLAIN_ACRONYMS = new Set(
  'tv cd cds dvd dvds lp lps vhs ba ma bsc msc mba phd pdf url faq asap fyi aka id ids hr it pc pcs diy rsvp nb ps vat ngo ngos r&d b2b md&a sg&a eps'.split(
    ' ',
  ),
)

const isAcronymName = (raw: string, low: string, { casing }: Reading): boolean =>
  raw.length <= 8 &&
  !PLAIN_ACRONYMS.has(low) &&
  !(isCommonWord(low) && casing.lower(low) > 0) &&
  (!isStopWord(low, 'en') || isPlace(low) || low === 'who')

function isSingleName(run: Run, { low }: Token, opens: boolean, { casing, language }: Reading): boolean {
  if ((isStopWord(low, language) || isStopWord(low, 'en')) && !isPlace(low)) return false
  if (HONORIFICS.has(low)) return false
  const known = isPlace(low) || isFirstName(low) || isLastName(low) || countryOfDemonym(low) !== undefined
  if (language === 'de') return known && !isCommonWord(low)
  if (run.person) return !GENERIC.has(low)
  if (casing.lower(low) > 0 && !(known && casing.inner(low) > casing.lower(low))) return false
  if (GENERIC.has(low) || (ROLES.has(low) && !known)) return false
  const common = isCommonWord(low)
  if (opens && casing.inner(low) === 0) return known && (!common || isPlace(low))
  return !(common && !known && casing.inner(low) < 2)
}

// Defined terms of contracts and forms: capitalised, but naming a role in this document only.
export const GENERIC: ReadonlySet<string> = new Set(
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
/** German writes every noun with a capital: two in a row need a reason to be a name. */
function isGermanName(tokens: readonly Token[], { from, to, person }: Run): boolean {
  if (person) return true
  const last = tokens[to - 1]?.low ?? ''
  const first = tokens[from]?.low ?? ''
  if (LEGAL_FORMS.has(last) || ORGANIZATION_CUES.has(last) || isFirstName(first) || isPlace(first))
    return true
  return tokens.slice(from, to).some(({ shape }) => shape === 'acronym' || shape === 'mixed')
}
