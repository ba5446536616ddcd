// How the words of a page in Hebrew or Arabic script are spelled. PDFium and pdf-inspector each turn the letters of some pages
// the wrong way round, and PDFium those of a ligature ("األدوات" for "الأدوات"). Letters that only end a word tell which
// way a page's words face.

/** Words as they are spelled, by their letters in whatever order. */
export type Spellings = ReadonlyMap<string, readonly string[]>

// Letters that stand at the end of a word only, and the article, with which words begin.
const FINAL = 'ךםןףץةى'
const ARTICLE = /^ال.{2}/u
const ARTICLE_BACKWARDS = /.{2}لا$/u

const lettersOf = (word: string): string => [...word].sort().join('')
const backwardsOf = (word: string): string => [...word].reverse().join('')

/** The words the right way round: all of them turned where more face the other way. */
export function spellingsOf(words: Iterable<string>): Spellings {
  const all = [...new Set(words)]
  const facing = all.reduce((sum, word) => sum + facingOf(word), 0)
  const spellings = new Map<string, string[]>()
  for (const word of all) {
    const own = facing < 0 ? backwardsOf(word) : word
    const letters = lettersOf(own)
    spellings.set(letters, [...(spellings.get(letters) ?? []), own])
  }
  return spellings
}

/** 1 for a word the right way round, -1 for one backwards, 0 where nothing tells. */
function facingOf(word: string): number {
  const letters = [...word]
  const [first = '', last = ''] = [letters[0], letters.at(-1)]
  if (letters.length < 2) return 0
  const ends = FINAL.includes(last) || ARTICLE.test(word)
  const begins = FINAL.includes(first) || ARTICLE_BACKWARDS.test(word)
  return Number(ends) - Number(begins)
}

/** The word as it is spelled, whichever way its letters or those of a ligature were turned. */
export function spelled(word: string, spellings: Spellings): string {
  const known = spellings.get(lettersOf(word)) ?? []
  if (known.includes(word)) return word
  const backwards = backwardsOf(word)
  if (known.includes(backwards)) return backwards
  const turned = known.find((other) => [word, backwards].some((own) => differsInLigatures(own, other)))
  return turned ?? word
}

// Lam and alef, which are written as one sign.
const LIGATURE = /^(?:ل[اأإآٱ]|[اأإآٱ]ل)$/u

/** Whether two words of the same letters differ in the order of ligatures' letters only. */
function differsInLigatures(word: string, other: string): boolean {
  const [a, b] = [[...word], [...other]]
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue
    const isTurned = a[i] === b[i + 1] && a[i + 1] === b[i] && LIGATURE.test(`${a[i]}${a[i + 1]}`)
    if (!isTurned) return false
    i++
  }
  return true
}
