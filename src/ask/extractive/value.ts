// Whether evidence has what a question asks for, bound to what is asked of it: who does it, where, when. Its words may be all there
// without that: "The general assembly elects a speaker" has no answer to "What is the speaker's name?". Structure and types tell it,
// as far as they can; what does not pass is quoted as near. Pure.

import type { Language } from '../../language/language.ts'
import { wholeWords, words } from '../../language/words.ts'
import type { Cell } from '../markdown-table.ts'
import { containsType } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import type { Criteria } from './features.ts'
import { contains, type Keyword, matching, textTerms } from './keywords.ts'
import { isNegated } from './question.ts'
import { BULLET } from './text-structure.ts'

type Asked = Pick<Criteria, 'keywords' | 'type'>

/** Whether the evidence has a value of the kind that the question asks for, in the place where its words are. */
export function hasValue(evidence: Evidence, criteria: Asked, question: string): boolean {
  const { cells, text, own } = evidence
  if (cells) return hasCell(cells, criteria, own.language)
  const said = text.replace(BULLET, '')
  if (asksForName(question)) return namesIn(said, criteria.keywords, own.language).length > 0
  // Who asks in a turn is not who is asked for.
  if (criteria.type === 'person' && evidence.isInAskingTurn) return false
  if (criteria.type === 'person') return hasActor(evidence, criteria.keywords, question)
  if (criteria.type === 'place') return hasPlace(said, criteria.keywords, own.language)
  return true
}

