// Rewrites a follow-up question so that it can be understood alone, without a model. What is missing is taken from earlier
// turns. Recognises pronouns in English, German, French and Spanish, and short questions in any language. Pure.

import { contentWords } from '../../language/analyse.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { guessLanguage } from '../../language/guess.ts'
import { sentences } from '../../language/sentences.ts'
import { answerType, namesType } from '../extractive/answer-type.ts'
import { partsOfMessage } from '../extractive/asking-part.ts'
import { namesIn } from '../extractive/question.ts'
import { smallTalkIn } from '../extractive/small-talk.ts'
import { type CompletedQuestion, completeEllipsis } from './ellipsis.ts'
import type { EarlierTurn } from './threads.ts'

interface RewrittenQuestion {
  /** The question followed by the missing topic in brackets; unchanged when nothing is missing. */
  text: string
  /** The question of the message. An elliptical question is completed from the earlier one. */
  question: string
  /** Names or content words of earlier turns that the question leaves out; may be empty. */
  topic: string
  /** The names in an elliptical question, if it asks about them what the earlier question asked about another name. */
  names: string[]
  /**
   * The documents that a follow-up is about: those that the last answer with citations cites. None for any other question, nor for
   * a follow-up with a name of its own, since it turns to another thing.
   */
  documents: readonly string[]
}

/** What a conversation is about after some turns. */
interface ConversationTopic {
  /** The last question, complete. An elliptical question is completed from it. */
  question: string
  /** The names in the questions. */
  names: string[]
  /** The other content words of the questions. */
  contentWords: string[]
  /** What the latest elliptical question asked about: "and a windscreen replacement?" */
  latestSubject: string[]
  /** Names that the last answer introduced. */
  introduced: string[]
}

const NO_TOPIC: ConversationTopic = {
  question: '',
  names: [],
  contentWords: [],
  latestSubject: [],
  introduced: [],
}

export function rewriteFollowUp(
  message: string | AnalysedText,
  turns: readonly EarlierTurn[],
): RewrittenQuestion {
  const analysedMessage = analysedText(message)
  const question = analysedMessage.text
  const subject = turns.reduce(
    (topic, turn) => nextTopic(topic, analysedMessage.part(turn.question), turn.answer),
    NO_TOPIC,
  )
  const completed = completedBy(analysedMessage, subject)
  const topic = (completed ? completed.carriedWords : missingTopic(analysedMessage, subject)).join(' ')
  const text = completed?.text ?? question
  const isOfSame = (completed !== undefined || topic !== '') && namesOf(analysedMessage).length === 0
  const cited = turns.findLast(({ documents }) => documents?.length)?.documents ?? []
  return {
    text: topic ? `${text} (${topic})` : text,
    question: completed?.questionWithoutNames ?? question,
    topic: [...(completed?.names ?? []), topic].filter(Boolean).join(' '),
    names: completed?.namesAnother ? namesOf(analysedMessage) : [],
    documents: isOfSame ? cited : [],
  }
}

interface Completion extends CompletedQuestion {
  /** Names and content words that still apply from the turns before the earlier question. */
  carriedWords: string[]
}

function completedBy(question: AnalysedText, subject: ConversationTopic): Completion | undefined {
  const refers =
    refersBack(subject.question, PERSON_PRONOUN, []) || refersBack(subject.question, THING_PRONOUN, [])
  const questionPart = question.part(partsOfMessage(question.text).question)
  const completed = completeEllipsis(questionPart, question.part(subject.question), refers)
  if (!completed) return undefined
  const isIn = (word: string): boolean => completed.text.includes(word)
  const carried = completed.namesAnother ? (refers ? subject.latestSubject : []) : subject.names
  return { ...completed, carriedWords: carried.filter((word) => !isIn(word)) }
}

// Questions with fewer content words are too short to search for.
const MIN_QUESTION_WORDS = 4
// Content words carried over from an earlier question, and names from its answer.
const MAX_CARRIED_OVER = 8
const MAX_INTRODUCED = 2
const MAX_LINES = 20

const PERSON_PRONOUN =
  /(?<![\p{L}\p{N}])(?:he|him|his|she|her|hers|they|them|their|theirs|er|ihn|ihm|ihr|ihre[mnrs]?|sie|il|elle|ils|elles|lui|él|ella|ellos|ellas)(?![\p{L}\p{N}])/u
const THING_PRONOUN =
  /(?<![\p{L}\p{N}])(?:it|its|these|those|the same|else|dessen|deren|davon|dafür|dazu|daran|darin|damit|diese[mnrs]?|cela|ça|celui-ci|celle-ci|ceux-ci|ce dernier|eso|esto|ello|sus?|(?:this|that|one|das|dies)(?=\s*(?:[?.,!]|$)|\s+(?:is|was|does|did|mean|cost|happen|apply|work|ist|war|kostet|gilt|bedeutet|heißt)))(?![\p{L}\p{N}])/iu

/** What is missing in the question and is taken from the topic; empty if nothing is missing. */
function missingTopic(
  question: AnalysedText,
  { names, contentWords: carriedWords, latestSubject: latest, introduced }: ConversationTopic,
): string[] {
  const namesInQuestion = namesOf(question)
  const refersToPerson = refersBack(question.text, PERSON_PRONOUN, namesInQuestion)
  const refersToThing = refersBack(question.text, THING_PRONOUN, namesInQuestion)
  const isShort = contentWordsOf(question).length < MIN_QUESTION_WORDS
  if (!refersToPerson && !refersToThing && !isShort) return []
  // "And MF-204?" after "What does PX-7 cost?" asks the same about another thing.
  if (isShort && namesInQuestion.length) return refersToPerson || refersToThing ? names : carriedWords
  if (refersToPerson && introduced.length)
    return [...new Set([...introduced, ...(refersToThing ? names : [])])]
  if (names.length) return [...names, ...latest]
  return introduced.length && (refersToPerson || refersToThing)
    ? [...carriedWords.slice(0, MIN_QUESTION_WORDS), ...introduced]
    : carriedWords
}

