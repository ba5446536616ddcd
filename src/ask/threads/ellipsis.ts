// Completes elliptical questions from the earlier question: "And of the Borealis?" after "What does a tyre change of the Aurora
// cost?" Each phrase replaces the phrase of the earlier question that has the same preposition or article, or that is also a name.
// English, German, French, Spanish.

import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import { dateOf, type Interval, placedIntervals } from '../../language/intervals.ts'
import { MONTHS } from '../../language/months.ts'
import { placedPeriods } from '../../language/periods.ts'
import { isStopWord } from '../../language/stem.ts'
import { foldWord } from '../../language/words.ts'
import { type AnswerLanguage, answerLanguage } from '../answer-language.ts'
import { answerType, isTypeWord } from '../extractive/answer-type.ts'
import { namesIn } from '../extractive/question.ts'

/** An elliptical question that was completed. */
export interface CompletedQuestion {
  /** The earlier question with the phrases of the elliptical question. */
  text: string
  /** `text` without `names`. */
  questionWithoutNames: string
  /** The names that are taken from the earlier question. */
  names: string[]
  /** Whether the elliptical question has a name of its own, so that it asks the same about another thing. */
  namesAnother: boolean
}

type Article = 'definite' | 'indefinite' | 'none'

/** Adjacent content words with the function words before them. Offsets are in UTF-16 units. */
interface Phrase {
  preposition: string
  article: Article
  start: number
  /** The start of the phrase without its preposition. */
  nounPhraseStart: number
  /** The start of the phrase without its preposition and its article. */
  headStart: number
  end: number
  isName: boolean
  isPeriod: boolean
}

interface FunctionWords {
  /** The words that introduce an elliptical question, the longest form first. */
  introduction: RegExp
  definite: ReadonlySet<string>
  indefinite: ReadonlySet<string>
  /** Prepositions, each with the form by which it is compared. */
  prepositions: ReadonlyMap<string, string>
  /** Prepositions that contain the definite article. */
  contracted: ReadonlySet<string>
}

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '))
/** @param list words separated by spaces. `im=in` is the word "im", which is compared as "in". */
const mapOf = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(' ').map((pair) => [pair.split('=')[0] ?? pair, pair.split('=')[1] ?? pair]))

const FUNCTION_WORDS: Record<AnswerLanguage, FunctionWords> = {
  en: {
    introduction: /^(?:(?:(?:and|but|or)\s+)?(?:what|how) about|and|but|or)(?![\p{L}])/iu,
    definite: setOf('the this that these those my your our their its his her'),
    indefinite: setOf('a an another one any some'),
    prepositions: mapOf(
      'of for from to in on at by with without about per under over between during after before until since within near',
    ),
    contracted: new Set(),
  },
  de: {
    introduction:
      /^(?:(?:(?:und|aber|oder)\s+)?(?:was ist mit|wie (?:ist|steht|sieht) es mit)|und|aber|oder)(?![\p{L}])/iu,
    definite: setOf('der die das dem den des diese dieser dieses diesem diesen'),
    indefinite: setOf('ein eine einen einem einer eines'),
    prepositions: mapOf(
      'für mit ohne von vom=von bei beim=bei in im=in ins=in an am=an ans=an auf aufs=auf aus nach zu zum=zu zur=zu pro je ab bis seit über unter vor während gegen um durch',
    ),
    contracted: setOf('vom beim im ins am ans aufs zum zur'),
  },
  fr: {
    introduction:
      /^(?:(?:(?:et|mais|ou)\s+)?qu['’](?:en est-il|est-ce qu['’]il en est)|et si|et|mais|ou)(?![\p{L}])/iu,
    definite: setOf('le la les l ce cet cette ces'),
    indefinite: setOf('un une'),
    prepositions: mapOf(
      'pour de d=de du=de des=de à au=à aux=à en dans sur sous par avec sans chez depuis entre pendant après avant',
    ),
    contracted: setOf('du des au aux'),
  },
  es: {
    introduction: /^[¿\s]*(?:(?:(?:y|e|pero|o)\s+)?qué (?:hay|pasa) (?:de|con)|y|e|pero|o)(?![\p{L}])/iu,
    definite: setOf('el la los las este esta estos estas'),
    indefinite: setOf('un una unos unas'),
    prepositions: mapOf(
      'para de del=de a al=a en con sin por sobre entre desde hasta durante según tras antes después',
    ),
    contracted: setOf('del al'),
  },
}