const NAME = wholeWords(
  "what(?:['’]s| is| are| was| were) (?:the )?(?:\\p{L}+['’]s )?(?:full |first |last )?names?|wie (?:heißt|heißen|hieß|hießen)|(?:comment|qué nombre) (?:s['’]appelle(?:nt)?|se nomme|tiene)|cómo se llaman?",
)
// "Who is the caretaker?" asks which person it is, "Who is responsible for the keys?" who does it.
const IDENTITY =
  /^[¿\s]*(?:who(?:['’]s| is| are| was| were)|wer (?:ist|sind|war|waren)|qui (?:est|sont|était)|quién(?:es)? (?:es|son|era|fue))\s+(?:the|our|your|my|der|die|das|unsere?r?|euer|eure?r?|le|la|les|notre|l['’]|el|los|las|nuestr[oa])(?![\p{L}])/iu

const asksForName = (question: string): boolean => NAME.test(question) || IDENTITY.test(question)

/** The cells of the columns that only the names of which the question says: they hold what is asked. */
function hasCell(cells: readonly Cell[], { keywords, type }: Asked, language: Language): boolean {
  if (type === 'any' || type === 'steps' || type === 'definition') return true
  const inCells = textTerms(cells.map(({ text }) => text).join('\n'), language)
  const asked = keywords.filter((keyword) => !contains(inCells, keyword))
  const columns = cells.filter(({ header }) => {
    const terms = textTerms(header, language)
    return asked.some((keyword) => contains(terms, keyword))
  })
  if (columns.length === 0) return true
  return columns.some(({ header, text }) => isYesNo(text) || isOfType(type, header, text))
}

const YES = /^\s*(?:yes|ja|oui|sí|true|x|✓|✔)\s*$/iu
const isYesNo = (text: string): boolean => YES.test(text) || isNegated(text)

/** A person or a place has no digits in front; all else has one. */
function isOfType(type: Criteria['type'], header: string, text: string): boolean {
  if (type === 'person') return /\p{L}/u.test(text) && !/^\P{L}*\d/u.test(text)
  if (type === 'place') return /\p{L}/u.test(text) && !containsType('date', text)
  if (type === 'reason') return /\p{L}/u.test(text)
  return /\d/.test(text) || containsType(type, `${header} ${text}`)
}

const BEHIND: Partial<Record<Language, { passive: RegExp; agent: RegExp; locative: RegExp }>> = {
  en: {
    passive: /^(?:is|are|was|were|be|been|being)$/i,
    agent: /^by$/i,
    locative:
      /^(?:in|into|inside|at|on|onto|under|below|above|behind|beside|near|to|from|through|outside|opposite|via|between)$/i,
  },
  de: {
    passive: /^(?:wird|werden|wurden?|worden)$/i,
    agent: /^(?:von|vom|durch)$/i,
    locative:
      /^(?:in|im|ins|an|am|ans|auf|unter|über|hinter|vor|neben|bei|beim|zwischen|nach|aus|zu|zur|zum|gegenüber)$/i,
  },
  fr: {
    passive: /^(?:est|sont|était|étaient|été|être|sera|seront|fut|furent)$/i,
    agent: /^par$/i,
    locative: /^(?:à|au|aux|dans|sur|sous|chez|en|derrière|devant|près)$/i,
  },
  es: {
    passive: /^(?:es|son|fue|fueron|era|eran|sido|ser|será|serán|se)$/i,
    agent: /^por$/i,
    locative: /^(?:en|al?|sobre|bajo|detrás|junto|cerca|desde|tras)$/i,
  },
}

interface Token {
  raw: string
  start: number
  end: number
  isContent: boolean
  /** The question has it. */
  isAsked: boolean
  /** A day, a month, a number. */
  isTime: boolean
}

function tokensIn(text: string, keywords: readonly Keyword[], language: Language): Token[] {
  return [...words(text)].map(({ raw, start, end }) => {
    const terms = textTerms(raw, language)
    return {
      raw,
      start,
      end,
      isContent: terms.terms.size > 0,
      isAsked: keywords.some((keyword) => matching(terms, keyword) > 0),
      isTime: /\d/.test(raw) || containsType('date', raw),
    }
  })
}

const TITLE = /^(?:mr|mrs|ms|dr|prof|herrn?|frau|mme|m|sra?)$/i

/** The names of persons, firms and places in a text that the question does not have; of German, where all nouns have capitals, two words. */
function namesIn(text: string, keywords: readonly Keyword[], language: Language): string[] {
  const tokens = tokensIn(text, keywords, language)
  const isName = ({ raw, isContent, isAsked, isTime }: Token): boolean =>
    /^\p{Lu}/u.test(raw) && isContent && !isAsked && !isTime
  const isNext = (token: Token, before: Token | undefined): boolean =>
    before !== undefined && /^\.?\s$/.test(text.slice(before.end, token.start))
  return tokens.flatMap((token, i) => {
    const [before, next] = [tokens[i - 1], tokens[i + 1]]
    if (!isName(token)) return []
    const isTitled = before !== undefined && TITLE.test(before.raw) && isNext(token, before)
    const isLong = next !== undefined && isName(next) && isNext(next, token)
    const isInside =
      language !== 'de' && before !== undefined && !/[.!?:;]/.test(text.slice(before.end, token.start))
    return isTitled || isLong || isInside ? [token.raw] : []
  })
}

// "Whom do I call?": who is asked for is not the one who does it.
const OF_ANOTHER =
  /(?<![\p{L}])(?:whom|whose|wen|wem|wessen|à qui|a quién|who (?:do|does|did|can|could|may|must|should|shall|will) (?:i|we|you|one|they|he|she)|to whom)(?![\p{L}])/iu

/** Whether a sentence says who does what is asked: by name, behind "by" or before the verb. */
function hasActor(
  { text, own: { language }, under, isOfRecord }: Evidence,
  keywords: readonly Keyword[],
  question: string,
): boolean {
  const grammar = BEHIND[language]
  if (!grammar || isOfRecord) return true
  const said = text.replace(BULLET, '')
  if (namesIn(said, keywords, language).length > 0) return true
  const tokens = tokensIn(said, keywords, language)
  const isNew = ({ isContent, isAsked, isTime }: Token): boolean => isContent && !isAsked && !isTime
  if (OF_ANOTHER.test(question) || /^[^:]{1,40}:\s/.test(said)) return tokens.some(isNew)
  const passive = tokens.some(
    ({ raw }, i) =>
      grammar.passive.test(raw) &&
      (language === 'de' || tokens.slice(i + 1, i + 1 + NEAR).some(({ isAsked }) => isAsked)),
  )
  if (passive) return follows(tokens, grammar.agent, isNew)
  const last = tokens.findLastIndex(({ isAsked }) => isAsked)
  if (last < 0) return tokens.some(isNew)
  if (tokens.slice(0, last).some(isNew)) return true
  return PRONOUN.test(said) && tokensIn(under.text, keywords, language).some(isNew)
}

const PRONOUN = /^(?:he|she|they|it|er|sie|es|il|elle|ils|elles|él|ella|ellos|ellas)(?![\p{L}])/iu
const NEAR = 3

/** Whether a new word stands close behind a preposition. */
const follows = (tokens: readonly Token[], preposition: RegExp, isNew: (token: Token) => boolean): boolean =>
  tokens.some(({ raw }, i) => preposition.test(raw) && tokens.slice(i + 1, i + 1 + NEAR).some(isNew))

/** Whether a sentence has a place that the question does not have. */
function hasPlace(text: string, keywords: readonly Keyword[], language: Language): boolean {
  const grammar = BEHIND[language]
  if (!grammar || namesIn(text, keywords, language).length > 0) return true
  const isNew = ({ isContent, isAsked, isTime }: Token): boolean => isContent && !isAsked && !isTime
  return follows(tokensIn(text, keywords, language), grammar.locative, isNew)
}
