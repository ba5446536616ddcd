// Takes a question apart: names, quoted phrases, codes, the sides of a comparison,
// the clauses that ask for different things; and rewrites a follow-up so that it stands alone. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { queryLanguage } from '../../language/guess.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import { tongueOf } from '../answer-language.ts'
import { type AnswerType, answerType } from './answer-type.ts'

/** One thing the question wants to know. */
export interface Need {
  /** The words that ask. */
  text: string
  /** What the words leave to an earlier clause; empty when they stand alone. */
  topic: string
  type: AnswerType
  /** The side of a comparison this is about. */
  side?: string
}

export interface Question {
  /** Without quotation marks, so that search does not insist on the phrases. */
  text: string
  language: Language
  /** Capitalised names and codes as written, then names the graph knows, each once. */
  names: string[]
  /** Those of the names that are written as names. */
  written: string[]
  quotes: string[]
  /** 1 to 4: the sides of a comparison, the clauses that ask, or the whole question. */
  needs: Need[]
  comparison: boolean
}

const MOST_NEEDS = 4
// Content words that one clause lends to the next.
const MOST_LENT = 8
// The contract lets a search query be 2,000 characters; a question may have 8,000.
const LONGEST_QUERY = 2000

/** The question, taken apart. `known` are names that the workspace's graph finds in it, whatever their case. */
export function understand(question: string, known: readonly string[] = []): Question {
  const quotes = quotesIn(question)
  const text = shorten(
    question
      .replace(/["“”«»„]/gu, ' ')
      // FY2022 is a year that filings write out, and no code.
      .replace(/\bFY\s?['’]?(?:20)?(\d{2})\b/g, 'fiscal 20$1')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const language = languageOf(text)
  const written = distinct(namesIn(text, language))
  const names = distinct([...written, ...known])
  const sides = sidesOf(text, distinct([...written, ...asWritten(text, known)]))
  const needs = sides.length > 1 ? sides.map((side) => sideNeed(text, side, sides)) : clauseNeeds(text, names)
  return {
    text,
    language,
    names,
    written,
    quotes,
    needs: needs.slice(0, MOST_NEEDS),
    comparison: sides.length > 1,
  }
}

const distinct = (names: string[]): string[] => {
  const seen = new Set<string>()
  return names.filter((name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()))
}

/** A short question is told by what it asks with: its letters say little. */
function languageOf(text: string): Language {
  const tongue = tongueOf(text)
  return tongue === 'en' ? queryLanguage(text, LANGUAGES) : tongue
}

/** The names that stand in the text, as it writes them; the graph's "Osterby Cables AB" may stand there without its AB. */
const asWritten = (text: string, known: readonly string[]): string[] =>
  known.flatMap((name) => {
    const at = text.toLowerCase().indexOf(name.toLowerCase())
    return at < 0 ? [] : text.slice(at, at + name.length)
  })

const quotesIn = (text: string): string[] =>
  [...text.matchAll(/["“”«»„]([^"“”«»„]{2,200})["“”«»„]/gu)]
    .map((match) => (match[1] ?? '').trim())
    .filter(Boolean)

/** The whole question as one thing to know. */
export const wholeNeed = ({ text }: Question): Need => ({ text, topic: '', type: answerType(text) })

/** A question longer than a query: the sentences that ask, else its end, where people ask. */
function shorten(text: string): string {
  if (text.length <= LONGEST_QUERY) return text
  const asking = sentences(text).filter((sentence) => sentence.text.endsWith('?'))
  const short = asking.map((sentence) => sentence.text).join(' ')
  const kept = short || text
  return kept.length <= LONGEST_QUERY ? kept : kept.slice(-LONGEST_QUERY).replace(/^\S*\s/, '')
}

/** Runs of capitalised words and codes; a single word at a sentence's start does not count, nor German nouns. */
export function namesIn(text: string, language: Language): string[] {
  const all = [...words(text)]
  const shouting = isTitleCase(all.slice(1).map(({ raw }) => raw))
  const names: string[] = []
  let run: typeof all = []
  const flush = (): void => {
    const name = text.slice(run[0]?.start, run.at(-1)?.end).replace(/['’]s$/, '')
    if (run.length) names.push(name)
    run = []
  }
  for (const [i, word] of all.entries()) {
    const previous = all[i - 1]
    const opens = !previous || /[.!?:]\s*$/.test(text.slice(previous.end, word.start))
    const capital = !shouting && language !== 'de' && /^\p{Lu}/u.test(word.raw)
    const part = isCode(word.raw) || (capital && (!opens || nameGoesOn(all[i + 1]?.raw, word.raw)))
    if (run.length && text.slice(run.at(-1)?.end, word.start).trim()) flush()
    if (part && contentTerms(word.raw, language).length) run.push(word)
    else flush()
  }
  flush()
  return names
}

/** Every Small Word Is Capitalised Too: then capitals say nothing about names. */
function isTitleCase(raws: string[]): boolean {
  const small = raws.filter((raw) => raw !== 'I' && contentTerms(raw, 'en').length === 0)
  return small.length > 0 && small.filter((raw) => /^\p{Lu}/u.test(raw)).length > small.length / 2
}

/** Whether a capitalised word at a sentence's start begins a name: the next is capitalised too and it asks nothing. */
const nameGoesOn = (next: string | undefined, word: string): boolean =>
  next !== undefined && /^\p{Lu}/u.test(next) && contentTerms(word, 'en').length > 0 && !VERB_FIRST.test(word)

const VERB_FIRST =
  /^(?:compare|describe|explain|list|name|give|tell|show|summari[sz]e|find|according|please)$/i

/** Letters with digits, or capitals with a hyphen: part numbers, models; not 2nd, 1990s, 49ers or Q3. */
export const isCode = (word: string): boolean =>
  (/\d/.test(word) && /\p{L}/u.test(word) && !/^(?:\d+\p{Ll}+|[QH][1-4])$/u.test(word)) ||
  /^\p{Lu}{2,}[-/]\p{Lu}+$/u.test(word)

const COMPARES =
  /(?<![\p{L}])(?:compare|comparison|differ|differs|difference|differences|versus|vs|than|both|which of|whether .+ or|same|more|less|larger|smaller|earlier|later|cheaper|higher|lower|older|newer|longer|shorter|heavier|lighter|faster|slower|vergleiche?n?|vergleich|unterschiede?|unterscheiden|als|teurer|billiger|günstiger|größer|kleiner|länger|kürzer|früher|später|schneller|schwerer|leichter|höher|niedriger|comparer|comparez|différences?|plus|moins|compara|comparar|diferencias?|más|menos|mayor|menor)(?![\p{L}])/iu
// More words than this are a clause and not a thing to compare.
const LONGEST_SIDE = 4
const PAIR =
  /(?<![\p{L}])(?:between|compare|of|zwischen|vergleiche?|entre|comparez?|comparar?)\s+(?:(?:the|der|die|dem|den|das|le|la|les|el|los)\s+)?(.{2,60}?)\s+(?:and|with|to|or|vs\.?|versus|und|mit|oder|et|ou|y|con)\s+(?:(?:the|der|die|dem|den|das|le|la|les|el|los)\s+)?(.{2,60}?)(?=[?,.;]|\s+(?:in|on|for|at|by)\b|\s*$)/iu

/** What is compared with what: the names of a comparing question, or the two ends of "between A and B". */
function sidesOf(text: string, all: readonly string[]): string[] {
  if (!COMPARES.test(text)) return []
  const names = all.filter((name) => !all.some((other) => other !== name && other.includes(name)))
  if (names.length >= 2 && names.length <= 4 && joined(text, names)) return names
  const pair = PAIR.exec(text)
  const ends = [pair?.[1], pair?.[2]].filter(
    (end) => end !== undefined && [...words(end)].length <= LONGEST_SIDE,
  )
  return ends.length === 2 ? ends.filter((end) => end !== undefined) : []
}

/** Two names with "and", "or", "than" … between them. */
function joined(text: string, names: string[]): boolean {
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

function sideNeed(text: string, side: string, sides: string[]): Need {
  let query = text
  for (const other of sides) if (other !== side) query = query.replace(other, ' ')
  return { text: query.replace(/\s+/g, ' ').trim(), topic: '', type: answerType(text), side }
}

const CLAUSE =
  /[,;]?\s+(?:and|but|or|und|aber|oder|et|ou|y|e)(?: also)?\s+(?=(?:(?:in|on|at|by|for|from|to) )?(?:who|whom|whose|what|when|where|why|how|which|wer|was|wann|wo|warum|wie|welche[mnrs]?|qui|quand|pourquoi|combien|comment|quel(?:le)?s?|quién|cuándo|dónde|cómo|cuánt[oa]s?|qué)(?![\p{L}]))|(?<=\?)\s+/iu
/** One need a clause that asks; later ones borrow the names of the first when they only point back. */
function clauseNeeds(text: string, names: string[]): Need[] {
  const clauses = text
    .split(CLAUSE)
    .map((clause) => clause.trim())
    .filter((clause) => contentTerms(clause, 'en').length > 0)
  if (clauses.length < 2) return [{ text, topic: '', type: answerType(text) }]
  const lent = contentWords(clauses[0] ?? text)
    .slice(0, MOST_LENT)
    .join(' ')
  return clauses.map((clause, i) => {
    const own = names.some((name) => clause.toLowerCase().includes(name.toLowerCase()))
    return { text: clause, topic: i > 0 && !own ? lent : '', type: answerType(clause) }
  })
}

function contentWords(text: string): string[] {
  const language = queryLanguage(text, LANGUAGES)
  return [...words(text)].map(({ raw }) => raw).filter((raw) => contentTerms(raw, language).length > 0)
}
