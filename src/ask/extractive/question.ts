// Question analysis: names, quoted phrases and codes, and the sides of a comparison. Pure.

import { contentTerms, contentWords } from '../../language/analyse.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { sentences } from '../../language/sentences.ts'
import { splitWords } from '../../language/unspaced.ts'
import { fold, type WordedText, worded, words } from '../../language/words.ts'
import { answerLanguage, certainLanguage, isAnswerLanguage } from '../answer-language.ts'
import { type AnswerType, answerType } from './answer-type.ts'

/** The whole question, or the question for one side of a comparison. */
export interface SubQuestion {
  /** The question without the other sides of a comparison. */
  text: string
  type: AnswerType
  /** The side of a comparison that it is about. */
  side?: string
}

export interface Question {
  /** Without quotation marks, so that search does not require the phrases. */
  text: string
  language: Language
  /** The names in `writtenNames`, then those of entities of the graph, each once. */
  names: string[]
  /** Capitalised names and codes as the question writes them. */
  writtenNames: string[]
  /** Numbers that identify one of several things: 8 in "Unit 8", 3.3 in "version 3.3", a year. Quantities are left out. */
  identifiers: string[]
  quotes: string[]
  /** The two to four sides of a comparison. Empty for any other question. */
  sides: SubQuestion[]
  isComparison: boolean
}

// A search query may have 2,000 characters by the API contract; a question may have 8,000.
const MAX_QUERY_LENGTH = 2000

