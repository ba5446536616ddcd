// Rewrites a follow-up question to stand alone, without a model: what it leaves out is taken from earlier turns.
// Pronouns in English, German, French and Spanish; short questions in any language. Pure.

import { contentWords } from '../../language/analyse.ts'
import { guessLanguage } from '../../language/guess.ts'
import { sentences } from '../../language/sentences.ts'
import { namesIn } from '../extractive/question.ts'
import type { EarlierTurn } from './threads.ts'

export interface RewrittenQuestion {
  /** The question followed by the missing topic in brackets; unchanged when nothing is missing. */
  text: string
  /** Names or content words of earlier turns that the question leaves out; may be empty. */
  topic: string
}

/** What a conversation is about after some turns. */
interface ConversationTopic {
  /** Names asked about. */
  names: string[]
  /** Content words of what was asked about them. */
  asked: string[]
  /** Names that the last answer introduced. */
  introduced: string[]
}

export function rewriteFollowUp(question: string, turns: readonly EarlierTurn[]): RewrittenQuestion {
  const subject = turns.reduce<ConversationTopic>(nextTopic, { names: [], asked: [], introduced: [] })
  const topic = missingTopic(question, subject).join(' ')
  return { text: topic ? `${question} (${topic})` : question, topic }
}

// Questions with fewer content words are too short to search for.
const FEW_WORDS = 4
// Content words carried over from an earlier question, and names from its answer.
const MAX_CARRIED_OVER = 8
const MAX_INTRODUCED = 2

const PERSON =
  /(?<![\p{L}\p{N}])(?:he|him|his|she|her|hers|they|them|their|theirs|er|ihn|ihm|ihr|ihre[mnrs]?|sie|il|elle|ils|elles|lui|él|ella|ellos|ellas)(?![\p{L}\p{N}])/u
const THING =
  /(?<![\p{L}\p{N}])(?:it|its|these|those|the same|else|dessen|deren|davon|dafür|dazu|daran|darin|damit|diese[mnrs]?|cela|ça|celui-ci|celle-ci|ceux-ci|ce dernier|eso|esto|ello|sus?|(?:this|that|one|das|dies)(?=\s*(?:[?.,!]|$)|\s+(?:is|was|does|did|mean|cost|happen|apply|work|ist|war|kostet|gilt|bedeutet|heißt)))(?![\p{L}\p{N}])/iu

/** What the question leaves to the conversation's topic; empty when it stands alone. */
function missingTopic(
  question: string,
  { names, asked: carriedWords, introduced }: ConversationTopic,
): string[] {
  const own = namesIn(question, guessLanguage(question))
  const person = refersBack(question, PERSON, own)
  const thing = refersBack(question, THING, own)
  const isShort = contentWordsOf(question).length < FEW_WORDS
  if (!person && !thing && !isShort) return []
  // "And MF-204?" after "What does PX-7 cost?" asks the same about another thing.
  if (isShort && own.length) return person || thing ? names : carriedWords
  if (person && introduced.length) return [...introduced, ...(thing ? names : [])]
  if (names.length) return names
  return introduced.length && (person || thing)
    ? [...carriedWords.slice(0, FEW_WORDS), ...introduced]
    : carriedWords
}

/** Whether a pronoun refers to an earlier turn: one that follows a name of the same question refers to that name. */
function refersBack(question: string, pronouns: RegExp, own: readonly string[]): boolean {
  const at = pronouns.exec(question)?.index
  return at !== undefined && !own.some((name) => question.indexOf(name) < at)
}

/** The topic after one more turn; a follow-up without names of its own stays on the same topic. */
function nextTopic(before: ConversationTopic, { question, answer }: EarlierTurn): ConversationTopic {
  const own = namesIn(question, guessLanguage(question))
  const contentWords = contentWordsOf(question).filter((word) => !own.some((name) => name.includes(word)))
  const isFollowUp = missingTopic(question, before).length > 0
  const names = own.length || !isFollowUp ? own : before.names
  const carriedWords =
    isFollowUp && contentWords.length === 0 ? before.asked : contentWords.slice(0, MAX_CARRIED_OVER)
  return {
    names,
    asked: names.length ? carriedWords : contentWordsOf(question).slice(0, MAX_CARRIED_OVER),
    introduced: namesIntroduced(answer, names),
  }
}

/** New names in the first sentence of an answer that has any; a title after a dash is the quotation's source. */
function namesIntroduced(answer: string, earlierNames: readonly string[]): string[] {
  const isNew = (name: string): boolean =>
    !earlierNames.some((other) => other.toLowerCase().includes(name.toLowerCase()))
  for (const line of answer.split('\n').slice(0, 20)) {
    const plainLine = line.replace(/ — .*$/, '').replace(/[*_>#“”"«»„]/g, ' ')
    for (const { text } of sentences(plainLine)) {
      const newNames = [...new Set(namesIn(`: ${text}`, guessLanguage(text)))].filter(isNew)
      if (newNames.length) return newNames.slice(0, MAX_INTRODUCED)
    }
  }
  return []
}

// The language is guessed once for the text: guessing it for each word blocked the process for 2 s on 8,000 characters.
const contentWordsOf = (text: string): string[] => contentWords(text, guessLanguage(text))
