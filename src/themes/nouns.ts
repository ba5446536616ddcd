// Tells from their places in the text which words name a thing: "the lease," does, "needs a" and "four visitors" do not. English
// words that mostly stand together, such as "label printer", name it together. Pure functions.

import { CALENDAR, UNIT_WORDS } from '../language/gazetteer-cues.ts'
import type { Language } from '../language/language.ts'
import { sentences } from '../language/sentences.ts'
import { isStopWord } from '../language/stem.ts'
import { fold, words } from '../language/words.ts'

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

interface FunctionWords {
  /** Articles and other words after which a noun stands, or an adjective with its noun. */
  determiners: ReadonlySet<string>
  /** Words after which a noun stands and no verb. */
  prepositions: ReadonlySet<string>
  /** Words after which a verb stands. */
  beforeVerbs: ReadonlySet<string>
  /** Articles, objects and clauses, which stand after a verb and not after a noun. */
  afterVerbs: ReadonlySet<string>
}

/** German needs none: its nouns are capitalised. */
const FUNCTION_WORDS: Partial<Record<Language, FunctionWords>> = {
  en: {
    determiners: wordSet('a an the this these those my your his her its our their each every no any some'),
    prepositions: wordSet('of in on at by for from with without into about under over between per via'),
    beforeVerbs: wordSet(
      'to i we you he she they it who which will would can could may might must shall should not never please',
    ),
    afterVerbs: wordSet('a an the my your his her its our their what how whether it them us me him'),
  },
  de: {
    determiners: wordSet(
      'der die das den dem des ein eine einen einem einer eines kein keine im am zum zur vom beim ins ans',
    ),
    prepositions: wordSet('von in an auf mit für aus bei nach über unter ohne um durch pro zu'),
    beforeVerbs: wordSet(''),
    afterVerbs: wordSet(''),
  },
  fr: {
    determiners: wordSet(
      'le la les l un une des du au aux ce cet cette ces mon ma mes son sa ses notre nos votre vos leur leurs chaque',
    ),
    // Before a vowel: "panne d'électricité". An infinitive may stand after the others.
    prepositions: wordSet('d sur sous dans avec'),
    beforeVerbs: wordSet('je j tu il elle on nous vous ils elles qui ne n se s'),
    afterVerbs: wordSet('le la les un une que comment'),
  },
  es: {
    determiners: wordSet(
      'el la los las un una unos unas del al este esta estos estas ese esa su sus mi mis nuestro nuestra cada',
    ),
    prepositions: wordSet('con sobre en'),
    beforeVerbs: wordSet('yo él ella nosotros ellos ellas que no se'),
    afterVerbs: wordSet('el la los las un una qué cómo'),
  },
}

const AUXILIARIES = wordSet('is are was were has have had will can may must does do')

/** Whether the words are known by which nouns are told in the language. */
export const knowsNouns = (language: Language): boolean => FUNCTION_WORDS[language] !== undefined

const LANGUAGES_WITH_NOUNS = Object.keys(FUNCTION_WORDS) as Language[]

/** Whether the word is a function word of one of these languages. The language of a short text or a table may be guessed wrongly. */
export const isFunctionWord = (word: string): boolean =>
  LANGUAGES_WITH_NOUNS.some((language) => isStopWord(fold(word), language))

/** A word of a sentence with those directly beside it, with nothing but white space between. */
interface Place {
  raw: string
  word: string
  isContent: boolean
  before: Place | undefined
  after: Place | undefined
}

