// Separates the question of a message from its other parts, such as a greeting, a reason or a story. English, German, French,
// Spanish. In other languages the whole message is the question. Pure.

import { sentences } from '../../language/sentences.ts'

export interface Message {
  /** The sentences or the clause with the question. The whole message if no question is recognised. */
  question: string
  /** The rest of the message. It may be empty. */
  context: string
  /** The sentences of the rest that limit the rows of a table, such as "Leave out the cancelled ones." Calculations need them. */
  restriction: string
}

const QUESTION_WORD = String.raw`(?:(?:in|on|at|by|for|from|to|until|since|with|bis|seit|in|an|auf|ab|mit|von|für|à|en|de|dans|depuis|par|pour|a|con|desde|hasta|por|para)\s+)?(?:who|whom|whose|what|when|where|why|how|which|wer|wen|wem|wessen|was|wann|wo|wohin|woher|warum|weshalb|wie|wieviele?|welche[mnrs]?|qui|quand|où|pourquoi|comment|combien|quel(?:le)?s?|quién(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?|cuál(?:es)?|qué)(?![\p{L}])`
const REQUEST_VERB =
  /^(?:please\s+|bitte\s+|s'il (?:te|vous) plaît,?\s+|por favor,?\s+)?(?:list|name|define|explain|describe|compare|summari[sz]e|show|give|find|tell|nenne?n?|liste|erkläre?n?|definiere?n?|vergleiche?n?|fasse?n?|zeige?n?|gib|beschreibe?n?|liste[zr]?|cite[zr]?|explique[zr]?|définis(?:sez)?|compare[zr]?|résume[zr]?|donne[zr]?|montre[zr]?|enumer[ae]|explica|explique|define|compara|resum[ea]|muestra|da(?:me)?)(?![\p{L}])/iu

/** Divides a message into its question and the rest. @param message in any language; it may be one sentence */
export function partsOfMessage(message: string): Message {
  const allSentences = sentences(message).map(({ text }) => text)
  const questions = allSentences.filter((sentence) => /[?？؟]["”’)*]*$/u.test(sentence))
  const requests = questions.length > 0 ? [] : allSentences.filter((sentence) => REQUEST_VERB.test(sentence))
  const askingSentences = questions.length > 0 ? questions : requests.length > 0 ? requests : allSentences
  const clauses = askingSentences.map(askingClause)
  const context = allSentences.filter((sentence) => !askingSentences.includes(sentence))
  const lastAskingIndex = allSentences.findLastIndex((sentence) => askingSentences.includes(sentence))
  const restrictions = context.filter((sentence) =>
    (allSentences.indexOf(sentence) > lastAskingIndex ? RESTRICTION : RESTRICTION_AT_START).test(sentence),
  )
  return {
    question: clauses.map(({ question }) => question).join(' '),
    context: [...context, ...clauses.map(({ lead }) => lead)].filter(Boolean).join(' '),
    restriction: restrictions.join(' '),
  }
}

const LIMITING_WORDS = String.raw`(?:only|just|merely|except|exclud\p{L}*|leav(?:e|ing) (?:out|aside)|without|not|never|don['’]t|omit\p{L}*|ignor\p{L}*|skip\p{L}*|count(?:ing)?|consider\p{L}*|include|including|limit\p{L}*|restrict\p{L}*|nur|ohne|außer|nicht|keine?[nmrs]?|lass\p{L}*|zähle?n?|sans|sauf|seulement|uniquement|pas|hors|compte[zr]?|exclu\p{L}*|sin|sólo|solo|solamente|excepto|salvo|cuenta|excluy\p{L}*)(?!\p{L})`
// Before the question, a restriction must begin with its verb, because a story there may contain "not".
const RESTRICTION = new RegExp(String.raw`(?<!\p{L})${LIMITING_WORDS}`, 'iu')
const RESTRICTION_AT_START = new RegExp(String.raw`^(?:please\s+|bitte\s+)?${LIMITING_WORDS}`, 'iu')

// Matches the words before the question word: "tell me " in "Could you tell me how many …", "wonder " in "I wonder when …".
const REPORTING_WORDS = new RegExp(
  String.raw`(?:tell|telling|show|ask|asking|know|wonder|wondering|say|find out|look up|remember|sagen|wissen|frage mich|nachsehen|herausfinden|dire|savoir|demande|decir|decirme|saber|pregunto)(?:\s+(?:me|us|you|mir|uns|nous))?,?\s+(?=${QUESTION_WORD})`,
  'iu',
)
const BEFORE_COLON = new RegExp(String.raw`:\s+(?=${QUESTION_WORD})`, 'iu')
const BEGINS_WITH_QUESTION_WORD = new RegExp(String.raw`^[¿\s]*${QUESTION_WORD}`, 'iu')
// A shorter text before a colon is the subject of the question: "Unit 7 lease: when does it end?"
const MIN_STORY_WORDS = 6

/** The clause of a sentence that asks, and the words before it. */
function askingClause(sentence: string): { question: string; lead: string } {
  const unchanged = { question: sentence, lead: '' }
  // "Who knows how …?" asks who.
  if (BEGINS_WITH_QUESTION_WORD.test(sentence)) return unchanged
  const colon = BEFORE_COLON.exec(sentence)
  const isStory = colon !== null && sentence.slice(0, colon.index).split(/\s+/).length >= MIN_STORY_WORDS
  const matchBeforeQuestion = isStory ? colon : REPORTING_WORDS.exec(sentence)
  if (!matchBeforeQuestion) return unchanged
  const start = matchBeforeQuestion.index + matchBeforeQuestion[0].length
  return { question: sentence.slice(start), lead: sentence.slice(0, matchBeforeQuestion.index).trim() }
}
