// Rewrites a follow-up question with words from earlier turns, without a model, so that it can be understood alone. Recognises pronouns in
// English, German, French and Spanish, and short questions in any language.

import { contentWords } from '../../language/analyse.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { guessLanguage } from '../../language/guess.ts'
import { sentences } from '../../language/sentences.ts'
import { answerType, isTypeWord } from '../extractive/answer-type.ts'
import { partsOfMessage } from '../extractive/asking-part.ts'
import { namesIn } from '../extractive/question.ts'
import { smallTalkIn } from '../extractive/small-talk.ts'
import { type CompletedQuestion, completeEllipsis } from './ellipsis.ts'
import type { EarlierTurn } from './threads.ts'

interface RewrittenQuestion {
  /** The question, followed by the missing topic in brackets. Unchanged if nothing is missing. */
  text: string
  /** The question of the message. An elliptical question is completed from the earlier one. */
  question: string
  /** The names or content words of earlier turns that the question leaves out. It may be empty. */
  topic: string
  /** The names in an elliptical question, if it asks about them what the earlier question asked about another name. */
  names: string[]
  /**
   * The documents that a follow-up is about: those that the last answer with citations cites. Empty for any other question, and for
   * a follow-up with a name of its own, because it is about another thing.
   */
  documents: readonly string[]
}

/** The topic of a conversation after some turns. */
interface ConversationTopic {
  /** The last question, complete. An elliptical question is completed from it. */
  question: string
  /** The names in the questions. */
  names: string[]
  /** The other content words of the questions. */
  contentWords: string[]
  /** The words that the latest elliptical question added: "windscreen replacement" of "and a windscreen replacement?" */
  latestSubject: string[]
  /** Names that are new in the last answer. */
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
  const conversation = turns.reduce(
    (topic, turn) => nextTopic(topic, analysedMessage.part(turn.question), turn.answer),
    NO_TOPIC,
  )
  const completed = completeFrom(conversation, analysedMessage)
  const topic = (completed ? completed.carriedWords : missingTopic(analysedMessage, conversation)).join(' ')
  const text = completed?.text ?? question
  const isAboutSame = (completed !== undefined || topic !== '') && namesOf(analysedMessage).length === 0
  const citedDocuments = turns.findLast(({ documents }) => documents?.length)?.documents ?? []
  return {
    text: topic ? `${text} (${topic})` : text,
    question: completed?.questionWithoutNames ?? question,
    topic: [...(completed?.names ?? []), topic].filter(Boolean).join(' '),
    names: completed?.namesAnother ? namesOf(analysedMessage) : [],
    documents: isAboutSame ? citedDocuments : [],
  }
}

interface Completion extends CompletedQuestion {
  /** Names and content words that still apply from the turns before the earlier question. */
  carriedWords: string[]
}

function completeFrom(topic: ConversationTopic, question: AnalysedText): Completion | undefined {
  const hasPronoun =
    refersBack(topic.question, PERSON_PRONOUN, []) || refersBack(topic.question, THING_PRONOUN, [])
  const questionPart = question.part(partsOfMessage(question.text).question)
  const completed = completeEllipsis(questionPart, question.part(topic.question), hasPronoun)
  if (!completed) return undefined
  const topicWords = completed.namesAnother ? (hasPronoun ? topic.latestSubject : []) : topic.names
  return { ...completed, carriedWords: topicWords.filter((word) => !completed.text.includes(word)) }
}

// Questions with fewer content words are too short to search for.
const MIN_QUESTION_WORDS = 4
// Content words carried over from an earlier question, and names from its answer.
const MAX_CARRIED_WORDS = 8
const MAX_INTRODUCED_NAMES = 2
const MAX_ANSWER_LINES = 20

const PERSON_PRONOUN =
  /(?<![\p{L}\p{N}])(?:he|him|his|she|her|hers|they|them|their|theirs|er|ihn|ihm|ihr|ihre[mnrs]?|sie|il|elle|ils|elles|lui|él|ella|ellos|ellas)(?![\p{L}\p{N}])/u
const THING_PRONOUN =
  /(?<![\p{L}\p{N}])(?:it|its|these|those|the same|else|dessen|deren|davon|dafür|dazu|daran|darin|damit|diese[mnrs]?|cela|ça|celui-ci|celle-ci|ceux-ci|ce dernier|eso|esto|ello|sus?|(?:this|that|one|das|dies)(?=\s*(?:[?.,!]|$)|\s+(?:is|was|does|did|mean|cost|happen|apply|work|ist|war|kostet|gilt|bedeutet|heißt)))(?![\p{L}\p{N}])/iu

/** The words of the topic that the question leaves out. Empty if it leaves out nothing. */
function missingTopic(
  question: AnalysedText,
  { names, contentWords: topicWords, latestSubject, introduced }: ConversationTopic,
): string[] {
  const namesInQuestion = namesOf(question)
  const refersToPerson = refersBack(question.text, PERSON_PRONOUN, namesInQuestion)
  const refersToThing = refersBack(question.text, THING_PRONOUN, namesInQuestion)
  const isShort = contentWordsOf(question).length < MIN_QUESTION_WORDS
  if (!refersToPerson && !refersToThing && !isShort) return []
  // "And MF-204?" after "What does PX-7 cost?" asks the same about another thing.
  if (isShort && namesInQuestion.length) return refersToPerson || refersToThing ? names : topicWords
  if (refersToPerson && introduced.length)
    return [...new Set([...introduced, ...(refersToThing ? names : [])])]
  if (names.length) return [...names, ...latestSubject]
  return introduced.length && (refersToPerson || refersToThing)
    ? [...topicWords.slice(0, MIN_QUESTION_WORDS), ...introduced]
    : topicWords
}

