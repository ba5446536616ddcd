// Makes questions that the passages of documents may answer, from their headings, sentences and tables. suggest.ts checks whether
// they are answered. Pure.

import { withoutFencedCode } from '../../language/fenced-code.ts'
import { sentences } from '../../language/sentences.ts'
import type { Passage } from '../../search/passage.ts'
import { type AnswerLanguage, isAnswerLanguage } from '../answer-language.ts'
import { headingsIn, withoutNumber } from '../extractive/text-structure.ts'
import { tableRows } from '../markdown-table.ts'
import type { Candidate, DraftQuestion } from './candidate.ts'
import { askForInstructions, askForLabel, askInEnglish } from './english.ts'
import { askForEventInGerman, askInGerman } from './german.ts'
import { askForEventInFrench, askForEventInSpanish, askInFrench, askInSpanish } from './romance.ts'
import { askOfTables } from './tables.ts'

const ASK: Record<AnswerLanguage, (sentence: string) => DraftQuestion | undefined> = {
  en: askInEnglish,
  de: askInGerman,
  fr: askInFrench,
  es: askInSpanish,
}

const ASK_FOR_INSTRUCTIONS: typeof ASK = {
  en: askForInstructions,
  de: askForEventInGerman,
  fr: askForEventInFrench,
  es: askForEventInSpanish,
}

const MAX_LENGTH = 90
const MIN_WORDS = 3
// Added if the heading contains the subject of the question, because the section is then about it.
const HEADING_BONUS = 0.3

/** The questions of one document, whose passages are in reading order. */
export function candidateQuestions(passages: readonly Passage[]): Candidate[] {
  const ofText = passages.flatMap((passage) => askOfText(passage).map((draft) => ({ draft, passage })))
  const ofTables = passages.some(({ language }) => language === 'en') ? askOfTables(passages) : []
  const all = [...ofText, ...ofTables].flatMap(({ draft, passage }): Candidate[] => {
    const { language } = passage
    if (!isAnswerLanguage(language) || !isAskable(draft.question)) return []
    const isUnderHeading = containsWordOf(passage.heading, draft.subject)
    if (draft.needsHeading && !isUnderHeading && !containsWordOf(passage.document_title, draft.subject))
      return []
    return [
      {
        question: draft.question,
        language: language as AnswerLanguage,
        form: draft.form,
        passage,
        ...(draft.statement !== undefined && { statement: draft.statement }),
        score: Math.min(1, draft.score + (isUnderHeading ? HEADING_BONUS : 0)),
      },
    ]
  })
  const questions = new Map<string, Candidate>()
  for (const candidate of all) {
    const other = questions.get(candidate.question)
    if (!other || other.score < candidate.score) questions.set(candidate.question, candidate)
  }
  return [...questions.values()]
}

const isAskable = (question: string): boolean =>
  question.length <= MAX_LENGTH &&
  question.split(/\s+/u).length >= MIN_WORDS &&
  !/[\n|*_`<>[\]{}]/u.test(question)

/** Whether the last part of a heading path contains a longer word of the subject. */
const containsWordOf = (heading: string, subject: string): boolean => {
  const words = subject
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 3)
  const lastHeading = heading.split(' > ').at(-1)?.toLowerCase() ?? ''
  return words.some((word) => lastHeading.includes(word))
}

function askOfText(passage: Passage): DraftQuestion[] {
  if (!isAnswerLanguage(passage.language)) return []
  const language = passage.language as AnswerLanguage
  const { textWithoutTables } = tableRows(withoutFencedCode(passage.text))
  return [
    ...headingsIn(textWithoutTables).flatMap(({ text }) => askOfHeading(text, language)),
    ...sentences(textWithoutTables).flatMap(({ text }) => {
      const phrase = withoutMarkup(text)
      const draft = ASK[language](phrase) ?? (language === 'en' ? askOfLine(phrase) : undefined)
      return draft ? [{ ...draft, statement: phrase }] : []
    }),
  ]
}

const QUESTION_BEGINNINGS: Record<AnswerLanguage, RegExp> = {
  en: /^(?:what|when|where|who|how|which|can|may|do|does|is|are|must|should|will)(?!\p{L})/iu,
  de: /^(?:was|wann|wo|wer|wie|welche[rsnm]?|kann|darf|muss|ist|sind|gibt|wohin|woher)(?!\p{L})/iu,
  fr: /^(?:que|quand|où|qui|comment|combien|quels?|quelles?|peut|puis|est-ce|à)(?!\p{L})/iu,
  es: /^¿/u,
}

// Words that are only understood in their section: "Is it worth it?"
const CONTEXT_DEPENDENT =
  /(?<!\p{L})(?:it|this|that|these|those|they|them|dies\p{L}*|ceci|cela|ça|esto|eso)(?!\p{L})/iu

/** The question in a heading, or the question for a heading about instructions. */
function askOfHeading(heading: string, language: AnswerLanguage): DraftQuestion[] {
  const text = withoutMarkup(heading)
  if (/^[^.!?]+\?$/u.test(text) && QUESTION_BEGINNINGS[language].test(text) && !CONTEXT_DEPENDENT.test(text))
    return [{ question: text, form: 'question heading', subject: text, score: 0.7 }]
  const instructions = ASK_FOR_INSTRUCTIONS[language](text)
  return instructions ? [instructions] : []
}

/** The question for a line with a label: "Meeting point: school gate, Mill Lane". */
function askOfLine(line: string): DraftQuestion | undefined {
  const { label, value } = /^(?<label>[^:\n]{4,40}): (?<value>[^:\n]{2,60})$/u.exec(line)?.groups ?? {}
  return label && value && /\d|\p{Lu}/u.test(value) ? askForLabel(label, value) : undefined
}

const withoutMarkup = (text: string): string =>
  withoutNumber(
    text
      .trim()
      .replace(/^#+\s+/u, '')
      .replaceAll('**', ''),
  )
    .replace(/\s+/gu, ' ')
    .trim()
