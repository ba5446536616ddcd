// Finds names: quoted titles, and runs of capitalised words with their connectors ("University of Toronto", "Ludwig van Beethoven",
// "2002 Winter Olympics"), without the function words, roles and dates around them. Whether a word is part of a name is decided
// first by how the document writes it, then by word lists. entity-type.ts decides the types.

import { isQuantity } from '../../../language/analyse.ts'
import {
  countryOfDemonym,
  isCommonWord,
  isFirstName,
  isKnownOrganization,
  isLastName,
  isModifier,
  isPlace,
} from '../../../language/gazetteer.ts'
import {
  ADDRESS_FORMS,
  BOILERPLATE,
  CALENDAR,
  COMMON_ACRONYMS,
  DEFINED_TERMS,
  HONORIFICS,
  LAW_CUES,
  LEGAL_FORMS,
  ORGANIZATION_CUES,
  ORGANIZATION_HEADS,
  ROLES,
  ROYAL_ROLES,
  SALUTATIONS,
  UNIT_WORDS,
  WORK_CUES,
  YEARLY_EVENTS,
} from '../../../language/gazetteer-cues.ts'
import type { Language } from '../../../language/language.ts'
import { isStopWord } from '../../../language/stem.ts'
import { type Casing, startsClause, type Token, type TokenSentence } from './tokens.ts'

/** Tokens `from` to `to` (exclusive) of a sentence. */
export interface NameSpan {
  sentence: TokenSentence
  from: number
  to: number
  /** Whether an honorific or a role precedes the name. */
  hasRoleOrHonorific: boolean
  isQuoted: boolean
}

export interface NameContext {
  casing: Casing
  language: Language
}

// Words inside a name. A connector may be in any name, a joiner only in the name of an organization or a law.
const CONNECTOR = /^(?:of|de|del|della|di|da|do|dos|du|des|la|le|von|van|der|den|zu|zum|ibn|bin|al|el)$/
const JOINER = /^(?:the|and|for|on)$/
const NAME_SHAPES: ReadonlySet<string> = new Set(['capital', 'acronym', 'mixed', 'code'])
const ROMAN = /^[IVX]+$/

/** The names of one sentence from left to right, without overlap. In title lines function words separate them. */
export function findNameSpans(sentence: TokenSentence, context: NameContext): NameSpan[] {
  const spans: NameSpan[] = []
  const { tokens, isTitleLine } = sentence
  for (let from = 0; from < tokens.length; ) {
    if (!NAME_SHAPES.has(tokens[from]?.shape ?? '')) {
      from++
      continue
    }
    let to = from + 1
    for (let next = extend(tokens, from, to, context); next > to; next = extend(tokens, from, to, context)) {
      if (isTitleLine && tokens.slice(to, next).some(({ shape }) => shape === 'lower')) break
      to = next
    }
    const name = trimToName({ sentence, from, to, hasRoleOrHonorific: false, isQuoted: false }, context)
    if (name) spans.push(name)
    from = to
  }
  return spans
}

/** The new end of the span, or `to` if the span cannot be extended. */
function extend(tokens: readonly Token[], from: number, to: number, context: NameContext): number {
  const token = tokens[to]
  const previousToken = tokens[to - 1]
  if (!token || !previousToken || previousToken.isPossessive) return to
  if (isFunctionWord(token) && token.gap === ' ') return to
  if (NAME_SHAPES.has(token.shape)) return continuesName(tokens, from, to) ? to + 1 : to
  if (token.gap !== ' ') return to
  if (token.shape === 'number') return continuesWithNumber(tokens, from, to) ? to + 1 : to
  return endAfterConnectors(tokens, from, to, context)
}

/**
 * A capitalised function word (The, Is, Your) is in a headline or starts another sentence. A dictionary word in capitals (MUST,
 * SELECT) is emphasised or code.
 */