// Matches the article or pronoun of "l'assurance", "d'électricité".
const ELISION = /^(?<elided>[cdjlmnst]|qu)['’](?=\p{L})/iu

function placesIn(sentence: string, language: Language, { determiners }: FunctionWords): Place[] {
  const places: Place[] = []
  let previousEnd: number | undefined
  const add = (raw: string, start: number, end: number): void => {
    const word = fold(raw)
    // Some lists of stop words leave out "a", which is also a letter.
    const isContent = /\p{L}{2}/u.test(raw) && !isStopWord(word, language) && !determiners.has(word)
    const isBeside = previousEnd !== undefined && sentence.slice(previousEnd, start).trim() === ''
    const before = isBeside ? places.at(-1) : undefined
    const place: Place = { raw, word, isContent, before, after: undefined }
    if (before) before.after = place
    places.push(place)
    previousEnd = end
  }
  for (const { raw, start, end } of words(sentence)) {
    const elided = language === 'fr' ? ELISION.exec(raw)?.groups?.elided : undefined
    if (elided) add(elided, start, start + elided.length)
    const from = elided ? elided.length + 1 : 0
    // The apostrophe is no space, but the two words stand beside each other.
    if (elided) previousEnd = start + from
    add(raw.slice(from), start + from, end)
  }
  return places
}

type Use = 'noun' | 'other' | 'name' | undefined

/** How the phrase uses the words from `first` to `last`, one or two. Undefined if the words beside them do not tell. */
function useOf(first: Place, last: Place, language: Language, functionWords: FunctionWords): Use {
  const { determiners, prepositions, beforeVerbs, afterVerbs } = functionWords
  const { before } = first
  const { after } = last
  const isAfter = (words: ReadonlySet<string>): boolean => before !== undefined && words.has(before.word)
  const isCapitalised = /^\p{Lu}/u.test(last.raw)
  const isAfterDeterminer = isAfter(determiners)
  if (before && language === 'de') return isCapitalised ? 'noun' : 'other'
  if (before && isCapitalised && !isAfterDeterminer) return 'name'
  if (isAfter(beforeVerbs)) return 'other'
  if (after && afterVerbs.has(after.word) && !(first === last && isAfterDeterminer)) return 'other'
  // What ends a pair may be a verb ("the committee met on"), unless the phrase ends there ("the label printer is").
  if (first !== last && after && !AUXILIARIES.has(after.word)) return undefined
  // In French and Spanish the noun comes before its adjective; elsewhere this word may be the adjective.
  if (after?.isContent && language !== 'fr' && language !== 'es') return undefined
  return isAfterDeterminer || isAfter(prepositions) ? 'noun' : undefined
}

/** The places of a word, or of a pair of words, in some passages. */
interface Uses {
  count: number
  noun: number
  other: number
  name: number
  documents: Set<string>
  /** How often it is written so. */
  spellings: Map<string, number>
  /** The words of a pair. */
  words: readonly string[]
}

export interface WordUses {
  words: Map<string, Uses>
  /** The pairs of words by each of the two. */
  pairs: Map<string, Map<string, Uses>>
}

interface Passage {
  document_id: string
  text: string
  language: Language
}

/** Reads one passage in each step. */
export function* usesIn(passages: readonly Passage[]): Generator<void, WordUses> {
  const uses: WordUses = { words: new Map(), pairs: new Map() }
  for (const { document_id, text, language } of passages) {
    const functionWords = FUNCTION_WORDS[language]
    if (functionWords)
      for (const sentence of sentences(text)) {
        const content = placesIn(sentence.text, language, functionWords).filter(({ isContent }) => isContent)
        for (const place of content) {
          addUse(uses.words, [place], document_id, useOf(place, place, language, functionWords))
          const { after } = place
          if (language !== 'en' || !after?.isContent || after.word === place.word) continue
          const use = useOf(place, after, language, functionWords)
          for (const { word } of [place, after]) {
            const pairs = uses.pairs.get(word) ?? new Map<string, Uses>()
            uses.pairs.set(word, pairs)
            addUse(pairs, [place, after], document_id, use)
          }
        }
      }
    yield
  }
  return uses
}

function addUse(target: Map<string, Uses>, places: readonly Place[], documentId: string, use: Use): void {
  const wordsOfPlaces = places.map(({ word }) => word)
  const key = wordsOfPlaces.join(' ')
  const uses = target.get(key) ?? {
    ...{ count: 0, noun: 0, other: 0, name: 0 },
    ...{ documents: new Set(), spellings: new Map(), words: wordsOfPlaces },
  }
  target.set(key, uses)
  uses.count++
  if (use) uses[use]++
  uses.documents.add(documentId)
  const spelling = places.map(({ raw }) => raw).join(' ')
  uses.spellings.set(spelling, (uses.spellings.get(spelling) ?? 0) + 1)
}

// A word that is a noun in fewer of its places is mostly something else.
const MIN_NOUN_SHARE = 0.15

const isNoun = ({ count, noun, other, name }: Uses): boolean =>
  noun >= Math.max(1, other, name, MIN_NOUN_SHARE * count)

const isCalendarOrUnit = (word: string): boolean => CALENDAR.has(word) || UNIT_WORDS.has(word)

// A pair stands for its words if they are so often together.
const MIN_PAIR_SHARE = 0.5
const MIN_PAIR_DOCUMENTS = 2

/**
 * What the word names, as it is written most often: itself, or the pair of words that it mostly stands in. Undefined if it names
 * nothing, is a name itself, or is a month or a unit.
 */
export function termWith(word: string, { words, pairs }: WordUses): string | undefined {
  const key = fold(word)
  const uses = words.get(key)
  if (!uses || isCalendarOrUnit(key)) return undefined
  const isTerm = (pair: Uses): boolean =>
    pair.documents.size >= MIN_PAIR_DOCUMENTS &&
    pair.count >= MIN_PAIR_SHARE * uses.count &&
    isNoun(pair) &&
    !pair.words.some(isCalendarOrUnit)
  const pair = [...(pairs.get(key)?.values() ?? [])].filter(isTerm).sort((a, b) => b.count - a.count)[0]
  const term = pair ?? (isNoun(uses) ? uses : undefined)
  return term && [...term.spellings].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** The word without the article that French writes together with it: "assurance" of "l'assurance". */
export const withoutElision = (word: string): string => word.replace(ELISION, '')
