// Which part of a message asks. People greet, tell how they came to ask, or order something that is not to be done: only what asks
// decides whether an answer is found. English, German, French and Spanish; other messages ask as a whole. Pure.

import { sentences } from '../../language/sentences.ts'

export interface Message {
  /** The sentences or the clause that ask; the whole message where none can be told. */
  question: string
  /** The rest, in its order; may be empty. */
  context: string
  /** Of the rest what limits the rows that are meant ("Leave out the cancelled ones."): no number is right without it. */
  restriction: string
}

const QUESTION_WORD = String.raw`(?:(?:in|on|at|by|for|from|to|until|since|with|bis|seit|in|an|auf|ab|mit|von|für|à|en|de|dans|depuis|par|pour|a|con|desde|hasta|por|para)\s+)?(?:who|whom|whose|what|when|where|why|how|which|wer|wen|wem|wessen|was|wann|wo|wohin|woher|warum|weshalb|wie|wieviele?|welche[mnrs]?|qui|quand|où|pourquoi|comment|combien|quel(?:le)?s?|quién(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?|cuál(?:es)?|qué)(?![\p{L}])`
const REQUEST =
  /^(?:please\s+|bitte\s+|s'il (?:te|vous) plaît,?\s+|por favor,?\s+)?(?:list|name|define|explain|describe|compare|summari[sz]e|show|give|find|tell|nenne?n?|liste|erkläre?n?|definiere?n?|vergleiche?n?|fasse?n?|zeige?n?|gib|beschreibe?n?|liste[zr]?|cite[zr]?|explique[zr]?|définis(?:sez)?|compare[zr]?|résume[zr]?|donne[zr]?|montre[zr]?|enumer[ae]|explica|explique|define|compara|resum[ea]|muestra|da(?:me)?)(?![\p{L}])/iu

/** The message in two parts. @param message in any language; of one sentence too */
export function partsOfMessage(message: string): Message {
  const all = sentences(message).map(({ text }) => text)
  const questions = all.filter((sentence) => /[?？؟]["”’)*]*$/u.test(sentence))
  const requests = questions.length > 0 ? [] : all.filter((sentence) => REQUEST.test(sentence))
  const asking = questions.length > 0 ? questions : requests.length > 0 ? requests : all
  const clauses = asking.map(askingClause)
  const context = all.filter((sentence) => !asking.includes(sentence))
  const last = all.findLastIndex((sentence) => asking.includes(sentence))
  const restrictions = context.filter((sentence) =>
    (all.indexOf(sentence) > last ? RESTRICTS : RESTRICTS_FIRST).test(sentence),
  )
  return {
    question: clauses.map(({ question }) => question).join(' '),
    context: [...context, ...clauses.map(({ lead }) => lead)].filter(Boolean).join(' '),
    restriction: restrictions.join(' '),
  }
}

const LIMITS = String.raw`(?:only|just|merely|except|exclud\p{L}*|leav(?:e|ing) (?:out|aside)|without|not|never|don['’]t|omit\p{L}*|ignor\p{L}*|skip\p{L}*|count(?:ing)?|consider\p{L}*|include|including|limit\p{L}*|restrict\p{L}*|nur|ohne|außer|nicht|keine?[nmrs]?|lass\p{L}*|zähle?n?|sans|sauf|seulement|uniquement|pas|hors|compte[zr]?|exclu\p{L}*|sin|sólo|solo|solamente|excepto|salvo|cuenta|excluy\p{L}*)(?!\p{L})`
// Before a question a story may say "not"; an order begins with its verb.
const RESTRICTS = new RegExp(String.raw`(?<!\p{L})${LIMITS}`, 'iu')
const RESTRICTS_FIRST = new RegExp(String.raw`^(?:please\s+|bitte\s+)?${LIMITS}`, 'iu')

// "Could you tell me how many …", "I wonder when …": what is asked begins at the question word.
const REPORTED = new RegExp(
  String.raw`(?:tell|telling|show|ask|asking|know|wonder|wondering|say|find out|look up|remember|sagen|wissen|frage mich|nachsehen|herausfinden|dire|savoir|demande|decir|decirme|saber|pregunto)(?:\s+(?:me|us|you|mir|uns|nous))?,?\s+(?=${QUESTION_WORD})`,
  'iu',
)
const BEFORE_COLON = new RegExp(String.raw`:\s+(?=${QUESTION_WORD})`, 'iu')
const ASKS_FIRST = new RegExp(String.raw`^[¿\s]*${QUESTION_WORD}`, 'iu')
// A short lead before a colon says what the question is about ("Unit 7 lease: when does it end?"); a long one is a story.
const MIN_LEAD_WORDS = 6

function askingClause(sentence: string): { question: string; lead: string } {
  const whole = { question: sentence, lead: '' }
  // "Who knows how …?" asks who.
  if (ASKS_FIRST.test(sentence)) return whole
  const colon = BEFORE_COLON.exec(sentence)
  const isStory = colon !== null && sentence.slice(0, colon.index).split(/\s+/).length >= MIN_LEAD_WORDS
  const at = isStory ? colon : REPORTED.exec(sentence)
  if (!at) return whole
  const start = at.index + at[0].length
  return { question: sentence.slice(start), lead: sentence.slice(0, at.index).trim() }
}
