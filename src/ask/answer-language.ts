// The language that an answer's own sentences are written in.

import { type AnalysedText, analysedText } from '../language/analysed-text.ts'
import { LANGUAGES, type Language } from '../language/language.ts'

const ANSWER_LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number]

// Question words and other common words of questions that no other of the four languages has; short questions have
// few other words to recognise the language by.
const QUESTION_WORDS: Record<AnswerLanguage, ReadonlySet<string>> = {
  en: setOf(
    'what which who whom whose when where why how does did is are the was were there any of to for has have between and',
  ),
  de: setOf(
    'was welche welcher welches welchen welchem wer wen wem wessen wann wo wohin woher warum weshalb wie wieviel wieviele womit wofür gibt ist sind kostet der das und',
  ),
  fr: setOf(
    "quel quelle quels quelles qui quoi quand où pourquoi comment combien est-ce qu'est-ce le les est sont du",
  ),
  es: setOf(
    'qué cuál cuáles quién quiénes cuándo dónde cómo cuánto cuánta cuántos cuántas el los las es son del hay',
  ),
}

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

export const isAnswerLanguage = (language: Language): boolean =>
  ANSWER_LANGUAGES.some((answerLanguage) => answerLanguage === language)

// A single word may also be one of another language: "was", "is", "in".
const CERTAIN_VOTES = 2

/** The language of a question if enough of its words are certain. Undefined if too few are. */
export function certainLanguage(question: AnalysedText): AnswerLanguage | undefined {
  const [bestVote, nextVote] = votesOf(question)
  return bestVote && bestVote.n >= CERTAIN_VOTES && bestVote.n > (nextVote?.n ?? 0)
    ? bestVote.language
    : undefined
}

/** The four languages by how many words of the question are theirs, most first. */
function votesOf({ words }: AnalysedText): { language: AnswerLanguage; n: number }[] {
  const questionWords = words.map(({ raw }) => raw.toLowerCase())
  return ANSWER_LANGUAGES.map((language) => ({
    language,
    n: questionWords.filter((word) => QUESTION_WORDS[language].has(word)).length,
  })).sort((a, b) => b.n - a.n)
}

/** The language of a question, if answers can be written in it; English for any other. */
export function answerLanguage(question: string | AnalysedText): AnswerLanguage {
  const read = analysedText(question)
  if (/[¿¡]/.test(read.text)) return 'es'
  const [bestVote, nextVote] = votesOf(read)
  if (bestVote && bestVote.n > (nextVote?.n ?? 0)) return bestVote.language
  const guessedLanguage = read.languageAmong(LANGUAGES)
  return ANSWER_LANGUAGES.find((language) => language === guessedLanguage) ?? 'en'
}