const isFunctionWord = ({ lower, shape }: Token): boolean =>
  !isPlace(lower) &&
  ((shape === 'capital' && (isStopWord(lower, 'en') || /^i['’]/.test(lower))) ||
    (shape === 'acronym' &&
      lower.length > 2 &&
      lower !== 'who' &&
      (isStopWord(lower, 'en') || isCommonWord(lower))))

// Sentences with fewer tokens are mostly items of lists. In these, and at the start of a sentence, a dash separates two names.
const MIN_PROSE_TOKENS = 10

function continuesName(tokens: readonly Token[], from: number, at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (!before || !token) return false
  const { gap } = token
  if (gap === ' ' || gap === '&') return true
  if (gap === '-' || gap === '–')
    return (
      token.start === before.end + 1 ||
      (tokens.length >= MIN_PROSE_TOKENS && from > 0 && !startsClause(tokens[from]?.gap ?? ''))
    )
  if (gap === ',') return LEGAL_FORMS.has(token.lower) && token.lower !== 'as' && token.lower !== 'co'
  return (
    gap === '.' &&
    /^(?:\p{Lu}|St|Mt|Jr|Sr|Dr|Ft|Mr|Mrs|Ms|Prof|Gen|Col|Capt|Lt|Sgt|(?:\p{L}\.)+\p{L})$/u.test(before.raw)
  )
}

/**
 * Whether the number is part of the name, as in Apollo 11 and Boeing 747, and not a year, a version, a date, a quantity or the
 * number of a chapter.
 */
function continuesWithNumber(tokens: readonly Token[], from: number, at: number): boolean {
  const number = tokens[at]?.raw ?? ''
  const previousWord = tokens[at - 1]?.lower ?? ''
  if (!/^\d{1,4}$/.test(number) || /^(?:1[5-9]|20)\d\d$/.test(number)) return false
  if (
    CALENDAR.has(previousWord) ||
    BOILERPLATE.has(previousWord) ||
    isModifier(previousWord) ||
    at - from > 3
  )
    return false
  const nextToken = tokens[at + 1]
  if (nextToken?.gap !== ' ') return true
  // "Tickets 18 euros" and "Infusion 12 ml/h" have a quantity, "CR 3 Oct" a date.
  const [unit = ''] = nextToken.lower.split('/')
  const isUnit = UNIT_WORDS.has(unit) || isQuantity(`1${unit}`)
  return nextToken.shape !== 'number' && !isUnit && !CALENDAR.has(nextToken.lower)
}

/** The end of the span after connectors and the next capitalised word, if it belongs to the same name. */
function endAfterConnectors(
  tokens: readonly Token[],
  from: number,
  at: number,
  context: NameContext,
): number {
  const connector = tokens[at]?.lower ?? ''
  if (
    JOINER.test(connector) ? !continuesAfterJoiner(tokens, from, at, connector) : !CONNECTOR.test(connector)
  )
    return at
  if (connector === 'of' && endsBeforeOf(tokens, from, at)) return at
  if (context.language === 'de' && !/^(?:von|zu|van)$/.test(connector)) return at
  let next = at + 1
  while (next - at < 3 && /^(?:the|la|le|der|den|los|las)$/.test(tokens[next]?.lower ?? '')) next++
  const nameToken = tokens[next]
  if (nameToken?.gap !== ' ' || nameToken.shape === 'code' || !NAME_SHAPES.has(nameToken.shape)) return at
  return isFunctionWord(nameToken) || (CALENDAR.has(nameToken.lower) && connector === 'of') ? at : next + 1
}

/** Whether the name ends before "of": "Jane Roe of Leeds" is two names. */
function endsBeforeOf(tokens: readonly Token[], from: number, at: number): boolean {
  const first = tokens[from]?.lower ?? ''
  const isOrganization = ORGANIZATION_CUES.has(tokens[at - 1]?.lower ?? '')
  return at - from > 1 && isFirstName(first) && !isOrganization && !isCommonWord(first)
}

/**
 * Whether a name continues after "and", "for" or "on", as only names of organizations and laws do: Ministry of Health and
 * Welfare, Center for Disease Control, Securities and Exchange Commission.
 */
function continuesAfterJoiner(tokens: readonly Token[], from: number, at: number, word: string): boolean {
  if (word === 'the') return false
  const nameTokens = tokens.slice(from, at)
  const isBodyOrLaw = nameTokens.some(({ lower }) => ORGANIZATION_HEADS.has(lower) || LAW_CUES.has(lower))
  if (word !== 'and') return isBodyOrLaw
  if (nameTokens.some(({ lower }, i) => i > 0 && lower === 'and')) return false
  const [before, after, secondAfter] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]]
  const isHeadNoun =
    secondAfter?.gap === ' ' && secondAfter.shape === 'capital' && ORGANIZATION_CUES.has(secondAfter.lower)
  if (
    at - from === 1 &&
    before &&
    after &&
    isCommonWord(before.lower) &&
    isCommonWord(after.lower) &&
    isHeadNoun
  )
    return true
  const isOrganization = isBodyOrLaw || nameTokens.some(({ lower }) => ORGANIZATION_CUES.has(lower))
  const hasConnector = nameTokens.some(({ lower }) => lower === 'of' || lower === 'for')
  return (
    isOrganization &&
    hasConnector &&
    !ORGANIZATION_CUES.has(after?.lower ?? '') &&
    !isPlace(after?.lower ?? '')
  )
}

/**
 * The name in a span of capitalised words, without roles, dates and function words at its ends. Undefined if the span contains no
 * name.
 */
function trimToName(span: NameSpan, context: NameContext): NameSpan | undefined {
  const { tokens } = span.sentence
  let { from, to } = afterSalutation(span)
  const isAddressed = from > span.from && !isCommonWord(tokens[from]?.lower ?? '')
  const isAtStart = (index: number): boolean => index === 0 || startsClause(tokens[index]?.gap ?? '')
  while (
    from < to &&
    isLeadingNoise(tokens, from, { isAtStart: isAtStart(from), length: to - from }, context)
  )
    from++
  while (from < to && isTrailingNoise(tokens[to - 1], to - from)) to--
  const start = skipRole(tokens, from, to)
  from = start.from
  const isConnector = (token: Token | undefined): boolean =>
    token?.shape === 'lower' && (CONNECTOR.test(token.raw) || JOINER.test(token.raw))
  while (from < to && isConnector(tokens[from])) from++
  while (to > from && isConnector(tokens[to - 1])) to--
  if (from >= to) return undefined
  const name = {
    ...span,
    from: startWithYear(tokens, from, to),
    to,
    hasRoleOrHonorific: start.isPerson || isAddressed,
  }
  return isName(name, isAtStart(name.from), context) ? name : undefined
}

/**
 * The span without the words before an address form, as in "Dear Ms Birch" and "Early March Ms Birch", or without a salutation, as
 * in "Dear Ben".
 */
function afterSalutation(span: NameSpan): NameSpan {
  const { tokens } = span.sentence
  for (let at = span.to - 2; at > span.from; at--)
    if (tokens[at]?.shape === 'capital' && ADDRESS_FORMS.has(tokens[at]?.lower ?? ''))
      return { ...span, from: at }
  let { from } = span
  while (from < span.to - 1 && SALUTATIONS.has(tokens[from]?.lower ?? '')) from++
  return { ...span, from }
}

function isLeadingNoise(
  tokens: readonly Token[],
  at: number,
  { isAtStart, length }: { isAtStart: boolean; length: number },
  { casing, language }: NameContext,
): boolean {
  const token = tokens[at]
  if (!token) return false
  const { lower, shape } = token
  if (isFunctionWord(token)) return true
  // "12 June Hollis & Grane": after a number, June is a month and not a first name.
  if (isCalendar(token)) return length === 1 || !isFirstName(lower) || tokens[at - 1]?.shape === 'number'
  if (BOILERPLATE.has(lower) && length > 1) return shape === 'capital'
  if (shape === 'acronym') return false
  if (isStopWord(lower, language)) return !isPlace(lower)
  if (!isAtStart || length === 1 || casing.capitalisedCount(lower) > 0) return false
  // "Tell Hannah Birch": a verb starts the sentence before a name.
  const next = tokens[at + 1]
  const isKnownName = isFirstName(lower) || isPlace(lower)
  if (casing.lowerCount(lower) > 0 && isCommonWord(lower) && !ORGANIZATION_HEADS.has(lower)) return true
  return isModifier(lower) || (length > 2 && next?.gap === ' ' && isFirstName(next.lower) && !isKnownName)
}

const isCalendar = ({ lower }: Token): boolean =>
  CALENDAR.has(lower) || (lower.endsWith('days') && CALENDAR.has(lower.slice(0, -1)))

function isTrailingNoise(token: Token | undefined, length: number): boolean {
  if (!token) return false
  if (isCalendar(token)) return true
  if (token.shape !== 'capital' || ROMAN.test(token.raw)) return false
  if (isStopWord(token.lower, 'en') && token.raw.length < 4) return true
  return length > 1 && ROLES.has(token.lower) && !ROYAL_ROLES.has(token.lower)
}

/**
 * Where the name starts after "President", "Dr." or "Mayor of", which are not part of it, and whether it is the name of a person.
 */
function skipRole(tokens: readonly Token[], from: number, to: number): { from: number; isPerson: boolean } {
  const prepositionIndex = tokens.findIndex(
    ({ raw }, i) => i > from && i < to - 1 && (raw === 'of' || raw === 'for'),
  )
  const headToken = tokens[prepositionIndex - 1]
  if (headToken?.shape === 'capital' && ROLES.has(headToken.lower)) {
    const nameStart =
      tokens[prepositionIndex + 1]?.lower === 'the' ? prepositionIndex + 2 : prepositionIndex + 1
    if (nameStart < to && (!ROYAL_ROLES.has(headToken.lower) || isPlace(tokens[nameStart]?.lower ?? '')))
      return { from: nameStart, isPerson: false }
  }
  let at = from
  while (at < to - 1 && isTitle(tokens[at])) at++
  // "General Electric" and "Captain Cook Hotel" are not persons.
  const last = tokens[to - 1]?.lower ?? ''
  const isDictionaryWord =
    isCommonWord(last) && !isLastName(last) && !HONORIFICS.has(tokens[from]?.lower ?? '')
  const isThing = isDictionaryWord || ORGANIZATION_CUES.has(last) || LEGAL_FORMS.has(last)
  return at > from && !isThing ? { from: at, isPerson: true } : { from, isPerson: false }
}

const isTitle = (token: Token | undefined): boolean =>
  token !== undefined &&
  (HONORIFICS.has(token.lower) ||
    ((token.shape === 'capital' || token.shape === 'acronym') &&
      ROLES.has(token.lower) &&
      !ROYAL_ROLES.has(token.lower)))

/** The start of the name, with the year before a yearly event: 2002 Winter Olympics. */
function startWithYear(tokens: readonly Token[], from: number, to: number): number {
  const year = tokens[from - 1]
  const hasYear = year && /^(?:1[5-9]|20)\d\d$/.test(year.raw) && tokens[from]?.gap === ' '
  return hasYear && tokens.slice(from, to).some(({ lower }) => YEARLY_EVENTS.has(lower)) ? from - 1 : from
}

/** Whether the span is a name. */
function isName(span: NameSpan, isAtStart: boolean, context: NameContext): boolean {
  const { tokens } = span.sentence
  const nameTokens = tokens.slice(span.from, span.to)
  const [first] = nameTokens
  if (!first || nameTokens.length > 12) return false
  if (nameTokens.length > 1) {
    if (nameTokens.every(isGenericWord) || isPhrase(nameTokens, context)) return false
    return context.language !== 'de' || isGermanName(nameTokens, span.hasRoleOrHonorific)
  }
  const { raw, lower, shape } = first
  if (
    raw.length < 2 ||
    ROMAN.test(raw) ||
    BOILERPLATE.has(lower) ||
    CALENDAR.has(lower) ||
    LEGAL_FORMS.has(lower)
  )
    return false
  if (shape === 'code')
    return /^(?:\p{Lu}{1,6}[-/.]?\d{2,}|\p{Lu}{2,6}[-/.]\d)/u.test(raw) && !/^(?:FY|Q|H|CY)\d/.test(raw)
  if (shape === 'mixed') return true
  if (shape === 'acronym') return isAcronymName(raw, lower)
  return isSingleName(span, first, isAtStart, context)
}

/** Whether the word is a role, a word of forms and documents, or a legal form: "Board and Chief", "See Note", "Co. Ltd." */
const isGenericWord = ({ lower, raw }: Token): boolean =>
  ROLES.has(lower) ||
  BOILERPLATE.has(lower) ||
  LEGAL_FORMS.has(lower) ||
  DEFINED_TERMS.has(lower) ||
  CONNECTOR.test(raw) ||
  JOINER.test(raw)

/** Whether all words are dictionary words, and the document also writes the last two in lower case: "Risk Factors". */
function isPhrase(nameTokens: readonly Token[], { casing }: NameContext): boolean {
  const [secondLast, lastToken] = nameTokens.slice(-2)
  return (
    secondLast !== undefined &&
    lastToken !== undefined &&
    casing.isLowerPair(secondLast.lower, lastToken.lower) &&
    nameTokens.every(({ lower, shape }) => shape === 'lower' || (shape === 'capital' && isCommonWord(lower)))
  )
}

/** Whether it is an acronym and not a word in capitals: MUST, SELECT. */
const isAcronymName = (raw: string, lower: string): boolean =>
  raw.length <= 8 &&
  !COMMON_ACRONYMS.has(lower) &&
  (!isCommonWord(lower) || isPlace(lower) || lower === 'who')

function isSingleName(
  span: NameSpan,
  { lower }: Token,
  isAtStart: boolean,
  { casing, language }: NameContext,
): boolean {
  if ((isStopWord(lower, language) || isStopWord(lower, 'en')) && !isPlace(lower)) return false
  if (HONORIFICS.has(lower)) return false
  const isSurname = isLastName(lower) || casing.isSurname(lower)
  const isKnownName =
    isSurname || isPlace(lower) || isFirstName(lower) || countryOfDemonym(lower) !== undefined
  const isDictionaryWord = isCommonWord(lower)
  if (language === 'de')
    return (
      (isKnownName && !isDictionaryWord) ||
      ADDRESS_FORMS.has(span.sentence.tokens[span.from - 1]?.lower ?? '')
    )
  if (DEFINED_TERMS.has(lower)) return false
  if (span.hasRoleOrHonorific) return true
  const [lowerCount, capitalisedCount] = [casing.lowerCount(lower), casing.capitalisedCount(lower)]
  if (lowerCount > 0 && !(isKnownName && capitalisedCount > lowerCount)) return false
  if (ROLES.has(lower) && !isKnownName) return false
  if (isAtStart && capitalisedCount === 0)
    return isKnownName && (!isDictionaryWord || isPlace(lower) || isSurname)
  return !isDictionaryWord || isKnownName || isKnownOrganization(lower) || capitalisedCount > 1
}

/** German capitalises every noun, so two in a row need another reason to be a name. */
function isGermanName(nameTokens: readonly Token[], isPerson: boolean): boolean {
  const [first, last] = [nameTokens[0]?.lower ?? '', nameTokens.at(-1)?.lower ?? '']
  if (isPerson || LEGAL_FORMS.has(last) || ORGANIZATION_CUES.has(last)) return true
  if (isFirstName(first) || isPlace(first)) return true
  return nameTokens.some(({ shape }) => shape === 'acronym' || shape === 'mixed')
}

const ENDS_WITH_OPENING_QUOTE = /["“„«‘]$/
const STARTS_WITH_CLOSING_QUOTE = /^["”“»’]/
const MAX_TITLE_TOKENS = 9
const WORD_BEFORE_TITLE =
  /^(?:titled|entitled|called|named|song|single|album|film|novel|book|play|episode|poem|track)$/

/**
 * The titles of works that one sentence has in quotation marks. A title is written in Title Case, as "The Sound of Music", or the
 * words around it name a kind of work. Other words in quotation marks are speech or irony.
 */
export function findQuotedTitles(sentence: TokenSentence): NameSpan[] {
  const { tokens } = sentence
  const spans: NameSpan[] = []
  for (let from = 0; from < tokens.length; from++) {
    if (!ENDS_WITH_OPENING_QUOTE.test(tokens[from]?.gap ?? '')) continue
    const end = tokens
      .slice(from + 1, from + 1 + MAX_TITLE_TOKENS)
      .findIndex(({ gap }) => STARTS_WITH_CLOSING_QUOTE.test(gap))
    if (end < 0) continue
    const to = from + 1 + end
    if (!isDefinedTerm(tokens, from, to) && isWorkTitle(tokens, from, to))
      spans.push({ sentence, from, to, hasRoleOrHonorific: false, isQuoted: true })
    from = to - 1
  }
  return spans
}

const DEFINING_VERB = /^(?:means?|refers?|denotes?)$/
const DEFINITION_WORDS =
  /^(?:the|an?|each|any|our|your|we|or|and|collectively|together|individually|hereinafter|hereafter|referred|to|as)$/

/**
 * Whether the text defines the quoted words: “Content” means …, (each, a "Sponsor"). A defined term of a contract is not a title.
 */
function isDefinedTerm(tokens: readonly Token[], from: number, to: number): boolean {
  if (DEFINING_VERB.test(tokens[to]?.lower ?? '')) return true
  for (let at = from; at >= 0; at--) {
    const token = tokens[at]
    if (at < from && !DEFINITION_WORDS.test(token?.lower ?? '')) return false
    if (/\(["“„«‘]*$/.test(token?.gap ?? '')) return true
  }
  return false
}

function isWorkTitle(tokens: readonly Token[], from: number, to: number): boolean {
  const titleTokens = tokens.slice(from, to)
  const shape = titleTokens[0]?.shape
  if (shape === 'lower' || shape === 'other') return false
  if (titleTokens.every((token) => token.shape === 'acronym' && isCommonWord(token.lower))) return false
  const [after, secondAfter] = [tokens[to]?.lower ?? '', tokens[to + 1]?.lower ?? '']
  const isCertain =
    WORD_BEFORE_TITLE.test(tokens[from - 1]?.lower ?? '') ||
    WORK_CUES.has(after) ||
    (WORK_CUES.has(secondAfter) && after !== 'the')
  const isHeadline = (token: Token): boolean =>
    token.shape !== 'lower' || isStopWord(token.lower, 'en') || token.lower.length < 4
  return isCertain || (titleTokens.length > 1 && titleTokens.every(isHeadline))
}
