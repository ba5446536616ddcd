// Makes English questions from sentences that state a value, a time, a number, a permission or a person. Pure.

import { isCommonWord, isFirstName, isOccupation } from '../../language/gazetteer.ts'
import { isStopWord } from '../../language/stem.ts'
import { containsAnswerOfType } from '../extractive/answer-type.ts'
import type { DraftQuestion } from './candidate.ts'

const NUMBER =
  '(?:\\d[\\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty|fifty|sixty|ninety)'
const ABOUT = '(?:(?:now|about|approximately|at least|at most|up to|only|exactly) )?'
const CURRENCY = '(?:[€$£¥]|(?:EUR|GBP|USD|CHF) )'
// A noun with up to four words before or after it: "rent", "notice period", "price of a day ticket".
const NOUN = "[\\p{L}'’-]+(?: (?!is |are |was )[\\p{L}'’-]+){0,4}"

// Matches "The deposit is £500".
const VALUE = new RegExp(
  `^The (?<subject>${NOUN}) (?<verb>is|are|remains|remain|amounts to|comes to) (?<value>${ABOUT}(?:${CURRENCY}?${NUMBER})(?![\\p{L}\\d]).*)$`,
  'u',
)
// Matches "The rent is due on the first of each month".
const TIME = new RegExp(
  `^The (?<subject>${NOUN}) (?<verb>is|are) (?<participle>due|paid|payable|held|closed|emptied|open|opened|checked|tested|reviewed|published|adjusted) (?<value>(?:in advance )?(?:on|by|every|from|until|at|before) .*)$`,
  'u',
)
// Matches "The lease ends on 31 March".
const BEGINNING = new RegExp(
  `^The (?<subject>${NOUN}) (?<verb>begins?|starts?|ends?|opens?|closes?|expires?|lapses?) (?<value>(?:on|at|in) .*)$`,
  'u',
)
// Matches "Employees get 25 days of leave".
const QUANTITY = new RegExp(
  `^(?<subject>(?:The \\p{L}+|(?:[\\p{L}-]+ ){0,2}\\p{L}+s)) (?<verb>have|has|gets?|receives?) ${ABOUT}(?:a right to )?${NUMBER} (?<things>(?:\\p{Ll}+ )?\\p{Ll}+s(?: of(?: \\p{Ll}+){1,3})?)(?=[.,;]| a (?:year|week|month)| each| per| for| after|$)`,
  'u',
)
const THERE_ARE = new RegExp(
  `^There are ${ABOUT}${NUMBER} (?<things>(?:\\p{Ll}+ ){0,2}\\p{Ll}+s)(?=[.,;]| (?:in|on|at) )`,
  'u',
)
const PERMISSION =
  /^(?<subject>The \p{L}+|You|\p{Lu}\p{L}+s) (?<verb>may|can) (?:not )?(?<action>(?!be |not |also |only )\p{Ll}+ [^.,;:()]+?)(?:,? (?:but|without|unless|if|except|only|provided)(?!\p{L}).*|\.)?$/u