/** A question as it is searched for: without quotation marks, and no longer than a query. */
export const plainQuestion = (question: string): string =>
  shorten(
    question
      .replace(/["“”«»„]/gu, ' ')
      // FY2022 is a fiscal year and not a code. Documents write it in full.
      .replace(/\bFY\s?['’]?(?:20)?(\d{2})\b/g, 'fiscal 20$1')
      .replace(/\s+/g, ' ')
      .trim(),
  )

/**
 * Analyses a question.
 * @param knownNames entity names that the graph of the workspace found in the question, in any letter case
 * @param languages the languages of the workspace, the most frequent first
 */
export function analyseQuestion(
  question: string | AnalysedText,
  knownNames: readonly string[] = [],
  languages: readonly Language[] = LANGUAGES,
): Question {
  const originalQuestion = analysedText(question)
  const quotes = quotesIn(originalQuestion.text)
  const plainText = originalQuestion.part(plainQuestion(originalQuestion.text))
  const { text } = plainText
  const language = languageOf(plainText, languages)
  const writtenNames = distinct(namesIn(plainText, language))
  const names = distinct([...writtenNames, ...knownNames])
  const sides = sidesOf(text, distinct([...writtenNames, ...namesAsWritten(text, knownNames)]))
  return {
    text,
    language,
    names,
    writtenNames,
    identifiers: identifiersIn(plainText),
    quotes,
    sides: sides.length > 1 ? sides.map((side) => sideQuestion(plainText, side, sides)) : [],
    isComparison: sides.length > 1,
  }
}

const distinct = (names: string[]): string[] => {
  const lowerCaseNames = new Set<string>()
  return names.filter(
    (name) => !lowerCaseNames.has(name.toLowerCase()) && lowerCaseNames.add(name.toLowerCase()),
  )
}

/**
 * The language of a question. For a short question, the language of its question word is the most reliable. The guessed language is
 * used instead if the workspace has documents in it and none in the other, and Kenning has no question words for it: "del" is also
 * Italian.
 */
function languageOf(text: AnalysedText, languages: readonly Language[]): Language {
  const questionWordLanguage = answerLanguage(text)
  if (certainLanguage(text) === 'en' && languages.includes('en')) return 'en'
  const likelyLanguage = text.languageAmong(languages)
  // English is also the result if no language was recognised.
  if (questionWordLanguage === 'en') return likelyLanguage
  return languages.includes(questionWordLanguage) ||
    !languages.includes(likelyLanguage) ||
    isAnswerLanguage(likelyLanguage)
    ? questionWordLanguage
    : likelyLanguage
}

/** The names in the letter case of the text. Names that the text does not contain are left out. */
const namesAsWritten = (text: string, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const at = text.toLowerCase().indexOf(name.toLowerCase())
    return at < 0 ? [] : text.slice(at, at + name.length)
  })

const quotesIn = (text: string): string[] =>
  [...text.matchAll(/["“”«»„]([^"“”«»„]{2,200})["“”«»„]/gu)]
    .map((match) => (match[1] ?? '').trim())
    .filter(Boolean)

/** Shortens a question to the length of a query. Its sentences with a question mark are kept; without one, its end. */
function shorten(text: string): string {
  if (text.length <= MAX_QUERY_LENGTH) return text
  const questionSentences = sentences(text).filter((sentence) => /[?？؟]$/.test(sentence.text))
  const questionText = questionSentences.map((sentence) => sentence.text).join(' ')
  const query = questionText || text
  // The first word is removed, because it may be cut.
  return query.length <= MAX_QUERY_LENGTH ? query : query.slice(-MAX_QUERY_LENGTH).replace(/^\S*\s/, '')
}

/** Runs of capitalised words and codes. A single word at the start of a sentence and German nouns are left out. */
export function namesIn(question: string | WordedText, language: Language): string[] {
  const wordedText = worded(question)
  const { text } = wordedText
  const allWords = [...splitWords(wordedText)]
  const isTitle = isTitleCase(allWords.slice(1).map(({ raw }) => raw))
  const names: string[] = []
  let nameParts: typeof allWords = []
  const endName = (): void => {
    const name = text.slice(nameParts[0]?.start, nameParts.at(-1)?.end).replace(/['’]s$/, '')
    if (nameParts.length) names.push(name)
    nameParts = []
  }
  for (const [i, word] of allWords.entries()) {
    const previous = allWords[i - 1]
    const startsSentence = !previous || /[.!?:]\s*$/.test(text.slice(previous.end, word.start))
    const isCapitalised = !isTitle && language !== 'de' && /^\p{Lu}/u.test(word.raw)
    const isNamePart =
      isCode(word.raw) || (isCapitalised && (!startsSentence || startsName(allWords[i + 1]?.raw, word.raw)))
    if (nameParts.length && text.slice(nameParts.at(-1)?.end, word.start).trim()) endName()
    if (isNamePart && contentTerms(word.raw, language).length) nameParts.push(word)
    else endName()
  }
  endName()
  return names
}

/** Numbers after a content word ("Unit 8"), and years. A number before a content word is a quantity: "3 weeks". */
function identifiersIn(question: AnalysedText): string[] {
  const { text, words: all } = question
  return all.flatMap(({ raw, start, end }, i) => {
    if (!/^\d+(?:\.\d+)*$/.test(raw)) return []
    const [wordBefore, wordAfter] = [all[i - 1], all[i + 1]]
    const isAdjacent = (gap: string): boolean => /^\s$/.test(gap)
    const isAdjacentContentWord = (word: typeof wordBefore, gap: string): boolean =>
      word !== undefined && isAdjacent(gap) && contentWordsOf(question.part(word.raw)).length > 0
    const isAfterContentWord = isAdjacentContentWord(wordBefore, text.slice(wordBefore?.end, start))
    const isQuantity = isAdjacentContentWord(wordAfter, text.slice(end, wordAfter?.start))
    const isAfterName = wordBefore !== undefined && i > 1 && /^\p{Lu}/u.test(wordBefore.raw)
    return YEAR.test(raw) || (isAfterContentWord && (!isQuantity || isAfterName)) ? [raw] : []
  })
}

const YEAR = /^(?:19|20)\d\d$/

/** Whether most function words are capitalised, as in Title Case. There, capitals do not mark names. */
function isTitleCase(raws: string[]): boolean {
  const functionWords = raws.filter((raw) => raw !== 'I' && contentTerms(raw, 'en').length === 0)
  return (
    functionWords.length > 0 &&
    functionWords.filter((raw) => /^\p{Lu}/u.test(raw)).length > functionWords.length / 2
  )
}

/**
 * Whether a capitalised word at the start of a sentence begins a name: the next word is capitalised too, and the word is not an
 * imperative.
 */
const startsName = (next: string | undefined, word: string): boolean =>
  next !== undefined && /^\p{Lu}/u.test(next) && contentTerms(word, 'en').length > 0 && !IMPERATIVE.test(word)

const IMPERATIVE =
  /^(?:compare|describe|explain|list|name|give|tell|show|summari[sz]e|find|according|please)$/i

/** Whether a word is a code, such as BW-2210, session_id or EU-NL. Not codes: 2nd, 1990s, 49ers, 16'dan, 2010年, Q3. */
export const isCode = (word: string): boolean =>
  (/\d/.test(word) && /\p{L}/u.test(word) && !/\p{Lo}|^(?:\d+['’]?\p{Ll}+|[QH][1-4])$/u.test(word)) ||
  /^\p{Lu}{2,}[-/]\p{Lu}+$|\p{L}_\p{L}/u.test(word)

/**
 * The text with each plural of a code as the code: "in these 10-Qs" becomes "in these 10-Q", as documents write it. The "s" is
 * removed only after a capital letter, because "T-14s" is another product than "T-14", and not in quotation marks.
 */
export const withSingularCodes = (text: string): string =>
  text.replace(
    /(?<![\p{L}\p{N}"“„«])([\p{L}\p{N}]+[-/]\p{Lu}+)s(?![\p{L}\p{N}])/gu,
    (plural, code: string) => (isCode(code) ? code : plural),
  )

const COMPARISON_WORD =
  /(?<![\p{L}])(?:compare|comparison|differ|differs|difference|differences|versus|vs|than|both|which of|whether .+ or|same|more|less|larger|smaller|earlier|later|cheaper|higher|lower|older|newer|longer|shorter|heavier|lighter|faster|slower|vergleiche?n?|vergleich|unterschiede?|unterscheiden|als|teurer|billiger|günstiger|größer|kleiner|länger|kürzer|früher|später|schneller|schwerer|leichter|höher|niedriger|comparer|comparez|différences?|plus|moins|compara|comparar|diferencias?|más|menos|mayor|menor)(?![\p{L}])/iu
// More words are a clause and not a side of a comparison.
const MAX_SIDE_WORDS = 4
const PAIR_OF_SIDES =
  /(?<![\p{L}])(?:between|compare|of|zwischen|vergleiche?|entre|comparez?|comparar?)\s+(?:(?:the|der|die|dem|den|das|le|la|les|el|los)\s+)?(.{2,60}?)\s+(?:and|with|to|or|vs\.?|versus|und|mit|oder|et|ou|y|con)\s+(?:(?:the|der|die|dem|den|das|le|la|les|el|los)\s+)?(.{2,60}?)(?=[?,.;]|\s+(?:in|on|for|at|by)\b|\s*$)/iu

/** The sides of a comparison: the names in a question that compares, or A and B of "between A and B". */
function sidesOf(text: string, allNames: readonly string[]): string[] {
  if (!COMPARISON_WORD.test(text)) return []
  const names = allNames
    .filter((name) => !allNames.some((other) => other !== name && other.includes(name)))
    .sort((a, b) => text.indexOf(a) - text.indexOf(b))
  if (names.length >= 2 && names.length <= 4 && areJoined(text, names)) return names
  const pair = PAIR_OF_SIDES.exec(text)
  const sides = [pair?.[1], pair?.[2]].filter(
    (side) => side !== undefined && [...words(side)].length <= MAX_SIDE_WORDS,
  )
  return sides.length === 2 ? sides.filter((side) => side !== undefined) : []
}

/** Whether a word such as "and", "or" or "than" is between two of the names. */
function areJoined(text: string, names: string[]): boolean {
  for (let i = 0; i + 1 < names.length; i++) {
    const end = text.indexOf(names[i] ?? '') + (names[i]?.length ?? 0)
    const between = text.slice(end, text.indexOf(names[i + 1] ?? '', end))
    if (
      /(?<![\p{L}])(?:and|or|than|vs|versus|with|to|from|und|oder|als|mit|von|zu|et|ou|que|y|o|con)(?![\p{L}])|,/iu.test(
        between,
      )
    )
      return true
  }
  return false
}

function sideQuestion(question: AnalysedText, side: string, sides: string[]): SubQuestion {
  let query = question.text
  for (const other of sides) if (other !== side) query = query.replace(other, ' ')
  // If the question contains only the sides, the definitions of both show the difference.
  const otherWords = contentWordsOf(question.part(query.replace(side, ' '))).filter(
    (word) => !COMPARISON_WORD.test(word),
  )
  const type = answerType(question.text)
  if (otherWords.length === 0 && type === 'any') return { text: side, type: 'definition', side }
  return { text: query.replace(/\s+/g, ' ').trim(), type, side }
}

const contentWordsOf = (text: AnalysedText): string[] => contentWords(text, text.languageAmong(LANGUAGES))

const NEGATED =
  /(?<![\p{L}])(?:no (?:ha|han|he|está|están|es|son|fue|tiene|tienen|hay)|not|never|without|neither|nobody|nothing|cannot|nicht|keine?[rmns]?|ohne|nie|niemand|pas|jamais|sans|sin|aucune?|nunca|ningun[oa]?|ningún|(?:is|are|was|were|has|have|had|does|did|ca|wo|could|would|should|must)nt|(?:i|you|we|they) dont)(?![\p{L}])|n['’]t(?![\p{L}])|^\s*(?:no|nein|non)\s*$/iu

/** Whether a text or a cell contains a negation. */
export const isNegated = (text: string): boolean => NEGATED.test(text)

/** The words of names in folded form (language/words.ts). */
export const wordsOfNames = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => [...words(name)].map(({ raw }) => fold(raw))))
