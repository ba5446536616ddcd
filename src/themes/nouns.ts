// Tells from their places in the text which words name a thing: "the lease," does, "needs a" and "four visitors" do not. Words that
// mostly stand together, such as "label printer", name it together. Pure functions.

import { CALENDAR, UNIT_WORDS } from '../language/gazetteer-cues.ts'
import type { Language } from '../language/language.ts'
import { sentences } from '../language/sentences.ts'
import { isStopWord } from '../language/stem.ts'
import { fold, words } from '../language/words.ts'

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '))

interface FunctionWords {
  /** Articles and other words that only a noun phrase begins with. */
  determiners: ReadonlySet<string>
  prepositions: ReadonlySet<string>
  /** Words after which a verb stands. */
  beforeVerbs: ReadonlySet<string>
  /** Objects and clauses that only a verb has after it. */
  afterVerbs: ReadonlySet<string>
}

const FUNCTION_WORDS: Partial<Record<Language, FunctionWords>> = {
  en: {
    determiners: wordSet(
      'a an the this that these those my your his her its our their each every no any some',
    ),
    prepositions: wordSet('of in on at by for from with without into about under over between per via as'),
    beforeVerbs: wordSet(
      'to i we you he she they it who which that will would can could may might must shall should not never please',
    ),
    afterVerbs: wordSet('what how whether it them us me him'),
  },
  de: {
    determiners: wordSet(
      'der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner dieser diese dieses diesem diesen ' +
        'jeder jede jedes jedem jeden mein meine sein seine seiner seinem ihr ihre ihrer ihrem unser unsere im am zum zur vom beim ins ans',
    ),
    prepositions: wordSet('von in an auf mit für aus bei nach über unter ohne um durch pro'),
    beforeVerbs: wordSet('ich wir sie er es man zu nicht wer'),
    afterVerbs: wordSet('was wie ob es ihn uns mich'),
  },
  fr: {
    determiners: wordSet(
      'le la les un une des du au aux ce cet cette ces mon ma mes son sa ses notre nos votre vos leur leurs chaque',
    ),
    prepositions: wordSet('de à en par pour sans avec sur sous dans'),
    beforeVerbs: wordSet('je tu il elle on nous vous ils elles qui ne se'),
    afterVerbs: wordSet('que quoi comment si'),
  },
  es: {
    determiners: wordSet(
      'el la los las un una unos unas del al este esta estos estas ese esa su sus mi mis nuestro nuestra cada',
    ),
    prepositions: wordSet('de a en por para sin con sobre'),
    beforeVerbs: wordSet('yo él ella nosotros ellos ellas que no se'),
    afterVerbs: wordSet('qué cómo si lo'),
  },
}

/** Whether the words are known by which nouns are told in the language. */
export const knowsNouns = (language: Language): boolean => FUNCTION_WORDS[language] !== undefined

const LANGUAGES_WITH_NOUNS = Object.keys(FUNCTION_WORDS) as Language[]

/** Whether the word is a function word of one of these languages. The language of a short text or a table may be guessed wrongly. */
export const isFunctionWord = (word: string): boolean =>
  LANGUAGES_WITH_NOUNS.some((language) => isStopWord(fold(word), language))

/** A word of a sentence with what stands directly beside it, with nothing but a space between. */
interface Place {
  raw: string
  word: string
  isContent: boolean
  before: Place | undefined
  after: Place | undefined
}

function placesIn(sentence: string, language: Language, { determiners }: FunctionWords): Place[] {
  const places: Place[] = []
  let previousEnd = -1
  for (const { raw, start, end } of words(sentence)) {
    const word = fold(raw)
    // Some lists of stop words leave out "a", which is also a letter.
    const isContent = /\p{L}/u.test(raw) && !isStopWord(word, language) && !determiners.has(word)
    const previous =
      previousEnd >= 0 && /^ $/.test(sentence.slice(previousEnd, start)) ? places.at(-1) : undefined
    const place: Place = { raw, word, isContent, before: previous, after: undefined }
    if (previous) previous.after = place
    places.push(place)
    previousEnd = end
  }
  return places
}

type Use = 'noun' | 'other' | 'name' | undefined

/** How the phrase that ends with `last` uses it. `first` differs from `last` for a pair of words. */
function useOf(first: Place, last: Place, language: Language, functionWords: FunctionWords): Use {
  const { determiners, prepositions, beforeVerbs, afterVerbs } = functionWords
  const { before } = first
  const { after } = last
  const isAfter = (place: Place, among: ReadonlySet<string>): boolean =>
    place.before !== undefined && among.has(place.before.word)
  const isCapitalised = /^\p{Lu}/u.test(last.raw)
  const isAfterDeterminer = isAfter(first, determiners)
  if (before && language === 'de' && !isCapitalised) return 'other'
  if (before && language !== 'de' && isCapitalised && !isAfterDeterminer) return 'name'
  if (!isAfterDeterminer && isAfter(first, beforeVerbs)) return 'other'
  const isBeforeObject = after !== undefined && (determiners.has(after.word) || afterVerbs.has(after.word))
  if (isBeforeObject && !isAfter(last, determiners)) return 'other'
  // In French and Spanish the noun comes before its adjective.
  if (after?.isContent && language !== 'fr' && language !== 'es')
    return isGermanNoun(language, isCapitalised) ? 'noun' : 'other'
  const start = phraseStart(first)
  return isAfter(start, determiners) || isAfter(start, prepositions) ? 'noun' : undefined
}

const isGermanNoun = (language: Language, isCapitalised: boolean): boolean =>
  language === 'de' && isCapitalised

const MAX_PHRASE_WORDS = 4

/** The first of the content words that stand directly before this one. */
function phraseStart(place: Place): Place {
  let start = place
  for (let i = 1; i < MAX_PHRASE_WORDS && start.before?.isContent; i++) start = start.before
  return start
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
          if (language !== 'en' || !after?.isContent) continue
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
  const key = places.map(({ word }) => word).join(' ')
  const uses = target.get(key) ?? {
    count: 0,
    noun: 0,
    other: 0,
    name: 0,
    documents: new Set(),
    spellings: new Map(),
  }
  target.set(key, uses)
  uses.count++
  if (use) uses[use]++
  uses.documents.add(documentId)
  const spelling = places.map(({ raw }) => raw).join(' ')
  uses.spellings.set(spelling, (uses.spellings.get(spelling) ?? 0) + 1)
}

const isNoun = ({ noun, other, name }: Uses): boolean => noun > 0 && noun >= other && noun >= name

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
  if (!uses || CALENDAR.has(key) || UNIT_WORDS.has(key)) return undefined
  const pair = [...(pairs.get(key)?.values() ?? [])]
    .filter(
      (one) =>
        isNoun(one) && one.documents.size >= MIN_PAIR_DOCUMENTS && one.count >= MIN_PAIR_SHARE * uses.count,
    )
    .sort((a, b) => b.count - a.count)[0]
  const term = pair ?? (isNoun(uses) ? uses : undefined)
  return term && [...term.spellings].sort(([, a], [, b]) => b - a)[0]?.[0]
}
