// A follow-up made to stand alone without a model: what it leaves unsaid is taken from the turns before (design/
// graph-and-answers.md, "Answering"). English, German, French and Spanish pronouns; short questions in any language. Pure.

import { contentTerms } from '../../language/analyse.ts'
import { guessLanguage } from '../../language/guess.ts'
import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import { namesIn } from '../extractive/question.ts'
import type { EarlierTurn } from './threads.ts'

export interface Standalone {
  /** The question with what it leaves unsaid in brackets behind it; as asked when it leaves nothing. */
  text: string
  /** Names or content words of earlier turns; may be empty. */
  topic: string
}

/** What a conversation is about after some turns. */
interface Subject {
  /** Names that were asked about. */
  names: string[]
  /** What was asked of them: content words. */
  asks: string[]
  /** Names that the last answer brought up. */
  answered: string[]
}

export function standalone(question: string, turns: readonly EarlierTurn[]): Standalone {
  const subject = turns.reduce<Subject>(after, { names: [], asks: [], answered: [] })
  const topic = unsaid(question, subject).join(' ')
  return { text: topic ? `${question} (${topic})` : question, topic }
}

// Questions with fewer content words say too little to search by.
const FEW_WORDS = 4
// Content words that one question lends to the next, and names that an answer does.
const MOST_LENT = 8
const MOST_ANSWERED = 2

const PERSON =
  /(?<![\p{L}\p{N}])(?:he|him|his|she|her|hers|they|them|their|theirs|er|ihn|ihm|ihr|ihre[mnrs]?|sie|il|elle|ils|elles|lui|él|ella|ellos|ellas)(?![\p{L}\p{N}])/u
const THING =
  /(?<![\p{L}\p{N}])(?:it|its|these|those|the same|else|dessen|deren|davon|dafür|dazu|daran|darin|damit|diese[mnrs]?|cela|ça|celui-ci|celle-ci|ceux-ci|ce dernier|eso|esto|ello|sus?|(?:this|that|one|das|dies)(?=\s*(?:[?.,!]|$)|\s+(?:is|was|does|did|mean|cost|happen|apply|work|ist|war|kostet|gilt|bedeutet|heißt)))(?![\p{L}\p{N}])/iu

/** What the question leaves to the subject; nothing when it says it all. */
function unsaid(question: string, { names, asks, answered }: Subject): string[] {
  const own = namesIn(question, guessLanguage(question))
  const person = pointsBack(question, PERSON, own)
  const thing = pointsBack(question, THING, own)
  const few = contentWords(question).length < FEW_WORDS
  if (!person && !thing && !few) return []
  // "And MF-204?" after "What does PX-7 cost?" asks the same of another.
  if (few && own.length) return person || thing ? names : asks
  if (person && answered.length) return [...answered, ...(thing ? names : [])]
  if (names.length) return names
  return answered.length && (person || thing) ? [...asks.slice(0, FEW_WORDS), ...answered] : asks
}

/** A pronoun behind a name of the same question stands for that name. */
function pointsBack(question: string, pronouns: RegExp, own: readonly string[]): boolean {
  const at = pronouns.exec(question)?.index
  return at !== undefined && !own.some((name) => question.indexOf(name) < at)
}

/** The subject after one more turn; a follow-up without names of its own goes on about the same. */
function after(before: Subject, { question, answer }: EarlierTurn): Subject {
  const own = namesIn(question, guessLanguage(question))
  const said = contentWords(question).filter((word) => !own.some((name) => name.includes(word)))
  const leans = unsaid(question, before).length > 0
  const names = own.length || !leans ? own : before.names
  const asks = leans && said.length === 0 ? before.asks : said.slice(0, MOST_LENT)
  return {
    names,
    asks: names.length ? asks : contentWords(question).slice(0, MOST_LENT),
    answered: brought(answer, names),
  }
}

/** Names of the first sentence of an answer that holds any; titles behind a dash are where it was found. */
function brought(answer: string, known: readonly string[]): string[] {
  const fresh = (name: string): boolean =>
    !known.some((other) => other.toLowerCase().includes(name.toLowerCase()))
  for (const line of answer.split('\n').slice(0, 20)) {
    const said = line.replace(/ — .*$/, '').replace(/[*_>#“”"«»„]/g, ' ')
    for (const { text } of sentences(said)) {
      const found = [...new Set(namesIn(`: ${text}`, guessLanguage(text)))].filter(fresh)
      if (found.length) return found.slice(0, MOST_ANSWERED)
    }
  }
  return []
}

function contentWords(text: string): string[] {
  // Guessed once: for each word anew, a question of 8,000 characters held the process for 2 s.
  const language = guessLanguage(text)
  return [...words(text)].map(({ raw }) => raw).filter((raw) => contentTerms(raw, language).length > 0)
}
