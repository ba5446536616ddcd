// Analyses a sentence of a draft as a claim: its words, the names among them, its values, its negations and limits. Pure.

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
  /** Whether it is a part of a name or a code, which has no synonyms. */
  isName: boolean
  /** Terms of words that mean the same, in any language. */
  synonyms: ReadonlySet<string>
  /** For a compound: the terms that mean each of its parts. "Arbeitswoche" matches "working" close to "week". */
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

/** The text with spaces in place of its values. */
const blanked = (text: string, values: readonly TextValue[]): string =>
  values.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    text,
  )

// Only the most likely synonyms of each language are used, because support must be more certain than a search result.
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
 * The two words of the lexicon that a German compound consists of. Empty if there are none. Letters that link them, as in
 * "Arbeitswoche", are removed by stemming.
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

/** The negations and limits of a sentence. Two sentences with the same meaning have the same sense. */
export interface Sense {
  /** The number of negations. The meaning of several negations together is not analysed. */
  denials: number
  /** Whether a subordinate clause has a negation, as in "tenants who do not pay". It does not negate the sentence itself. */
  deniesInSubclause: boolean
  /** Whether the sentence contains "without". */
  isWithout: boolean
  /** Whether the sentence contains a word such as "all", "only" or "always". */
  isUniversal: boolean
  /** Whether the sentence contains a word such as "if" or "unless". */
  isConditional: boolean
}

// Matches "no more than", which limits an amount and negates nothing.
const BOUNDS =
  /(?<![\p{L}])(?:no|not|nicht|pas|no) (?:more|less|fewer|later|older|earlier|longer|mehr|weniger|später|länger|plus|moins|más|menos) (?:than|als|de|que)(?![\p{L}])/giu
const DENIAL =
  /(?<![\p{L}])(?:no|not|never|none|neither|nor|nobody|nothing|cannot|nicht|weder|keine?[rmns]?|nie|niemals|niemand|nichts|pas|jamais|aucune?|rien|ni|nunca|ningun[oa]s?|ningún|nadie|nada|tampoco)(?![\p{L}])|n['’]t(?![\p{L}])/giu
// After another negation these words continue it: "neither … nor", "ni … ni", "no … ninguna" and "ne … pas … aucun" are one
// negation.
const CONTINUED_DENIAL = /^(?:nor|jamais|aucune?|rien|ni|nunca|ningun[oa]s?|ningún|nadie|nada|tampoco)$/iu
// Matches the beginning of a subordinate clause. German articles begin one only after a comma.
const SUBCLAUSE =
  /(?<![\p{L}])(?:who|whom|whose|which|that|if|when|unless|because|where|wenn|falls|sofern|solange|weil|dass|welche[rsnm]?|qui|que|dont|lorsque|quand|quien(?:es)?|cuy[oa]s?|cuando|porque)(?![\p{L}])|,\s(?:\p{L}{2,5}\s)?(?:der|die|das|den|dem|deren|dessen)(?![\p{L}])/iu
const WITHOUT = /(?<![\p{L}])(?:without|ohne|sans|sin)(?![\p{L}])/iu
const UNIVERSAL =
  /(?<![\p{L}])(?:all|every|each|always|only|solely|exclusively|alle[rsnm]?|jede[rsnm]?|immer|nur|ausschließlich|tou(?:s|te|tes)|chaque|toujours|seulement|uniquement|tod[oa]s?|cada|siempre|s[óo]lo|solamente|únicamente)(?![\p{L}])/iu
const CONDITIONAL =
  /(?<![\p{L}])(?:if(?! any(?!one)| applicable| necessary)|unless|provided that|wenn|falls|sofern|es sei denn|sauf|à condition|salvo|siempre que)(?![\p{L}])/iu
// Matches "No. " before a number or a name, which means "number".
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
