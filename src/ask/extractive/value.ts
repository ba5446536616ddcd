// Whether evidence contains the value that a question asks for: a name, who does something, or where. Evidence may contain all
// words of a question and not the value: "The general assembly elects a speaker" does not answer "What is the speaker's name?".
// Evidence without the value is quoted as near to an answer. Pure.

import type { Language } from '../../language/language.ts'
import { wholeWords, words } from '../../language/words.ts'
import type { Cell } from '../markdown-table.ts'
import { containsAnswerOfType } from './answer-type.ts'
import type { Evidence } from './evidence.ts'
import type { Criteria } from './features.ts'
import { containsKeyword, type Keyword, matchStrength, textTerms } from './keywords.ts'
import { isNegated } from './question.ts'
import { BULLET } from './text-structure.ts'

type QuestionCriteria = Pick<Criteria, 'keywords' | 'type'>

/** Whether the evidence contains a value of the kind that the question asks for, in the right cell or position. */
export function hasValue(evidence: Evidence, criteria: QuestionCriteria, question: string): boolean {
  const { cells, text, ownTerms } = evidence
  if (cells) return hasCell(cells, criteria, ownTerms.language)
  const withoutBullet = text.replace(BULLET, '')
  if (asksForName(question)) return namesIn(withoutBullet, criteria.keywords, ownTerms.language).length > 0
  // The speaker of a turn that asks something is not the person who is asked for.
  if (criteria.type === 'person' && evidence.isInAskingTurn) return false
  if (criteria.type === 'person') return hasActor(evidence, criteria.keywords, question)
  if (criteria.type === 'place') return hasPlace(withoutBullet, criteria.keywords, ownTerms.language)
  return true
}

const NAME_QUESTION = wholeWords(
  "what(?:['’]s| is| are| was| were) (?:the )?(?:\\p{L}+['’]s )?(?:full |first |last )?names?|wie (?:heißt|heißen|hieß|hießen)|(?:comment|qué nombre) (?:s['’]appelle(?:nt)?|se nomme|tiene)|cómo se llaman?",
)
// "Who is the caretaker?" asks for the name of a person. "Who is responsible for the keys?" asks for who does something.
const IDENTITY_QUESTION =
  /^[¿\s]*(?:who(?:['’]s| is| are| was| were)|wer (?:ist|sind|war|waren)|qui (?:est|sont|était)|quién(?:es)? (?:es|son|era|fue))\s+(?:the|our|your|my|der|die|das|unsere?r?|euer|eure?r?|le|la|les|notre|l['’]|el|los|las|nuestr[oa])(?![\p{L}])/iu

const asksForName = (question: string): boolean =>
  NAME_QUESTION.test(question) || IDENTITY_QUESTION.test(question)

/**
 * Whether a row has a value in the columns that the question asks for. These are the columns whose headers contain keywords which no
 * cell contains.
 */
function hasCell(cells: readonly Cell[], { keywords, type }: QuestionCriteria, language: Language): boolean {
  if (type === 'any' || type === 'steps' || type === 'definition') return true
  const inCells = textTerms(cells.map(({ text }) => text).join('\n'), language)
  const keywordsNotInCells = keywords.filter((keyword) => !containsKeyword(inCells, keyword))
  const columns = cells.filter(({ header }) => {
    const terms = textTerms(header, language)
    return keywordsNotInCells.some((keyword) => containsKeyword(terms, keyword))
  })
  if (columns.length === 0) return true
  return columns.some(({ header, text }) => isYesNo(text) || isOfType(type, header, text))
}

const YES_CELL = /^\s*(?:yes|ja|oui|sí|true|x|✓|✔)\s*$/iu
const isYesNo = (text: string): boolean => YES_CELL.test(text) || isNegated(text)

/** Whether a cell has a value of the type. A name of a person does not begin with a digit. Most other types contain a digit. */
function isOfType(type: Criteria['type'], header: string, text: string): boolean {
  if (type === 'person') return /\p{L}/u.test(text) && !/^\P{L}*\d/u.test(text)
  if (type === 'place') return /\p{L}/u.test(text) && !containsAnswerOfType('date', text)
  if (type === 'reason') return /\p{L}/u.test(text)
  return /\d/.test(text) || containsAnswerOfType(type, `${header} ${text}`)
}

// For each language: the auxiliary verbs of the passive, the preposition before the agent ("by"), and prepositions of place.
const GRAMMAR: Partial<Record<Language, { passive: RegExp; agent: RegExp; locative: RegExp }>> = {
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
  /** Whether the question contains it. */
  isAsked: boolean
  /** Whether it is a day, a month or a number. */
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
      isAsked: keywords.some((keyword) => matchStrength(terms, keyword) > 0),
      isTime: /\d/.test(raw) || containsAnswerOfType('date', raw),
    }
  })
}