/** Whether a pronoun refers to an earlier turn. A pronoun after a name of the same question refers to that name. */
function refersBack(question: string, pronouns: RegExp, namesInQuestion: readonly string[]): boolean {
  const pronounStart = pronouns.exec(question)?.index
  return pronounStart !== undefined && !namesInQuestion.some((name) => question.indexOf(name) < pronounStart)
}

/** The topic after one more turn. A follow-up without names of its own stays on the same topic. */
function nextTopic(topic: ConversationTopic, question: AnalysedText, answer: string): ConversationTopic {
  if (smallTalkIn(question.text)) return topic
  const completed = completeFrom(topic, question)
  const completeQuestion = completed ? question.part(completed.text) : question
  const ownNames = namesOf(completeQuestion)
  const contentWords = wordsBeside(ownNames, completeQuestion)
  const isFollowUp = completed !== undefined || missingTopic(question, topic).length > 0
  const names = ownNames.length || !isFollowUp ? ownNames : topic.names
  const carriedWords = isFollowUp && contentWords.length === 0 ? topic.contentWords : contentWords
  // The latest words come first. The oldest are dropped by MAX_CARRIED_WORDS.
  const allWords = [...new Set([...contentWordsOf(question), ...(isFollowUp ? topic.contentWords : [])])]
  return {
    question: completed?.text ?? partsOfMessage(question.text).question,
    names,
    contentWords: (names.length ? carriedWords : completed ? contentWords : allWords).slice(
      0,
      MAX_CARRIED_WORDS,
    ),
    latestSubject: completed
      ? subjectOf(completed.text, contentWords)
      : isFollowUp
        ? topic.latestSubject
        : [],
    introduced: namesIntroduced(answer, names),
  }
}

/** The content words without words for the type of answer, such as "price". */
function subjectOf(question: string, contentWords: readonly string[]): string[] {
  const type = answerType(question)
  return contentWords.filter((word) => !isTypeWord(type, word)).slice(0, MIN_QUESTION_WORDS)
}

const wordsBeside = (names: readonly string[], question: AnalysedText): string[] =>
  contentWordsOf(question).filter((word) => !names.some((name) => name.includes(word)))

/** The names in a question, each with a number that follows it: "Unit 7". */
function namesOf(question: AnalysedText): string[] {
  const { text } = question
  return namesIn(question, guessLanguage(question)).map((name) => {
    const number = /^\s\d+(?![\p{L}\p{N}.,:]\d)/u.exec(text.slice(text.indexOf(name) + name.length))
    return `${name}${number?.[0] ?? ''}`
  })
}

/**
 * The new names in the first line of an answer that has new names. Text after a dash is left out, because it is the source of a
 * quote.
 */
function namesIntroduced(answer: string, earlierNames: readonly string[]): string[] {
  const isNew = (name: string): boolean =>
    !earlierNames.some((other) => other.toLowerCase().includes(name.toLowerCase()))
  // A cell has too few words to guess its language. The colon keeps its first word from counting as the beginning of a sentence.
  const newNamesIn = (text: string, language = guessLanguage(text)): string[] => [
    ...new Set(namesIn(`: ${text}`, language).filter(isNew)),
  ]
  const lines = answer.split('\n').slice(0, MAX_ANSWER_LINES)
  for (const [i, line] of lines.entries()) {
    // The header row of a table contains no names.
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
        ).slice(0, MAX_INTRODUCED_NAMES)
    if (names.length > 0) return names
  }
  return []
}

const isRule = (line: string): boolean => /^\|[\s|-]+$/.test(line)

/**
 * The names that a quoted row is about: the earlier names in it, and new full names. Single words count only if there are no other
 * names, because a pronoun such as "she" usually refers to a full name.
 */
function namesOfRow(earlierNames: readonly string[], newNames: readonly string[]): string[] {
  const fullNames = newNames.filter((name) => name.includes(' '))
  const introduced = earlierNames.length + fullNames.length > 0 ? fullNames : newNames
  return [...earlierNames, ...introduced.slice(0, MAX_INTRODUCED_NAMES)]
}

/** The cells of a row that an answer quotes, either as "Boat: Grebe · Keeper: Lena Hartig" or as a row of a Markdown table. */
function cellsOf(line: string): string[] | undefined {
  if (line.startsWith('|')) return line.split('|').map((cell) => cell.trim())
  const parts = line.replace(/^\s*-\s/, '').split(' · ')
  return parts.length > 1 ? parts.map((part) => part.replace(/^[^:]{1,60}:\s/, '')) : undefined
}

// The language is guessed once for the text. Guessing it for each word blocked the process for 2 s on 8,000 characters.
const contentWordsOf = (text: AnalysedText): string[] =>
  // Lowercase words of one letter are not content words.
  contentWords(text, guessLanguage(text)).filter((word) => !/^\p{Ll}$/u.test(word))
