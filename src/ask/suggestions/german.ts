// Makes German questions from sentences that state a value, a time, a permission or a person. The article of the noun is taken from
// the sentence, because the gender of nouns is not known. Pure.

import { isFirstName } from '../../language/gazetteer.ts'
import { containsAnswerOfType } from '../extractive/answer-type.ts'
import type { DraftQuestion } from './candidate.ts'

const NOUN =
  '\\p{Lu}[\\p{L}-]+(?: (?:der|des|für|von|pro|je|im|zum|zur) (?:(?:den|die|das|dem|der) )?\\p{Lu}[\\p{L}-]+)?'
const NUMBER =
  '(?:\\d[\\d.,]*|eine[nr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|vierzehn|zwanzig|dreißig|sechzig|neunzig)'
// Matches "Die Miete beträgt 900 Euro".
const VALUE = new RegExp(
  `^(?<article>Der|Die|Das) (?<noun>${NOUN}) (?<verb>beträgt|betragen|ist|sind|dauert|dauern) (?<value>(?:etwa |rund |mindestens |höchstens |bis zu |nur |jetzt )?(?:[€£$] ?)?${NUMBER}(?!\\p{L}).*)$`,
  'u',
)
// Matches "Die Miete ist am ersten Werktag fällig".
const TIME = new RegExp(
  `^(?<article>Der|Die|Das) (?<noun>${NOUN}) (?<verb>wird|werden|ist|sind) (?<when>(?:jede[nrs]?|am|bis|um|von|ab|alle|spätestens) [^,;.]{3,50}?)(?<how> (?:ge\\p{Ll}+[tn]|\\p{Ll}+iert|(?:ab|aus|ein|vor|nach|an|zu)ge\\p{Ll}+[tn]|geöffnet|geschlossen|fällig))(?=[.,])`,
  'u',
)
// Matches "Der Kurs beginnt am 5. Mai".
const BEGINNING = new RegExp(
  `^(?<article>Der|Die|Das) (?<noun>${NOUN}) (?<verb>beginnt|endet|beginnen|enden) (?<when>(?:am|um|im|ab|mit) [^;]*\\d.*)$`,
  'u',
)
const PERMISSION =
  /^(?<subject>(?:(?:Der|Die|Das) )?\p{Lu}\p{L}+) (?<verb>darf|dürfen) (?<action>(?!.*(?<!\p{L})(?:nicht|kein\p{L}*|nur|auch|sie|er|es|ihr\p{L}*|sein\p{L}*)(?!\p{L}))[^.,;:()]+)\.$/u
const PERSON =
  /^(?<role>\p{Lu}\p{Ll}+(?: (?:der|des|für|im) (?:(?:den|die|das) )?\p{Lu}[\p{L}-]+)?) ist (?<name>(?:Frau |Herr )?(?:\p{Lu}\p{L}+)(?: \p{Lu}[\p{L}-]+)*)(?=[.,])/u
const CHARGE = new RegExp(
  `(?<!\\p{L})eine (?<noun>\\p{Lu}\\p{L}+) (?:von|in Höhe von|über) (?:[€£$] ?${NUMBER}|${NUMBER} ?(?:€|Euro|EUR|Franken|CHF))`,
  'u',
)
// Nouns that only have a meaning together with the sentence before.
const CONTEXT_DEPENDENT =
  /(?<!\p{L})(?:Rest|Summe|Differenz|Betrag|Zahl|Frage|Antwort|Ergebnis|Grund|Punkt)(?!\p{L})/u

/** The question that a German sentence answers. */
export function askInGerman(sentence: string): DraftQuestion | undefined {
  return (
    askForValue(sentence) ??
    askForTime(sentence) ??
    askForPermission(sentence) ??
    askForPerson(sentence) ??
    askForCharge(sentence)
  )
}