// A question with more content words is not elliptical.
const MAX_ELLIPSIS_WORDS = 6
const MAX_PHRASES = 2
// The earlier question may be as long as a message.
const MAX_QUESTION_LENGTH = 300
const PRONOUN =
  /(?<![\p{L}\p{N}])(?:it|they|them|this|that|es|das|dies|cela|ça|il|elle|ils|elles|eso|esto|ello)(?![\p{L}\p{N}])/iu

/**
 * The completed question. Undefined if the question is not elliptical, or if it is unclear which part of the earlier question it replaces.
 * @param hasPronoun whether the earlier question has a pronoun that refers to a turn before it
 */
export function completeEllipsis(
  ellipticalQuestion: string | AnalysedText,
  earlierQuestion: string | AnalysedText,
  hasPronoun: boolean,
): CompletedQuestion | undefined {
  const [question, earlier] = [analysedText(ellipticalQuestion), analysedText(earlierQuestion)]
  if (earlier.text === '' || [question, earlier].some(({ text }) => text.length > MAX_QUESTION_LENGTH))
    return undefined
  const language = answerLanguage(earlier)
  const questionAtOtherTime = withShiftedPeriod(question.text, earlier.text, language)
  if (questionAtOtherTime !== undefined)
    return {
      text: `${questionAtOtherTime}?`,
      questionWithoutNames: `${questionAtOtherTime}?`,
      names: [],
      namesAnother: false,
    }
  const phrases = ellipsisIn(question, language)
  if (!phrases) return undefined
  let text = earlier.part(earlier.text.replace(/[\s?？.!¿]+$/u, ''))
  for (const phrase of phrases) {
    const next = withPhrase(text, { question, phrase, language, hasPronoun })
    if (next === undefined) return undefined
    text = text.part(next)
  }
  const namesAnother = phrases.some(({ isName }) => isName)
  const carriedNames = namesAnother ? [] : phrasesIn(text, language).filter(({ isName }) => isName)
  const completedText = text.text
  const withoutNames = carriedNames
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)}${rest.slice(end)}`, completedText)
  return {
    text: `${completedText}?`,
    questionWithoutNames: `${withSingleSpaces(withoutNames)}?`,
    names: carriedNames.map(({ headStart, end }) => completedText.slice(headStart, end)),
    namesAnother,
  }
}

const UNIT = '(?<year>year|jahr|année|año)|(?<month>month|monat|mois|mes)|(?<day>day|tag|jour|día)'
const NEXT = 'next|following|nächste[nrms]?|folgende[nrms]?|suivante?|siguiente'
const PREVIOUS = 'previous|preceding|prior|vorige[nrms]?|vorherige[nrms]?|précédente?|anterior'
const SHIFTS: readonly { by: number; pattern: RegExp }[] = [
  [1, `(?:${NEXT}) (?:${UNIT})`],
  [-1, `(?:${PREVIOUS}) (?:${UNIT})`],
  [1, `(?:${UNIT}) (?:after|later|danach|darauf|suivante?|d['’]après|siguiente|después)`],
  [-1, `(?:${UNIT}) (?:before|earlier|davor|zuvor|précédente?|d['’]avant|anterior|antes)`],
].map(([by, source]) => ({
  by: Number(by),
  // The whole question is a shift with its introduction: "and in the year before?"
  pattern: new RegExp(
    String.raw`^[¿\s]*(?:and|but|und|et|y)?\s*(?:what about|how about)?\s*(?:in|on|for|im|am|en|pour|para)?\s*(?:the|das|dem|den|l['’]|le|la|el)?\s*${source}\s*(?:that|it)?[\s?？.!]*$`,
    'iu',
  ),
}))

/** For "And in the year before?": the earlier question with its time shifted by one year, month or day. */
function withShiftedPeriod(question: string, earlier: string, language: AnswerLanguage): string | undefined {
  for (const { by, pattern } of SHIFTS) {
    const unit = pattern.exec(question)?.groups
    if (!unit) continue
    const [time, ...others] = placedIntervals(earlier)
    if (!time || others.length > 0 || time.isRange) return undefined
    const text = shiftedTime(time, unit, by, language)
    if (text === undefined) return undefined
    const rest = earlier.replace(/[\s?？.!]+$/u, '')
    return withSingleSpaces(`${rest.slice(0, time.start)} ${text} ${rest.slice(time.end)}`)
  }
  return undefined
}

/** The time that is `by` years, months or days later, in words. */
function shiftedTime(
  { from, to, isYearly }: Interval,
  { year, month, day }: Record<string, string | undefined>,
  by: number,
  language: AnswerLanguage,
): string | undefined {
  const date = dateOf(from)
  if (year) date.setUTCFullYear(date.getUTCFullYear() + by)
  if (month) date.setUTCMonth(date.getUTCMonth() + by)
  if (day) date.setUTCDate(date.getUTCDate() + by)
  const days = to - from + 1
  const name = MONTHS[language][date.getUTCMonth()] ?? ''
  const monthName =
    language === 'en' || language === 'de' ? name.charAt(0).toUpperCase() + name.slice(1) : name
  const yearSuffix = isYearly ? '' : ` ${date.getUTCFullYear()}`
  if (days === 1) return `${date.getUTCDate()}${language === 'de' ? '.' : ''} ${monthName}${yearSuffix}`
  if (days <= MAX_MONTH_DAYS && !day) return `${monthName}${yearSuffix}`
  return days >= MIN_YEAR_DAYS && year ? String(date.getUTCFullYear()) : undefined
}

const MAX_MONTH_DAYS = 31
const MIN_YEAR_DAYS = 365

const withSingleSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The phrases of an elliptical question. Undefined if the question is not elliptical. */
function ellipsisIn(question: AnalysedText, language: AnswerLanguage): Phrase[] | undefined {
  const { introduction } = FUNCTION_WORDS[language]
  const introductionMatch = introduction.exec(question.text)
  const from = introductionMatch ? introductionMatch[0].length : 0
  const tokens = tokensIn(question, language).filter(({ start }) => start >= from)
  const content = tokens.filter(({ kind }) => kind === 'content')
  if (tokens.some(({ kind }) => kind === 'other' || kind === 'verb') || content.length > MAX_ELLIPSIS_WORDS)
    return undefined
  const phrases = phrasesIn(question, language, from)
  const [firstPhrase] = phrases
  // A bare noun such as "Forklift weight" may be a new subject, so an introduction, a name, a preposition or an article is needed.
  const mayContinueEarlier =
    introductionMatch !== null ||
    firstPhrase?.isName ||
    firstPhrase?.preposition ||
    firstPhrase?.article !== 'none'
  if (!firstPhrase || !mayContinueEarlier || phrases.length > MAX_PHRASES) return undefined
  // "And the notice period?" asks for another type of answer than the earlier question, so it replaces nothing.
  return answerType(question.text) === 'any' ? phrases : undefined
}

interface Token {
  raw: string
  start: number
  end: number
  kind: 'content' | 'preposition' | 'article' | 'verb' | 'other'
}

// The word after these is a verb: "Who supplies …?", "Wer liefert …?"
const WORD_BEFORE_VERB = /^(?:who|what|wer|was|qui|quién|quiénes)$/iu
// With these the verb is the last word: "When does the lease end?"
const AUXILIARY = /^(?:do|does|did|can|could|must|may|might|shall|should|will|would)$/iu

/** The words, with an elided word as a separate word: "l'Aurora" is "l'" and "Aurora". */
function tokensIn({ words }: AnalysedText, language: AnswerLanguage): Token[] {
  const { definite, indefinite, prepositions } = FUNCTION_WORDS[language]
  return words
    .flatMap(({ raw, start, end }) => {
      const [elidedWord] = /^(?:l|d|qu)['’]/iu.exec(raw) ?? []
      if (elidedWord === undefined) return [{ raw, start, end }]
      const elidedEnd = start + elidedWord.length
      return [
        { raw: raw.slice(0, elidedWord.length - 1), start, end: elidedEnd },
        { raw: raw.slice(elidedWord.length), start: elidedEnd, end },
      ]
    })
    .map((token): Token => {
      const word = foldWord(token.raw)
      const isArticle = definite.has(word) || indefinite.has(word)
      const kind = isArticle
        ? 'article'
        : prepositions.has(word)
          ? 'preposition'
          : isStopWord(word, language)
            ? 'other'
            : 'content'
      return { ...token, kind }
    })
    .map((token, i, all): Token => (isVerb(all, i, language) ? { ...token, kind: 'verb' } : token))
}

/** Whether a content word is at a position where questions have their verb. */
function isVerb(tokens: readonly Token[], index: number, language: AnswerLanguage): boolean {
  const [token, previous] = [tokens[index], tokens[index - 1]]
  if (token?.kind !== 'content' || !previous) return false
  if (index === 1 && WORD_BEFORE_VERB.test(previous.raw) && tokens.length > 2)
    return /^\p{Ll}/u.test(token.raw)
  // German nouns and names begin with a capital, so a lowercase word after them is the verb.
  if (language === 'de')
    return previous.kind === 'content' && /^\p{Ll}/u.test(token.raw) && /^\p{Lu}/u.test(previous.raw)
  const isLast = index === tokens.length - 1 && /^\p{Ll}/u.test(token.raw)
  return (
    language === 'en' &&
    isLast &&
    previous.kind === 'content' &&
    tokens.some(({ raw }) => AUXILIARY.test(raw))
  )
}

/** @param from the offset at which the phrases begin */
function phrasesIn(question: AnalysedText, language: AnswerLanguage, from = 0): Phrase[] {
  const { definite, prepositions, contracted } = FUNCTION_WORDS[language]
  const { text } = question
  const names = namesIn(question, language)
  const periods = placedPeriods(text)
  const phrases: Phrase[] = []
  const tokens = tokensIn(question, language).filter(({ start }) => start >= from)
  for (let i = 0; i < tokens.length; i++) {
    const firstToken = tokens[i]
    if (firstToken?.kind !== 'content') continue
    let lastToken = firstToken
    for (; i + 1 < tokens.length; i++) {
      const next = tokens[i + 1]
      if (next?.kind !== 'content' || text.slice(lastToken.end, next.start).trim() !== '') break
      lastToken = next
    }
    const tokensBefore = tokens.filter(({ start }) => start < firstToken.start)
    const article = tokensBefore.at(-1)?.kind === 'article' ? tokensBefore.pop() : undefined
    const preposition = tokensBefore.at(-1)?.kind === 'preposition' ? tokensBefore.pop() : undefined
    const prepositionWord = foldWord(preposition?.raw ?? '')
    const phraseText = text.slice(firstToken.start, lastToken.end)
    phrases.push({
      preposition: prepositions.get(prepositionWord) ?? '',
      article: article
        ? definite.has(foldWord(article.raw))
          ? 'definite'
          : 'indefinite'
        : contracted.has(prepositionWord)
          ? 'definite'
          : 'none',
      start: (preposition ?? article ?? firstToken).start,
      nounPhraseStart: (article ?? firstToken).start,
      headStart: firstToken.start,
      end: lastToken.end,
      isName: names.some((name) => phraseText.includes(name)),
      isPeriod: periods.some(({ start, end }) => start >= firstToken.start && end <= lastToken.end),
    })
  }
  return phrases
}

interface Replacement {
  question: AnalysedText
  phrase: Phrase
  language: AnswerLanguage
  hasPronoun: boolean
}

/** The earlier question with the phrase in it. Undefined if it is unclear which of its phrases is replaced. */
function withPhrase(
  earlier: AnalysedText,
  { question: { text: question }, phrase, language, hasPronoun }: Replacement,
): string | undefined {
  const { text } = earlier
  const phraseText = question.slice(phrase.start, phrase.end)
  // Prepositions such as "del" and "beim" contain the article of the replaced phrase, so the new phrase is inserted without its
  // article.
  const nounPhraseFor = (replaced: Phrase): string => {
    const isInPreposition = replaced.article === 'definite' && replaced.nounPhraseStart === replaced.headStart
    const start = isInPreposition && phrase.article === 'definite' ? phrase.headStart : phrase.nounPhraseStart
    return question.slice(start, phrase.end)
  }
  const replaceRange = (from: number, to: number, replacement: string): string =>
    withSingleSpaces(`${text.slice(0, from)} ${replacement} ${text.slice(to)}`)
  if (phrase.isPeriod) {
    const [period] = placedPeriods(text)
    return period
      ? replaceRange(period.start, period.end, question.slice(phrase.headStart, phrase.end))
      : withSingleSpaces(`${text} ${phraseText}`)
  }
  const type = answerType(text)
  const namesAnswerType = ({ headStart, end }: Phrase): boolean => {
    const words = text.slice(headStart, end).split(/\s+/)
    // The noun is the last word of an English or German phrase, and the first of a French or Spanish one.
    return isTypeWord(type, (language === 'en' || language === 'de' ? words.at(-1) : words[0]) ?? '')
  }
  const phrases = phrasesIn(earlier, language).filter((other) => !namesAnswerType(other))
  const names = phrases.filter(({ isName }) => isName)
  const samePreposition = phrases.filter(
    ({ preposition }) => phrase.preposition !== '' && preposition === phrase.preposition,
  )
  const [name, phraseWithPreposition] = [onlyOne(phrase.isName ? names : []), onlyOne(samePreposition)]
  const replacedPhrase = name ?? phraseWithPreposition
  if (replacedPhrase)
    return phrase.preposition
      ? replaceRange(replacedPhrase.start, replacedPhrase.end, phraseText)
      : replaceRange(replacedPhrase.nounPhraseStart, replacedPhrase.end, nounPhraseFor(replacedPhrase))
  if (phrase.isName || (phrase.preposition !== '' && samePreposition.length === 0))
    return names.length > 1 && phrase.isName ? undefined : withSingleSpaces(`${text} ${phraseText}`)
  const otherPhrases = phrases.filter(({ isName }) => !isName)
  const subject =
    phrase.article === 'none'
      ? onlyOne(
          otherPhrases.filter(
            (other) => other.article === 'none' && wordCountOf(text, other) === wordCountOf(question, phrase),
          ),
        )
      : (onlyOne(otherPhrases.filter(({ article }) => article === phrase.article)) ??
        onlyOne(otherPhrases.filter(({ article, preposition }) => article !== 'none' || preposition !== '')))
  if (subject) return replaceRange(subject.nounPhraseStart, subject.end, nounPhraseFor(subject))
  const pronoun = hasPronoun ? PRONOUN.exec(text) : null
  return pronoun ? replaceRange(pronoun.index, pronoun.index + pronoun[0].length, phraseText) : undefined
}

const wordCountOf = (text: string, { headStart, end }: Phrase): number =>
  text.slice(headStart, end).split(/\s+/).length

const onlyOne = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)
