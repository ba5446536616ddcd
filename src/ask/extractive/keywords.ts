// How far texts cover a question: each content word weighs its idf in the workspace, a word
// the workspace does not know weighs most. The share found decides between answer, hedge and abstention. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { LANGUAGES, type Language } from '../../language/language.ts'
import { meaningsIn } from '../../language/synonyms.ts'
import { fold, words } from '../../language/words.ts'
import type { Passage, QueryTerm } from '../../search/passage.ts'
import { type AnswerType, namesType } from './answer-type.ts'
import { isCode } from './question.ts'

/** A content word of the question, with its forms in every language (a workspace may hold several). */
export interface Part {
  /** As written. */
  word: string
  forms: ReadonlyMap<Language, string>
  /** Terms of other words that mean the same, in whatever language, for a word that the workspace does not hold. */
  also: ReadonlySet<string>
  /** idf times how much the word matters. */
  weight: number
  /** A word that any sentence may say in another way. */
  light: boolean
  /** Whether any live chunk holds it. */
  known: boolean
}

export interface TermStatistics {
  terms: readonly QueryTerm[]
  chunks: number
}

// Words about asking and about documents, not about the matter.
const NOISE =
  /^(?:according|documents?|files?|library|please|tell|explain|describe|mention(?:ed|s)?|say|says|said|find|know|question|answer|information|details?|summari[sz]e|summary|overview|compar(?:e|es|ed|ing|ison)|differ(?:s|ence|ences)?|versus|vs|dokumente?n?|bitte|steht|stehen|frage|antwort|unterschiede?|vergleiche?n?|zusammenfassung|überblick|gibt|s'il|plaît|quels?|quelles?|différences?|comparer|résume[rz]?|résumé|dites|diferencias?|comparar|resumen?|resumir|es|cuál(?:es)?|diga|hay|favor|wann|wieviele?|quand|comment|combien|pourquoi|quién(?:es)?|cuándo|cuánt[oa]s?|dónde|cómo)$/iu
// "cost" in "What does it cost?": the answer is a price and rarely says so.
const TYPE_WORD_WEIGHT = 0.25
// Verbs that any sentence may use another for ("must be given", "by giving").
const LIGHT =
  /^(?:giv(?:e|es|en|ing)|gave|tak(?:e|es|en|ing)|took|mak(?:e|es|ing)|made|get|gets|got|com(?:e|es|ing)|came|go|goes|went|put|puts|keep|keeps|need|needs|needed|want|wants|must|shall|happen|happens|happened|become|becomes|became|use|uses|used|allowed|possible|muss|müssen|darf|dürfen|soll|sollen|werden|geben|haben|machen|based|located|appl(?:y|ies)|last(?:s|ed)?|runs?|rules?|lists?|steps?|things?|kinds?|types?|höchstens|mindestens|maximal|minimal|regeln?|listen?|schritte?|règles?|étapes?|reglas?|pasos?|sitzt|sitzen|liegt|liegen|befinde(?:t|n)|gilt|gelten|beträgt|betragen|dauert|läuft|dure|dura|stammt|stammen|doit|faut|peut|donner|faire|debe|puede|hay|dar|hacer)$/i
const LIGHT_WEIGHT = 0.3
// How it was said and by whom in general: "which company, as reported in an article, …". Every text says so in its own way.
const TELLING =
  /^(?:articles?|reports?|reported(?:ly)?|reporting|publish(?:ed|es|ing)?|publications?|regarding|concerning|consider(?:ed|ing|s)?|discuss(?:ed|es|ing|ion)?|describ(?:ed|es|ing)|highlight(?:ed|s|ing)?|detail(?:ed|ing)|individuals?|identif(?:y|ied|ies)|suggest(?:ed|s|ing)?|claim(?:ed|s|ing)?|indicat(?:e|ed|es|ing)|both|based|known|covered|analysis|associated|involved|featured|respectively|named?|news|sources?|company|person|figure|artikel|bericht(?:e|et)?|laut|beschreibt|article|rapport|selon|décrit|artículo|informe|según|describe)$/iu
const TELLING_WEIGHT = 0.2
const TOPIC_WEIGHT = 0.5

/** The content words of a question, each once; those of `topic` (taken from the last question) weigh half. */
export function questionParts(
  question: { text: string; language: Language; type: AnswerType; topic?: string },
  statistics: TermStatistics,
): Part[] {
  const known = new Map(statistics.terms.map((term) => [term.term, term]))
  const most = Math.log(1 + (statistics.chunks + 0.5) / 0.5)
  const parts = new Map<string, Part>()
  const add = (text: string, factor: number): void => {
    const meanings = meaningsIn(text)
    for (const { raw } of words(text)) {
      if (NOISE.test(raw)) continue
      const own = worthOf(raw, question.type)
      for (const forms of formsOf(raw, question.language)) {
        const key = [...forms.values()][0] ?? raw
        if (parts.has(key)) continue
        const heard = (terms: Iterable<string>): QueryTerm[] =>
          [...terms].flatMap((term) => known.get(term) ?? []).filter((term) => term.df > 0)
        const direct = heard(forms.values())
        const also = new Set(
          direct.length ? [] : heard(termsOf(meanings.get(raw) ?? [])).map(({ term }) => term),
        )
        const found = direct.length ? direct : heard(also)
        // Of a word that any sentence may say in another way it means little that nobody says it.
        const unheard = own < 1 ? most / 2 : most
        const idf = found.length ? Math.min(...found.map((term) => term.idf)) : unheard
        parts.set(key, {
          word: raw,
          forms,
          also,
          weight: idf * own * factor,
          light: own < 1,
          known: found.length > 0,
        })
      }
    }
  }
  add(question.text, 1)
  if (question.topic) add(question.topic, TOPIC_WEIGHT)
  return [...parts.values()]
}

function worthOf(word: string, type: AnswerType): number {
  if (namesType(type, word)) return TYPE_WORD_WEIGHT
  if (TELLING.test(word)) return TELLING_WEIGHT
  return LIGHT.test(word) ? LIGHT_WEIGHT : 1
}

const MEANT_IN: readonly Language[] = ['en', 'de', 'fr', 'es']

const termsOf = (others: readonly string[]): Set<string> =>
  new Set(others.flatMap((word) => MEANT_IN.flatMap((language) => contentTerms(word, language))))

/** Words that mean the same as those of the text that the workspace does not hold: to be looked up as well. */
export function translations(
  text: string,
  statistics: TermStatistics,
  matters: (word: string) => boolean = () => true,
): string[] {
  const known = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  const unheard = [...words(text)].filter(
    ({ raw }) =>
      matters(raw) &&
      !LANGUAGES.some((language) => contentTerms(raw, language).some((term) => known.has(term))),
  )
  const meanings = meaningsIn(text)
  return [...new Set(unheard.flatMap(({ raw }) => meanings.get(raw) ?? []))]
}

/** Those of the words that some chunk holds. */
export function heardOf(all: readonly string[], statistics: TermStatistics): string[] {
  const known = new Set(statistics.terms.filter((term) => term.df > 0).map(({ term }) => term))
  return all.filter((word) =>
    MEANT_IN.some((language) => contentTerms(word, language).some((term) => known.has(term))),
  )
}

/** A word's terms (a code has several) in the question's language, each with its form in the others. */
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
export interface Profile {
  language: Language
  terms: ReadonlySet<string>
}

export const profileOf = (text: string, language: Language): Profile => ({
  language,
  terms: new Set(contentTerms(text, language)),
})

export const passageProfile = (passage: Passage): Profile =>
  profileOf(`${passage.document_title}\n${passage.heading}\n${passage.text}`, passage.language)

export function holds(profile: Profile, part: Part): boolean {
  const form = part.forms.get(profile.language)
  if (form !== undefined && profile.terms.has(form)) return true
  for (const term of part.also) if (profile.terms.has(term)) return true
  return false
}

/** The weighted share of the parts that at least one of the texts holds, 0 to 1; 1 when nothing was asked. */
export function covered(parts: readonly Part[], profiles: readonly Profile[]): number {
  const total = parts.reduce((sum, part) => sum + part.weight, 0)
  if (total === 0) return parts.length ? 0 : 1
  const found = parts.filter((part) => profiles.some((profile) => holds(profile, part)))
  return found.reduce((sum, part) => sum + part.weight, 0) / total
}

/** Names, codes and longer numbers of the question that no chunk of the workspace holds. */
export function unknownNames(names: readonly string[], parts: readonly Part[]): string[] {
  const unknown = parts.filter((part) => !part.known)
  const held = names.filter((name) => {
    const inName = new Set([...words(name)].map(({ raw }) => fold(raw)))
    return unknown.some((part) => inName.has(fold(part.word)))
  })
  const loose = unknown
    .map((part) => part.word)
    // A year or a longer number names something; an amount ("5,000") only measures.
    .filter((word) => isCode(word) || /^(?:\d{4}|\d{6,})$/.test(word))
    .filter((word) => !held.some((name) => name.includes(word)))
  return [...new Set([...held, ...loose])]
}
