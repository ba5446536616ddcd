// What one sentence of a draft claims: its words, the names among them, its values, and what it denies or limits. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { LEXICON_LANGUAGES, synonymsOf } from '../../language/lexicon.ts'
import { fold } from '../../language/words.ts'
import { type Keyword, questionKeywords, type TermStatistics } from '../extractive/keywords.ts'
import { isCode, namesIn, wordsOfNames } from '../extractive/question.ts'
import { type TextValue, valuesIn } from './values.ts'

export interface Claim {
  text: string
  language: Language
  words: ClaimWord[]
  names: string[]
  /** The words of names that are codes, such as "TG-40/5". Only the whole code counts as a match. */
  codes: string[]
  values: TextValue[]
  sense: Sense
}

export interface ClaimWord {
  keyword: Keyword
  /** Part of a name or a code, which no other word can stand for. */
  isName: boolean
  /** Terms of words that mean the same, in any language. */
  synonyms: ReadonlySet<string>
  /** For a compound: the terms that mean each of its parts. "Arbeitswoche" is said where "working" and "week" are close. */
  parts: readonly ReadonlySet<string>[]
}

export function claimOf(text: string, language: Language, statistics: TermStatistics): Claim {
  const values = valuesIn(text, language)
  const names = namesOf(text, language)
  const nameWords = wordsOfNames(names)
  const withoutValues = blanked(text, values)
  const keywords = questionKeywords({ text: withoutValues, language }, statistics)
  return {
    text,
    language,
    words: keywords.map((keyword) => ({
      keyword,
      isName: nameWords.has(fold(keyword.word)) || isCode(keyword.word),
      synonyms: synonymTerms(keyword.word, language),
      parts: partsOfCompound(keyword.word, language).map((part) => synonymTerms(part, language)),
    })),
    names,
    codes: names.flatMap((name) => name.split(/\s+/)).filter(isCode),
    values,
    sense: senseOf(text),
  }
}

/** The names in a text. "May" and "Thursday" are not names. */
export const namesOf = (text: string, language: Language): string[] =>
  namesIn(blanked(text, valuesIn(text, language)), language)

const blanked = (text: string, values: readonly TextValue[]): string =>
  values.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    text,
  )

// Only the most likely synonyms of each language count, because support needs more certainty than a search.
const MAX_SYNONYMS = 3

const synonymTerms = (word: string, language: Language): ReadonlySet<string> =>
  new Set(
    LEXICON_LANGUAGES.flatMap((other) =>
      synonymsOf(word, language)
        .filter((synonym) => synonym.language === other)
        .slice(0, MAX_SYNONYMS)
        .flatMap((synonym) => contentTerms(synonym.word, other)),
    ),
  )

const MIN_PART_LENGTH = 4

/**
 * The two words of the lexicon that a German compound is made of; none if there are no such words. Stemming takes the letters that
 * link them.
 */
function partsOfCompound(word: string, language: Language): string[] {
  if (language !== 'de' || isCode(word)) return []
  const isWord = (part: string): boolean => synonymsOf(part, language).length > 0
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at++) {
    const parts = [word.slice(0, at), word.slice(at)]
    if (parts.every(isWord)) return parts
  }
  return []
}

/** The denials and limits of a sentence. Two sentences with the same meaning have the same sense. */
export interface Sense {
  /** The number of denials. The meaning of several denials together is not worked out. */
  denials: number
  /** A subordinate clause has a denial, as in "tenants who do not pay". The sentence itself does not deny it. */
  deniesInSubclause: boolean
  isWithout: boolean
  /** "All", "only", "always": a sentence without it says less. */
  isUniversal: boolean
  /** "If", "unless": a sentence without it says more. */
  isConditional: boolean
}

// "No more than 40" limits an amount and denies nothing.
const BOUNDS =
  /(?<![\p{L}])(?:no|not|nicht|pas|no) (?:more|less|fewer|later|older|earlier|longer|mehr|weniger|später|länger|plus|moins|más|menos) (?:than|als|de|que)(?![\p{L}])/giu
const DENIAL =
  /(?<![\p{L}])(?:no|not|never|none|neither|nor|nobody|nothing|cannot|nicht|weder|keine?[rmns]?|nie|niemals|niemand|nichts|pas|jamais|aucune?|rien|ni|nunca|ningun[oa]s?|ningún|nadie|nada|tampoco)(?![\p{L}])|n['’]t(?![\p{L}])/giu
// After another denial these words continue it: "neither … nor", "ni … ni", "no … ninguna" and "ne … pas … aucun" are one denial.
const CONTINUED_DENIAL = /^(?:nor|jamais|aucune?|rien|ni|nunca|ningun[oa]s?|ningún|nadie|nada|tampoco)$/iu
// The beginning of a subordinate clause. German articles begin one only after a comma.
const SUBCLAUSE =
  /(?<![\p{L}])(?:who|whom|whose|which|that|if|when|unless|because|where|wenn|falls|sofern|solange|weil|dass|welche[rsnm]?|qui|que|dont|lorsque|quand|quien(?:es)?|cuy[oa]s?|cuando|porque)(?![\p{L}])|,\s(?:\p{L}{2,5}\s)?(?:der|die|das|den|dem|deren|dessen)(?![\p{L}])/iu
const WITHOUT = /(?<![\p{L}])(?:without|ohne|sans|sin)(?![\p{L}])/iu
const UNIVERSAL =
  /(?<![\p{L}])(?:all|every|each|always|only|solely|exclusively|alle[rsnm]?|jede[rsnm]?|immer|nur|ausschließlich|tou(?:s|te|tes)|chaque|toujours|seulement|uniquement|tod[oa]s?|cada|siempre|s[óo]lo|solamente|únicamente)(?![\p{L}])/iu
const CONDITIONAL =
  /(?<![\p{L}])(?:if(?! any(?!one)| applicable| necessary)|unless|provided that|wenn|falls|sofern|es sei denn|sauf|à condition|salvo|siempre que)(?![\p{L}])/iu
// "No." before a number is "number".
const NUMBER_SIGN = /(?<![\p{L}])no\.\s?(?=[\p{Lu}\d])/giu

export function senseOf(text: string): Sense {
  const plain = text.replace(NUMBER_SIGN, ' ').replace(BOUNDS, ' ')
  const denials = [...plain.matchAll(DENIAL)].filter(
    ({ 0: word }, i) => i === 0 || !CONTINUED_DENIAL.test(word),
  )
  const subclause = SUBCLAUSE.exec(plain)
  return {
    denials: denials.length,
    deniesInSubclause: subclause !== null && denials.some(({ index }) => index > subclause.index),
    isWithout: WITHOUT.test(plain),
    isUniversal: UNIVERSAL.test(plain),
    isConditional: CONDITIONAL.test(plain),
  }
}