function askForValue(sentence: string): DraftQuestion | undefined {
  const { article = '', noun = '', verb = '', value = '' } = VALUE.exec(sentence)?.groups ?? {}
  if (!noun || CONTEXT_DEPENDENT.test(noun)) return undefined
  const beginning = value.split(/[,;:(]| (?:vor|nach|ab|am|im|für|zum) /u)[0] ?? ''
  const isPeriod = containsAnswerOfType('duration', beginning) && !containsAnswerOfType('money', beginning)
  if (verb.startsWith('dauer') && !isPeriod) return undefined
  const is = /^(?:betragen|sind|dauern)$/u.test(verb) ? 'sind' : 'ist'
  const phrase = `${article.toLowerCase()} ${noun}`
  // "Wie hoch" fits only amounts of money and shares. For other values no natural question is known, so none is made.
  const isAmount =
    verb.startsWith('betr') ||
    containsAnswerOfType('money', beginning) ||
    containsAnswerOfType('percent', beginning)
  const question = verb.startsWith('dauer')
    ? `Wie lange ${verb} ${phrase}?`
    : isPeriod
      ? `Wie lang ${is} ${phrase}?`
      : isAmount
        ? `Wie hoch ${is} ${phrase}?`
        : undefined
  return question ? { question, form: 'value', subject: noun, score: 0.6, needsHeading: true } : undefined
}

/** "Wie hoch ist die Kaution?" for "eine Kaution von 500 Euro". */
function askForCharge(sentence: string): DraftQuestion | undefined {
  const noun = CHARGE.exec(sentence)?.groups?.noun
  return noun && !CONTEXT_DEPENDENT.test(noun)
    ? { question: `Wie hoch ist die ${noun}?`, form: 'value', subject: noun, score: 0.55, needsHeading: true }
    : undefined
}

/** The question for a heading: "Was ist bei Krankheit zu tun?" for "Bei Krankheit". */
export function askForEventInGerman(heading: string): DraftQuestion | undefined {
  const event = /^Bei (?<event>\p{Lu}\p{L}+)$/u.exec(heading)?.groups?.event
  return event
    ? { question: `Was ist bei ${event} zu tun?`, form: 'instructions', subject: event, score: 0.6 }
    : undefined
}

function askForTime(sentence: string): DraftQuestion | undefined {
  const {
    article = '',
    noun = '',
    verb = '',
    how = '',
    when = '',
  } = TIME.exec(sentence)?.groups ?? BEGINNING.exec(sentence)?.groups ?? {}
  if (!noun || CONTEXT_DEPENDENT.test(noun) || !/\d|tag|woche|monat|jahr|quartal/iu.test(when))
    return undefined
  return {
    question: `Wann ${verb} ${article.toLowerCase()} ${noun}${how}?`,
    form: 'time',
    subject: noun,
    score: 0.7,
    needsHeading: verb.startsWith('beg') || verb.startsWith('end'),
  }
}

const MAX_ACTION_WORDS = 7

function askForPermission(sentence: string): DraftQuestion | undefined {
  const { subject = '', verb = '', action = '' } = PERMISSION.exec(sentence)?.groups ?? {}
  if (!action || action.split(' ').length > MAX_ACTION_WORDS) return undefined
  const subjectPhrase = subject.replace(/^(?:Der|Die|Das) /u, (article) => article.toLowerCase())
  const question = `${verb === 'darf' ? 'Darf' : 'Dürfen'} ${subjectPhrase} ${action}?`
  return { question, form: 'permission', subject, score: 0.65 }
}

function askForPerson(sentence: string): DraftQuestion | undefined {
  const { role = '', name = '' } = PERSON.exec(sentence)?.groups ?? {}
  const [first = ''] = name.split(' ')
  const isPerson = /^(?:Frau|Herr)$/u.test(first) || (name.includes(' ') && isFirstName(first.toLowerCase()))
  return role && isPerson && !CONTEXT_DEPENDENT.test(role)
    ? { question: `Wer ist ${role}?`, form: 'person', subject: role, score: 0.75 }
    : undefined
}