const TITLE_OF_PERSON = /^(?:mr|mrs|ms|dr|prof|herrn?|frau|mme|m|sra?)$/i

/**
 * The names in a text that the question does not contain: persons, firms, places. A German name must have two words or a title,
 * because German capitalises all nouns.
 */
function namesIn(text: string, keywords: readonly Keyword[], language: Language): string[] {
  const tokens = tokensIn(text, keywords, language)
  const isName = ({ raw, isContent, isAsked, isTime }: Token): boolean =>
    /^\p{Lu}/u.test(raw) && isContent && !isAsked && !isTime
  const isAdjacent = (token: Token, previous: Token | undefined): boolean =>
    previous !== undefined && /^\.?\s$/.test(text.slice(previous.end, token.start))
  return tokens.flatMap((token, i) => {
    const [previous, next] = [tokens[i - 1], tokens[i + 1]]
    if (!isName(token)) return []
    const isTitled =
      previous !== undefined && TITLE_OF_PERSON.test(previous.raw) && isAdjacent(token, previous)
    const hasTwoWords = next !== undefined && isName(next) && isAdjacent(next, token)
    const isWithinSentence =
      language !== 'de' && previous !== undefined && !/[.!?:;]/.test(text.slice(previous.end, token.start))
    return isTitled || hasTwoWords || isWithinSentence ? [token.raw] : []
  })
}

// "Whom do I call?" asks for the object of the verb and not for its subject.
const OBJECT_QUESTION =
  /(?<![\p{L}])(?:whom|whose|wen|wem|wessen|à qui|a quién|who (?:do|does|did|can|could|may|must|should|shall|will) (?:i|we|you|one|they|he|she)|to whom)(?![\p{L}])/iu

/** Whether a sentence states who does something: by a name, after "by", or before the verb. */
function hasActor(
  { text, ownTerms: { language }, headingAbove, isOfRecord }: Evidence,
  keywords: readonly Keyword[],
  question: string,
): boolean {
  const grammar = GRAMMAR[language]
  if (!grammar || isOfRecord) return true
  const withoutBullet = text.replace(BULLET, '')
  if (namesIn(withoutBullet, keywords, language).length > 0) return true
  const tokens = tokensIn(withoutBullet, keywords, language)
  // "Caretaker: call the office"
  const hasLabel = /^[^:]{1,40}:\s/.test(withoutBullet)
  if (OBJECT_QUESTION.test(question) || hasLabel) return tokens.some(isNew)
  const isPassive = tokens.some(
    ({ raw }, i) =>
      grammar.passive.test(raw) &&
      (language === 'de' || tokens.slice(i + 1, i + 1 + MAX_WORDS_BETWEEN).some(({ isAsked }) => isAsked)),
  )
  if (isPassive) return hasNewWordAfter(tokens, grammar.agent)
  const lastAskedIndex = tokens.findLastIndex(({ isAsked }) => isAsked)
  if (lastAskedIndex < 0) return tokens.some(isNew)
  if (tokens.slice(0, lastAskedIndex).some(isNew)) return true
  return PRONOUN.test(withoutBullet) && tokensIn(headingAbove.text, keywords, language).some(isNew)
}

/** Whether a content word is not in the question and is no time. */
const isNew = ({ isContent, isAsked, isTime }: Token): boolean => isContent && !isAsked && !isTime

const PRONOUN = /^(?:he|she|they|it|er|sie|es|il|elle|ils|elles|él|ella|ellos|ellas)(?![\p{L}])/iu
const MAX_WORDS_BETWEEN = 3

/** Whether a new word is within a few words after a preposition. */
const hasNewWordAfter = (tokens: readonly Token[], preposition: RegExp): boolean =>
  tokens.some(
    ({ raw }, i) => preposition.test(raw) && tokens.slice(i + 1, i + 1 + MAX_WORDS_BETWEEN).some(isNew),
  )

/** Whether a sentence contains a place that the question does not contain. */
function hasPlace(text: string, keywords: readonly Keyword[], language: Language): boolean {
  const grammar = GRAMMAR[language]
  if (!grammar || namesIn(text, keywords, language).length > 0) return true
  return hasNewWordAfter(tokensIn(text, keywords, language), grammar.locative)
}
