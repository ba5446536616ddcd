// The language of a question, in which the sentences of its answer are written.

import { type AnalysedText, analysedText } from '../language/analysed-text.ts'
import { LANGUAGES, type Language } from '../language/language.ts'

const ANSWER_LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type AnswerLanguage = (typeof ANSWER_LANGUAGES)[number]

// Question words and other common words of questions that only one of the four languages has. Short questions have few other words
// that show the language. Not "es", which is also German, nor "son", which is also French.
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
    'qué cuál cuáles quién quiénes cuándo dónde cómo cuánto cuánta cuántos cuántas cual cuales quien quienes cuando donde como cuanto cuanta cuantos cuantas el los las del hay',
  ),
}

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

export const isAnswerLanguage = (language: Language): boolean =>
  ANSWER_LANGUAGES.some((answerLanguage) => answerLanguage === language)

// More than one, because a single word may also be a word of another language: "was", "is", "in".
const CERTAIN_VOTES = 2

/** The language of a question if enough of its words belong to one language only. Undefined otherwise. */
export function certainLanguage(question: AnalysedText): AnswerLanguage | undefined {
  const [best, second] = votesOf(question)
  return best && best.votes >= CERTAIN_VOTES && best.votes > (second?.votes ?? 0) ? best.language : undefined
}

/** The four languages with the number of words of the question that belong to them, the highest first. */
function votesOf({ words }: AnalysedText): { language: AnswerLanguage; votes: number }[] {
  const questionWords = words.map(({ raw }) => raw.toLowerCase())
  return ANSWER_LANGUAGES.map((language) => ({
    language,
    votes: questionWords.filter((word) => QUESTION_WORDS[language].has(word)).length,
  })).sort((a, b) => b.votes - a.votes)
}

/** The language of a question if answers can be written in it, else English. */
export function answerLanguage(question: string | AnalysedText): AnswerLanguage {
  const analysed = analysedText(question)
  if (/[¿¡]/.test(analysed.text)) return 'es'
  const [best, second] = votesOf(analysed)
  if (best && best.votes > (second?.votes ?? 0)) return best.language
  const guessedLanguage = analysed.languageAmong(LANGUAGES)
  return ANSWER_LANGUAGES.find((language) => language === guessedLanguage) ?? 'en'
}
