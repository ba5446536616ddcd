// The keywords of a question and how much of them texts cover. A keyword weighs its idf in the workspace; one that
// the workspace does not contain weighs most. Coverage decides between an answer, a hedge and abstention. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { synonymsInText } from '../../language/synonyms.ts'
import { fold, words } from '../../language/words.ts'
import type { Passage, QueryTerm } from '../../search/passage.ts'
import { passageText } from '../passage.ts'
import { type AnswerType, namesType } from './answer-type.ts'
import { isCode } from './question.ts'

/**
 * A content word of the question, with its term in every language, because a workspace may have documents in several.
 */
export interface Keyword {
  /** As written. */
  word: string
  forms: ReadonlyMap<Language, string>
  /** Terms of synonyms in any language, for a word that the workspace does not contain. */
  synonyms: ReadonlySet<string>
  /** idf times importance. */
  weight: number
  /** A word that a sentence can easily replace by another. */
  isGeneric: boolean
  /** Whether any live chunk contains it. */
  isKnown: boolean
}

export interface TermStatistics {
  terms: readonly QueryTerm[]
  chunks: number
}

// Words about asking and about documents, not about the subject.
const NOISE =
  /^(?:according|documents?|files?|library|please|tell|explain|describe|mention(?:ed|s)?|say|says|said|find|know|question|answer|information|details?|summari[sz]e|summary|overview|compar(?:e|es|ed|ing|ison)|differ(?:s|ence|ences)?|versus|vs|dokumente?n?|bitte|steht|stehen|frage|antwort|unterschiede?|vergleiche?n?|zusammenfassung|überblick|gibt|s'il|plaît|quels?|quelles?|différences?|comparer|résume[rz]?|résumé|dites|diferencias?|comparar|resumen?|resumir|es|cuál(?:es)?|diga|hay|favor|wann|wieviele?|quand|comment|combien|pourquoi|quién(?:es)?|cuándo|cuánt[oa]s?|dónde|cómo)$/iu
// "cost" in "What does it cost?": the answer is a price and rarely contains the word.
const TYPE_WORD_WEIGHT = 0.25
// Words that a sentence can easily replace by others ("must be given", "by giving").
const GENERIC =
  /^(?:giv(?:e|es|en|ing)|gave|tak(?:e|es|en|ing)|took|mak(?:e|es|ing)|made|get|gets|got|com(?:e|es|ing)|came|go|goes|went|put|puts|keep|keeps|need|needs|needed|want|wants|must|shall|happen|happens|happened|become|becomes|became|use|uses|used|allowed|possible|muss|müssen|darf|dürfen|soll|sollen|werden|geben|haben|machen|based|located|appl(?:y|ies)|last(?:s|ed)?|runs?|rules?|lists?|steps?|things?|kinds?|types?|höchstens|mindestens|maximal|minimal|regeln?|listen?|schritte?|règles?|étapes?|reglas?|pasos?|sitzt|sitzen|liegt|liegen|befinde(?:t|n)|gilt|gelten|beträgt|betragen|dauert|läuft|dure|dura|stammt|stammen|doit|faut|peut|donner|faire|debe|puede|hay|dar|hacer)$/i
const GENERIC_WEIGHT = 0.3
// Attribution ("which company, as reported in an article, …"), which every text words differently.
const ATTRIBUTION =
  /^(?:articles?|reports?|reported(?:ly)?|reporting|publish(?:ed|es|ing)?|publications?|regarding|concerning|consider(?:ed|ing|s)?|discuss(?:ed|es|ing|ion)?|describ(?:ed|es|ing)|highlight(?:ed|s|ing)?|detail(?:ed|ing)|individuals?|identif(?:y|ied|ies)|suggest(?:ed|s|ing)?|claim(?:ed|s|ing)?|indicat(?:e|ed|es|ing)|both|based|known|covered|analysis|associated|involved|featured|respectively|named?|news|sources?|company|person|figure|artikel|bericht(?:e|et)?|laut|beschreibt|article|rapport|selon|décrit|artículo|informe|según|describe)$/iu
const ATTRIBUTION_WEIGHT = 0.2
const TOPIC_WEIGHT = 0.5

/** The keywords of a question, each once; those of `topic`, which comes from earlier turns, weigh half. */
export function questionKeywords(
  question: { text: string; language: Language; type: AnswerType; topic?: string },
  statistics: TermStatistics,
): Keyword[] {
  const known = new Map(statistics.terms.map((term) => [term.term, term]))
  const most = Math.log(1 + (statistics.chunks + 0.5) / 0.5)
  const keywords = new Map<string, Keyword>()
  const add = (text: string, factor: number): void => {
    const synonymsByWord = synonymsInText(text)
    for (const { raw } of words(text)) {
      if (NOISE.test(raw)) continue
      const importance = importanceOf(raw, question.type)
      for (const forms of formsOf(raw, question.language)) {
        const key = [...forms.values()][0] ?? raw
        if (keywords.has(key)) continue
        const knownTerms = (terms: Iterable<string>): QueryTerm[] =>
          [...terms].flatMap((term) => known.get(term) ?? []).filter((term) => term.df > 0)
        const exact = knownTerms(forms.values())
        const synonyms = new Set(
          exact.length ? [] : knownTerms(termsOf(synonymsByWord.get(raw) ?? [])).map(({ term }) => term),
        )
        const found = exact.length ? exact : knownTerms(synonyms)
        // That no chunk contains a generic word means little.
        const unknown = importance < 1 ? most / 2 : most
        const idf = found.length ? Math.min(...found.map((term) => term.idf)) : unknown
        keywords.set(key, {
          word: raw,
          forms,
          synonyms,
          weight: idf * importance * factor,
          isGeneric: importance < 1,
          isKnown: found.length > 0,
        })
      }
    }
  }
  add(question.text, 1)
  if (question.topic) add(question.topic, TOPIC_WEIGHT)
  return [...keywords.values()]
}

function importanceOf(word: string, type: AnswerType): number {
  if (namesType(type, word)) return TYPE_WORD_WEIGHT
  if (ATTRIBUTION.test(word)) return ATTRIBUTION_WEIGHT
  return GENERIC.test(word) ? GENERIC_WEIGHT : 1
}

const SYNONYM_LANGUAGES: readonly Language[] = ['en', 'de', 'fr', 'es']

const termsOf = (others: readonly string[]): Set<string> =>
  new Set(others.flatMap((word) => SYNONYM_LANGUAGES.flatMap((language) => contentTerms(word, language))))

/** Synonyms of the words of a text that the workspace does not contain. */
export function synonymsOfUnknownWords(
  text: string,
  statistics: TermStatistics,
  isWanted: (word: string) => boolean = () => true,
): string[] {
  const known = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  const unknown = [...words(text)].filter(
    ({ raw }) =>
      isWanted(raw) &&
      !LANGUAGES.some((language) => contentTerms(raw, language).some((term) => known.has(term))),
  )
  const synonymsByWord = synonymsInText(text)
  return [...new Set(unknown.flatMap(({ raw }) => synonymsByWord.get(raw) ?? []))]
}

/** The words that some chunk contains. */
export function knownWords(all: readonly string[], statistics: TermStatistics): string[] {
  const known = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  return all.filter((word) =>
    SYNONYM_LANGUAGES.some((language) => contentTerms(word, language).some((term) => known.has(term))),
  )
}

/** A word's terms in the question's language (a code has several), each with its form in the other languages. */
function formsOf(raw: string, language: Language): ReadonlyMap<Language, string>[] {
  const own = contentTerms(raw, language)
  const others = LANGUAGES.map((other) => ({ other, terms: contentTerms(raw, other) }))
  return own.map((term, i) => {
    const forms = new Map<Language, string>([[language, term]])
    for (const { other, terms } of others) {
      if (terms.length === own.length) forms.set(other, terms[i] ?? term)
    }
    return forms
  })
}

/** The terms of a text in one language. */
export interface TextTerms {
  language: Language
  terms: ReadonlySet<string>
}

export const textTerms = (text: string, language: Language): TextTerms => ({
  language,
  terms: new Set(contentTerms(text, language)),
})

export const passageTerms = (passage: Passage): TextTerms => textTerms(passageText(passage), passage.language)

export function contains(text: TextTerms, keyword: Keyword): boolean {
  const form = keyword.forms.get(text.language)
  if (form !== undefined && text.terms.has(form)) return true
  for (const term of keyword.synonyms) if (text.terms.has(term)) return true
  return false
}

/** The weighted share of the keywords that at least one of the texts contains, 0 to 1; 1 without keywords. */
export function coverage(keywords: readonly Keyword[], texts: readonly TextTerms[]): number {
  const total = keywords.reduce((sum, keyword) => sum + keyword.weight, 0)
  if (total === 0) return keywords.length ? 0 : 1
  const found = keywords.filter((keyword) => texts.some((text) => contains(text, keyword)))
  return found.reduce((sum, keyword) => sum + keyword.weight, 0) / total
}

/** Names, codes and longer numbers of the question that no chunk of the workspace contains. */
export function unknownNames(names: readonly string[], keywords: readonly Keyword[]): string[] {
  const unknown = keywords.filter((keyword) => !keyword.isKnown)
  const unknownOfNames = names.filter((name) => {
    const inName = new Set([...words(name)].map(({ raw }) => fold(raw)))
    return unknown.some((keyword) => inName.has(fold(keyword.word)))
  })
  const others = unknown
    .map((keyword) => keyword.word)
    // A year or a longer number identifies something; an amount ("5,000") does not.
    .filter((word) => isCode(word) || /^(?:\d{4}|\d{6,})$/.test(word))
    .filter((word) => !unknownOfNames.some((name) => name.includes(word)))
  return [...new Set([...unknownOfNames, ...others])]
}
