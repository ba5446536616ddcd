// Trains the lexicon and writes model/lexicon.txt.gz: which words of German, French and Spanish say what an English word says, and
// which English words say the same. Sentences with their translations (of tatoeba.org, as manythings.org/anki has them) tell how often
// a word stands for another: IBM Model 1 (Brown et al. 1993) in both directions. Dictionaries of Wiktionary add words that no sentence
// has. Two English words mean the same if the same words of other languages stand for both (Bannard and Callison-Burch 2005).
//   node dist/lab/lexicon/train.js --pairs de=deu.txt --pairs fr=fra.txt --pairs es=spa.txt \
//     --dictionary en-de=en-de-enwiktionary.txt --dictionary fr-en=fr-en-enwiktionary.txt --dictionary es-en=es-en-enwiktionary.txt

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { contentTerms } from '../../src/language/analyse.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import type { Language } from '../../src/language/language.ts'
import { CONCEPTS } from './concepts.ts'
import { dictionaryPairs, type WordPair } from './dictionary.ts'
import { type Counts, linesOf, paraphrasesOf, type Translations, translationsOf } from './lexicon.ts'

const LEXICON_PATH = 'model/lexicon.txt.gz'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', multiple: true, default: [] },
    dictionary: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: LEXICON_PATH },
  },
})

/** The stems of a sentence's content words, and in `counts` how often each stem is written in which form. */
function stemsOf(text: string, language: Language, counts: Counts): string[] {
  const analysed = analysedText(text)
  return analysed.words.flatMap((word) =>
    analysed.termsOf(word, language).flatMap(({ term, kind }) => {
      if (kind !== 'word' || /\d/.test(term)) return []
      const forms = counts.get(term) ?? new Map<string, number>()
      counts.set(term, forms)
      const form = word.raw.toLowerCase()
      forms.set(form, (forms.get(form) ?? 0) + 1)
      return [term]
    }),
  )
}

// A sentence that says "not" in one language alone teaches that a word means its opposite: "uninsured" is "nicht versichert".
const NEGATIONS: Readonly<Record<'en' | 'de' | 'fr' | 'es', RegExp>> = {
  en: /\b(?:not|no|never|without|nobody|nothing|none|nowhere|neither|nor|cannot)\b|n['’]t\b/gi,
  de: /(?<!\p{L})(?:nicht|kein\p{L}*|nie|niemals|ohne|niemand\p{L}*|nichts|nirgends|weder)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:ne\s|n['’]|sans|non|aucun\p{L}*|jamais|ni)(?!$)/giu,
  es: /(?<!\p{L})(?:no|nunca|jamás|sin|nadie|nada|ning[uú]n\p{L}*|tampoco|ni)(?!\p{L})/giu,
}
const isNegated = (text: string, language: keyof typeof NEGATIONS): boolean =>
  text.match(NEGATIONS[language]) !== null

const english: Counts = new Map()
const byLanguage = new Map<Language, { translations: Translations; forms: Counts }>()
for (const language of ['de', 'fr', 'es'] as const) {
  const forms: Counts = new Map()
  const file = values.pairs.find((option) => option.startsWith(`${language}=`))?.slice(3)
  const sentences = file ? readFileSync(file, 'utf8').split('\n') : []
  const parallel = sentences.flatMap((line) => {
    const [source, target] = line.split('\t')
    if (!source || !target || isNegated(source, 'en') !== isNegated(target, language)) return []
    return [{ english: stemsOf(source, 'en', english), other: stemsOf(target, language, forms) }]
  })
  const pairs: WordPair[] = values.dictionary.flatMap((option) => {
    const [direction = '', path = ''] = option.split('=')
    if (!direction.split('-').includes(language)) return []
    return dictionaryPairs(readFileSync(path, 'utf8'), direction.startsWith('en-'))
  })
  const listed = pairs.flatMap((pair) => {
    const [one] = stemsOf(pair.english, 'en', english)
    const [other] = stemsOf(pair.other, language, forms)
    return one === undefined || other === undefined ? [] : [{ english: one, other, rank: pair.rank }]
  })
  const translations = translationsOf(parallel, listed)
  byLanguage.set(language, { translations, forms })
  console.error(
    `${language}: ${parallel.length} sentences, ${listed.length} pairs of a dictionary, ${translations.toEnglish.size} words`,
  )
}
const paraphrases = paraphrasesOf([...byLanguage.values()].map(({ translations }) => translations))
const concepts = CONCEPTS.map((concept) =>
  concept.flatMap(({ language, word }) => {
    const [stem, ...others] = contentTerms(word, language)
    return stem === undefined || others.length > 0 ? [] : [{ language, stem, word }]
  }),
)
const lines = linesOf({ byLanguage, english, paraphrases, concepts })
writeFileSync(values.out, gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
console.error(`${lines.length} entries`)
