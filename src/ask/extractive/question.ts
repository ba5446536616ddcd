// Question analysis: names, quoted phrases and codes, and the sides of a comparison. Pure.

import { contentTerms, contentWords } from '../../language/analyse.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { sentences } from '../../language/sentences.ts'
import { splitWords } from '../../language/unspaced.ts'
import { fold, type WordedText, worded, words } from '../../language/words.ts'
import { answerLanguage, certainLanguage, isAnswerLanguage } from '../answer-language.ts'
import { type AnswerType, answerType } from './answer-type.ts'

/** The question, or what it asks for one side of a comparison. */
export interface SubQuestion {
  /** The words that ask for it. */
  text: string
  type: AnswerType
  /** The side of a comparison that it is about. */
  side?: string
}

export interface Question {
  /** Without quotation marks, so that search does not require the phrases. */
  text: string
  language: Language
  /** Capitalised names and codes as written, then names known to the graph, each once. */
  names: string[]
  /** The names that are written as names in the question. */
  writtenNames: string[]
  /** Numbers that tell one of several things from the others: 8 in "Unit 8", 3.3 in "version 3.3", a year; no quantities. */
  identifiers: string[]
  quotes: string[]
  /** Two to four of a comparison, none of another question. */
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
      // FY2022 is a fiscal year and no code; filings write it out.
      .replace(/\bFY\s?['’]?(?:20)?(\d{2})\b/g, 'fiscal 20$1')
      .replace(/\s+/g, ' ')
      .trim(),
  )

/**
 * Analyses a question. `known` are entity names that the workspace's graph found in it, in any letter case; `languages`
 * those of the workspace, the most frequent first.
 */
export function analyseQuestion(
  question: string | AnalysedText,
  known: readonly string[] = [],
  languages: readonly Language[] = LANGUAGES,
): Question {
  const whole = analysedText(question)
  const quotes = quotesIn(whole.text)
  const plain = whole.part(plainQuestion(whole.text))
  const { text } = plain
  const language = languageOf(plain, languages)
  const written = distinct(namesIn(plain, language))
  const names = distinct([...written, ...known])
  const sides = sidesOf(text, distinct([...written, ...writtenIn(text, known)]))
  return {
    text,
    language,
    names,
    writtenNames: written,
    identifiers: identifiersIn(plain),
    quotes,
    sides: sides.length > 1 ? sides.map((side) => sideQuestion(plain, side, sides)) : [],
    isComparison: sides.length > 1,
  }
}

const distinct = (names: string[]): string[] => {
  const seen = new Set<string>()
  return names.filter((name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()))
}

/**
 * The language of a short question is best told by its question word, unless the workspace has none of that language and one
 * that this is likelier to be ("del" is Italian, too).
 */
function languageOf(text: AnalysedText, languages: readonly Language[]): Language {
  const tongue = answerLanguage(text)
  if (certainLanguage(text) === 'en' && languages.includes('en')) return 'en'
  const likely = text.languageAmong(languages)
  if (tongue === 'en') return likely
  return languages.includes(tongue) || !languages.includes(likely) || isAnswerLanguage(likely)
    ? tongue
    : likely
}

/** The known names as the text writes them, in its letter case; names that it writes differently are left out. */
const writtenIn = (text: string, known: readonly string[]): string[] =>
  known.flatMap((name) => {
    const at = text.toLowerCase().indexOf(name.toLowerCase())
    return at < 0 ? [] : text.slice(at, at + name.length)
  })

const quotesIn = (text: string): string[] =>
  [...text.matchAll(/["“”«»„]([^"“”«»„]{2,200})["“”«»„]/gu)]
    .map((match) => (match[1] ?? '').trim())
    .filter(Boolean)

/** Shortens a question to the length of a query: its sentences with a question mark, else its end. */
function shorten(text: string): string {
  if (text.length <= MAX_QUERY_LENGTH) return text
  const asking = sentences(text).filter((sentence) => sentence.text.endsWith('?'))
  const short = asking.map((sentence) => sentence.text).join(' ')
  const kept = short || text
  return kept.length <= MAX_QUERY_LENGTH ? kept : kept.slice(-MAX_QUERY_LENGTH).replace(/^\S*\s/, '')
}

/** Runs of capitalised words and codes; not a single word at the start of a sentence, and no German nouns. */
export function namesIn(question: string | WordedText, language: Language): string[] {
  const read = worded(question)
  const { text } = read
  const all = [...splitWords(read)]
  const isTitle = isTitleCase(all.slice(1).map(({ raw }) => raw))
  const names: string[] = []
  let span: typeof all = []
  const flush = (): void => {
    const name = text.slice(span[0]?.start, span.at(-1)?.end).replace(/['’]s$/, '')
    if (span.length) names.push(name)
    span = []
  }
  for (const [i, word] of all.entries()) {
    const previous = all[i - 1]
    const startsSentence = !previous || /[.!?:]\s*$/.test(text.slice(previous.end, word.start))
    const isCapitalised = !isTitle && language !== 'de' && /^\p{Lu}/u.test(word.raw)
    const isNamePart =
      isCode(word.raw) || (isCapitalised && (!startsSentence || startsName(all[i + 1]?.raw, word.raw)))
    if (span.length && text.slice(span.at(-1)?.end, word.start).trim()) flush()
    if (isNamePart && contentTerms(word.raw, language).length) span.push(word)
    else flush()
  }
  flush()
  return names
}

/** Numbers behind a noun, and years. A number before one is a quantity: "3 weeks". */
function identifiersIn(question: AnalysedText): string[] {
  const { text, words: all } = question
  return all.flatMap(({ raw, start, end }, i) => {
    if (!/^\d+(?:\.\d+)*$/.test(raw)) return []
    const [before, behind] = [all[i - 1], all[i + 1]]
    const isAdjacent = (gap: string): boolean => /^\s$/.test(gap)
    const hasNoun = (word: typeof before, gap: string): boolean =>
      word !== undefined && isAdjacent(gap) && contentWordsOf(question.part(word.raw)).length > 0
    const named = hasNoun(before, text.slice(before?.end, start))
    const counts = hasNoun(behind, text.slice(end, behind?.start))
    const isProper = before !== undefined && i > 1 && /^\p{Lu}/u.test(before.raw)
    return YEAR.test(raw) || (named && (!counts || isProper)) ? [raw] : []
  })
}

const YEAR = /^(?:19|20)\d\d$/

/** In Title Case even function words are capitalised, so capitals do not mark names. */
function isTitleCase(raws: string[]): boolean {
  const small = raws.filter((raw) => raw !== 'I' && contentTerms(raw, 'en').length === 0)
  return small.length > 0 && small.filter((raw) => /^\p{Lu}/u.test(raw)).length > small.length / 2
}

/**
 * Whether a capitalised word at the start of a sentence begins a name: the next word is capitalised too and it is no
 * imperative.
 */
const startsName = (next: string | undefined, word: string): boolean =>
  next !== undefined && /^\p{Lu}/u.test(next) && contentTerms(word, 'en').length > 0 && !VERB_FIRST.test(word)

const VERB_FIRST =
  /^(?:compare|describe|explain|list|name|give|tell|show|summari[sz]e|find|according|please)$/i

/** Letters with digits or underscores, or capitals with a hyphen: part numbers, settings; not 2nd, 1990s, 49ers, 16'dan, 2010年 or Q3. */
export const isCode = (word: string): boolean =>
  (/\d/.test(word) && /\p{L}/u.test(word) && !/\p{Lo}|^(?:\d+['’]?\p{Ll}+|[QH][1-4])$/u.test(word)) ||
  /^\p{Lu}{2,}[-/]\p{Lu}+$|\p{L}_\p{L}/u.test(word)

const COMPARES =
  /(?<![\p{L}])(?:compare|comparison|differ|differs|difference|differences|versus|vs|than|both|which of|whether .+ or|same|more|less|larger|smaller|earlier|later|cheaper|higher|lower|older|newer|longer|shorter|heavier|lighter|faster|slower|vergleiche?n?|vergleich|unterschiede?|unterscheiden|als|teurer|billiger|günstiger|größer|kleiner|länger|kürzer|früher|später|schneller|schwerer|leichter|höher|niedriger|comparer|comparez|différences?|plus|moins|compara|comparar|diferencias?|más|menos|mayor|menor)(?![\p{L}])/iu
// More words than this are a clause and no side of a comparison.
const MAX_SIDE_LENGTH = 4
const PAIR =
  /(?<![\p{L}])(?:between|compare|of|zwischen|vergleiche?|entre|comparez?|comparar?)\s+(?:(?:the|der|die|dem|den|das|le|la|les|el|los)\s+)?(.{2,60}?)\s+(?:and|with|to|or|vs\.?|versus|und|mit|oder|et|ou|y|con)\s+(?:(?:the|der|die|dem|den|das|le|la|les|el|los)\s+)?(.{2,60}?)(?=[?,.;]|\s+(?:in|on|for|at|by)\b|\s*$)/iu

/** The sides of a comparison: the names in a comparing question, or A and B of "between A and B". */
function sidesOf(text: string, all: readonly string[]): string[] {
  if (!COMPARES.test(text)) return []
  const names = all.filter((name) => !all.some((other) => other !== name && other.includes(name)))
  if (names.length >= 2 && names.length <= 4 && areJoined(text, names)) return names
  const pair = PAIR.exec(text)
  const sides = [pair?.[1], pair?.[2]].filter(
    (end) => end !== undefined && [...words(end)].length <= MAX_SIDE_LENGTH,
  )
  return sides.length === 2 ? sides.filter((end) => end !== undefined) : []
}

/** Whether "and", "or", "than" … is between two of the names. */
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
  // Where nothing else is asked, what each of them is tells the difference.
  const others = contentWordsOf(question.part(query.replace(side, ' '))).filter(
    (word) => !COMPARES.test(word),
  )
  const type = answerType(question.text)
  if (others.length === 0 && type === 'any') return { text: side, type: 'definition', side }
  return { text: query.replace(/\s+/g, ' ').trim(), type, side }
}

const contentWordsOf = (text: AnalysedText): string[] => contentWords(text, text.languageAmong(LANGUAGES))

const NEGATED =
  /(?<![\p{L}])(?:no (?:ha|han|he|está|están|es|son|fue|tiene|tienen|hay)|not|never|without|neither|nobody|nothing|cannot|nicht|keine?[rmns]?|ohne|nie|niemand|pas|jamais|sans|sin|aucune?|nunca|ningun[oa]?|ningún)(?![\p{L}])|n['’]t(?![\p{L}])|^\s*(?:no|nein|non)\s*$/iu

/** Whether a text, or a cell, says that something is not so. */
export const isNegated = (text: string): boolean => NEGATED.test(text)

/** The words of names, folded. */
export const wordsOfNames = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => [...words(name)].map(({ raw }) => fold(raw))))
