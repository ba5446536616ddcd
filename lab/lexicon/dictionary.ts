// Reads the bilingual dictionaries that are made from Wiktionary ("abacus {n} (calculating frame) :: Abakus {m}, Rechenbrett {n}").

export interface WordPair {
  english: string
  other: string
  /** The place of the translation among those of its sense, from 0. */
  rank: number
}

const isOneWord = (text: string): boolean => /^[\p{L}][\p{L}’'-]*$/u.test(text)

/** Without word classes, senses and notes, and without what English puts before a verb or noun. */
const bare = (text: string): string =>
  text
    .replace(/\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|\/[^/]*\//g, ' ')
    .replace(/^\s*(?:to|an?|the|sich)\s+/i, '')
    .trim()

/** @param isEnglishFirst whether the headwords are English */
export function dictionaryPairs(text: string, isEnglishFirst: boolean): WordPair[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('#') || /\bSEE:/.test(line)) return []
    const [head = '', translations = ''] = line.split(' :: ')
    const headword = bare(head)
    if (!isOneWord(headword)) return []
    return translations
      .split(/[,;](?![^(]*\))/)
      .map(bare)
      .flatMap((word, rank) =>
        isOneWord(word)
          ? [
              isEnglishFirst
                ? { english: headword, other: word, rank }
                : { english: word, other: headword, rank },
            ]
          : [],
      )
  })
}