/** Whether a pronoun refers to an earlier turn: one that follows a name of the same question refers to that name. */
function refersBack(question: string, pronouns: RegExp, namesInQuestion: readonly string[]): boolean {
  const pronounStart = pronouns.exec(question)?.index
  return pronounStart !== undefined && !namesInQuestion.some((name) => question.indexOf(name) < pronounStart)
}

/** The topic after one more turn; a follow-up without names of its own stays on the same topic. */
function nextTopic(topic: ConversationTopic, question: AnalysedText, answer: string): ConversationTopic {
  if (smallTalkIn(question.text)) return topic
  const completed = completedBy(question, topic)
  const completeQuestion = completed ? question.part(completed.text) : question
  const ownNames = namesOf(completeQuestion)
  const contentWords = wordsBeside(ownNames, completeQuestion)
  const isFollowUp = completed !== undefined || missingTopic(question, topic).length > 0
  const names = ownNames.length || !isFollowUp ? ownNames : topic.names
  const carriedWords = isFollowUp && contentWords.length === 0 ? topic.contentWords : contentWords
  // The latest words come first, and the oldest are forgotten.
  const allWords = [...new Set([...contentWordsOf(question), ...(isFollowUp ? topic.contentWords : [])])]
  return {
    question: completed?.text ?? partsOfMessage(question.text).question,
    names,
    contentWords: (names.length ? carriedWords : completed ? contentWords : allWords).slice(
      0,
      MAX_CARRIED_OVER,
    ),
    latestSubject: completed
      ? subjectOf(completed.text, contentWords)
      : isFollowUp
        ? topic.latestSubject
        : [],
    introduced: namesIntroduced(answer, names),
  }
}

/** The content words without those that name the type of answer, such as "price". */
function subjectOf(question: string, contentWords: readonly string[]): string[] {
  const type = answerType(question)
  return contentWords.filter((word) => !namesType(type, word)).slice(0, MIN_QUESTION_WORDS)
}

const wordsBeside = (names: readonly string[], question: AnalysedText): string[] =>
  contentWordsOf(question).filter((word) => !names.some((name) => name.includes(word)))

/** The names in a question, including a number that follows: Unit 7. */
function namesOf(question: AnalysedText): string[] {
  const { text } = question
  return namesIn(question, guessLanguage(question)).map((name) => {
    const number = /^\s\d+(?![\p{L}\p{N}.,:]\d)/u.exec(text.slice(text.indexOf(name) + name.length))
    return `${name}${number?.[0] ?? ''}`
  })
}

/** New names in the first line of an answer that has any; a title after a dash is the quotation's source. */
function namesIntroduced(answer: string, earlierNames: readonly string[]): string[] {
  const isNew = (name: string): boolean =>
    !earlierNames.some((other) => other.toLowerCase().includes(name.toLowerCase()))
  // The words of a cell are too few to tell its language, and none of them begins a sentence.
  const newNamesIn = (text: string, language = guessLanguage(text)): string[] => [
    ...new Set(namesIn(`: ${text}`, language).filter(isNew)),
  ]
  const lines = answer.split('\n').slice(0, MAX_LINES)
  for (const [i, line] of lines.entries()) {
    // The names of columns are none.
    if (isRule(line) || isRule(lines[i + 1] ?? '')) continue
    const plainLine = line.replace(/ — .*$/, '').replace(/[*_>#“”"«»„]/g, ' ')
    const cells = cellsOf(plainLine)
    const names = cells
      ? namesOfRow(
          earlierNames.filter((name) => plainLine.includes(name)),
          cells.flatMap((cell) => newNamesIn(cell, 'en')),
        )
      : (
          sentences(plainLine)
            .map(({ text }) => newNamesIn(text))
            .find((candidates) => candidates.length > 0) ?? []
        ).slice(0, MAX_INTRODUCED)
    if (names.length > 0) return names
  }
  return []
}

const isRule = (line: string): boolean => /^\|[\s|-]+$/.test(line)

/**
 * What a row that was quoted is about: what was asked about, if it has that, and full names, which "she" means likelier than the
 * first word of a cell.
 */
function namesOfRow(columnNames: readonly string[], cells: readonly string[]): string[] {
  const full = cells.filter((name) => name.includes(' '))
  const introduced = columnNames.length + full.length > 0 ? full : cells
  return [...columnNames, ...introduced.slice(0, MAX_INTRODUCED)]
}

/** The texts of the cells of a row, as an answer shows it: "Boat: Grebe · Keeper: Lena Hartig", or between bars. */
function cellsOf(line: string): string[] | undefined {
  if (line.startsWith('|')) return line.split('|').map((cell) => cell.trim())
  const parts = line.replace(/^\s*-\s/, '').split(' · ')
  return parts.length > 1 ? parts.map((part) => part.replace(/^[^:]{1,60}:\s/, '')) : undefined
}

// The language is guessed once for the text: guessing it for each word blocked the process for 2 s on 8,000 characters.
const contentWordsOf = (text: AnalysedText): string[] =>
  // Words of one letter are left out.
  contentWords(text, guessLanguage(text)).filter((word) => !/^\p{Ll}$/u.test(word))