const PERSON =
  /^(?<name>(?:Dr\.? |Mrs?\.? |Ms\.? )?\p{Lu}\p{L}+(?: \p{Lu}[\p{L}'’-]+){1,2}) is (?:the |our )(?<role>\p{Ll}[\p{L}-]*(?: \p{L}+){0,5})[.,]/u

// Matches "a deposit of £500".
const CHARGE = new RegExp(
  `(?<!\\p{L})(?:a|an) (?<subject>(?:\\p{Ll}+ )?\\p{Ll}+) of ${ABOUT}${CURRENCY}${NUMBER}(?!\\p{L})`,
  'u',
)

// Words that only have a meaning together with the sentence before: "the same amount", "the following day".
const CONTEXT_DEPENDENT =
  /(?<!\p{L})(?:same|following|first|second|third|last|next|other|others|latter|former|above|below|only|rest|whole|result|answer|question|idea|point|number|figure|amount|value|total|difference|remainder|remaining|present|current|one|ones|two|three|four|five|six|this|that|these|those|it|they|them|him|us|and|or|which|who|not|also|he|she|his|her|their|its|then|there|here|so|such|therefore|thus)(?!\p{L})/iu

/** The question that an English sentence answers. */
export function askInEnglish(sentence: string): DraftQuestion | undefined {
  return (
    askForValue(sentence) ??
    askForTime(sentence) ??
    askForNumber(sentence) ??
    askForPermission(sentence) ??
    askForPerson(sentence) ??
    askForCharge(sentence)
  )
}

function askForValue(sentence: string): DraftQuestion | undefined {
  const { subject = '', verb = '', value = '' } = VALUE.exec(sentence)?.groups ?? {}
  const noun = nounOf(subject)
  if (!noun) return undefined
  const is = verb === 'are' || verb === 'remain' ? 'are' : 'is'
  // Only the beginning of the value shows its type: "3 months before 1 May" is a duration.
  const beginning = value.split(/[,;:(]| (?:before|after|from|on|for|in|until) /u)[0] ?? ''
  const asks = containsAnswerOfType('money', beginning)
    ? 'How much'
    : containsAnswerOfType('duration', beginning)
      ? 'How long'
      : containsAnswerOfType('date', beginning)
        ? 'When'
        : 'What'
  return {
    question: `${asks} ${is} the ${noun}?`,
    form: 'value',
    subject: noun,
    score: 0.6,
    needsHeading: !noun.includes(' '),
  }
}

/** "How much is the deposit?" for "pays a deposit of £500", if the heading contains "deposit". */
function askForCharge(sentence: string): DraftQuestion | undefined {
  const noun = nounOf(CHARGE.exec(sentence)?.groups?.subject ?? '')
  return noun && !/^(?:total|sum|amount|value)(?!\p{L})/u.test(noun)
    ? { question: `How much is the ${noun}?`, form: 'value', subject: noun, score: 0.55, needsHeading: true }
    : undefined
}

function askForTime(sentence: string): DraftQuestion | undefined {
  const atTime = TIME.exec(sentence)?.groups
  const { subject = '', verb = '', value = '' } = atTime ?? BEGINNING.exec(sentence)?.groups ?? {}
  const noun = nounOf(subject)
  if (!noun || !/\d|day|month|week|year|quarter|noon|midnight/u.test(value.split(/[;(]/u)[0] ?? ''))
    return undefined
  if (atTime)
    return {
      question: `When ${verb} the ${noun} ${atTime.participle}?`,
      form: 'time',
      subject: noun,
      score: 0.7,
    }
  const isPlural = !verb.endsWith('s')
  const infinitive = isPlural ? verb : verb.slice(0, -1)
  return {
    question: `When ${isPlural ? 'do' : 'does'} the ${noun} ${infinitive}?`,
    form: 'time',
    subject: noun,
    score: 0.7,
    needsHeading: !noun.includes(' '),
  }
}

function askForNumber(sentence: string): DraftQuestion | undefined {
  const { subject = '', verb = '', things = '' } = QUANTITY.exec(sentence)?.groups ?? {}
  if (things && !CONTEXT_DEPENDENT.test(subject.replace(/^The /u, ''))) {
    const subjectPhrase = phraseOf(subject)
    if (!subjectPhrase) return undefined
    const isPlural = !verb.endsWith('s')
    const infinitive = verb === 'has' ? 'have' : isPlural ? verb : verb.slice(0, -1)
    return {
      question: `How many ${things} ${isPlural ? 'do' : 'does'} ${subjectPhrase} ${infinitive}?`,
      form: 'quantity',
      subject: things,
      score: 0.75,
    }
  }
  const { things: countedThings } = THERE_ARE.exec(sentence)?.groups ?? {}
  return countedThings && !CONTEXT_DEPENDENT.test(countedThings)
    ? {
        question: `How many ${countedThings} are there?`,
        form: 'quantity',
        subject: countedThings,
        score: 0.6,
      }
    : undefined
}

const MAX_ACTION_WORDS = 7

function askForPermission(sentence: string): DraftQuestion | undefined {
  const { subject = '', verb = '', action = '' } = PERMISSION.exec(sentence)?.groups ?? {}
  const words = action.split(' ')
  if (
    !action ||
    words.length < 2 ||
    words.length > MAX_ACTION_WORDS ||
    CONTEXT_DEPENDENT.test(action.replace(/ (?:and|or) /gu, ' '))
  )
    return undefined
  const isReader = subject === 'You'
  if (!isReader && /(?<!\p{L})(?:you|your|yours)(?!\p{L})/iu.test(action)) return undefined
  const subjectPhrase = isReader ? 'I' : phraseOf(subject)
  if (!subjectPhrase) return undefined
  const wording = (isReader ? action.replace(/(?<!\p{L})your(?!\p{L})/gu, 'my') : action)
    .split(' ')
    .map((word) => lowered(word) ?? word)
    .join(' ')
  return {
    question: `${verb === 'may' ? 'May' : 'Can'} ${subjectPhrase} ${wording}?`,
    form: 'permission',
    subject: wording,
    score: 0.65,
  }
}

function askForPerson(sentence: string): DraftQuestion | undefined {
  const { name = '', role = '' } = PERSON.exec(sentence)?.groups ?? {}
  const names = name.replace(/^(?:Dr|Mrs?|Ms)\.? /u, '').split(' ')
  if (
    !role ||
    CONTEXT_DEPENDENT.test(role) ||
    !(isFirstName((names[0] ?? '').toLowerCase()) || /^(?:Dr|Mrs?|Ms)/u.test(name))
  )
    return undefined
  return { question: `Who is the ${role}?`, form: 'person', subject: role, score: 0.75 }
}

/** Asks for the person with a role: "Who is the treasurer?" */
export function askForRole(role: string): DraftQuestion | undefined {
  const words = role.split(' ')
  const isRole = words.length <= 3 && words.every((word) => /^[\p{L}-]+$/u.test(word))
  const phrase = words.map((word) => lowered(word))
  if (!isRole || phrase.some((word) => word === undefined)) return undefined
  const noun = phrase.join(' ')
  return isOccupation(phrase.at(-1) ?? '') || isOccupation(noun)
    ? { question: `Who is the ${noun}?`, form: 'person', subject: noun, score: 0.75 }
    : undefined
}

/** Asks for the value of a label of several words: "What is the meeting point?" for "Meeting point: the school gate". */
export function askForLabel(label: string, value: string): DraftQuestion | undefined {
  const [first = '', ...others] = label.split(' ')
  const words = [lowered(first) ?? '', ...others]
  const isNoun = words.every(
    (word) => /^\p{Ll}{2,}$/u.test(word) && (word === 'of' || !isStopWord(word, 'en')),
  )
  if (!isNoun || words.length < 2 || words.length > 4 || words.at(-1) === 'of') return undefined
  const noun = nounOf(words.join(' '))
  const head = (words.includes('of') ? words[words.indexOf('of') - 1] : words.at(-1)) ?? ''
  if (!noun || !words.every((word) => isCommonWord(word) || word === 'of')) return undefined
  const isRole = isOccupation(head)
  if (isRole && /\d/u.test(value)) return undefined
  const asks = isRole ? 'Who' : containsAnswerOfType('money', value) ? 'How much' : 'What'
  return {
    question: `${asks} ${isPlural(head) ? 'are' : 'is'} the ${noun}?`,
    form: isRole ? 'person' : 'label',
    subject: noun,
    score: 0.45,
  }
}

/**
 * The question for a heading: "How do I make a claim?" for "How to make a claim", "What do I do in case of fire?" for "In case of
 * fire".
 */
export function askForInstructions(heading: string): DraftQuestion | undefined {
  const event = /^In case of (?<event>(?:an? |the )?\p{L}+(?: \p{Ll}+){0,3})$/iu.exec(heading)?.groups?.event
  if (event)
    return {
      question: `What do I do in case of ${event.toLowerCase()}?`,
      form: 'instructions',
      subject: event,
      score: 0.7,
    }
  const action = /^How to (?<action>\p{Ll}+(?: [\p{L}\d'’-]+){1,8})$/u.exec(heading)?.groups?.action
  return action
    ? { question: `How do I ${action}?`, form: 'instructions', subject: action, score: 0.7 }
    : undefined
}

const isPlural = (word: string): boolean => /(?<!s|u|i)s$/u.test(word)

/** The subject of a sentence as a question writes it. Undefined if the question would not be understood. */
function phraseOf(subject: string): string | undefined {
  if (!/^The /u.test(subject)) return lowered(subject)
  const noun = nounOf(subject.slice(4))
  return noun && `the ${noun}`
}

/** A noun as a question writes it. Undefined if the question would not be understood. */
function nounOf(text: string): string | undefined {
  if (!text || CONTEXT_DEPENDENT.test(text)) return undefined
  const words = text
    .split(' ')
    .map((word) => (/^\p{Lu}\p{Ll}+$/u.test(word) ? (lowered(word) ?? word) : word))
  return words.join(' ')
}

/** A common word in small letters. Undefined for a name or a code. */
function lowered(text: string): string | undefined {
  const small = text.toLowerCase()
  return small.split(/[ -]/u).every((word) => isCommonWord(word)) ? small : undefined
}
