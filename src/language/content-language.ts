// Guesses the language of a short query without stop words ("horaires piscine") by the languages that have its content words.

import { isWord } from './dictionary.ts'
import type { Language } from './language.ts'
import { isInLexicon, LEXICON_LANGUAGES, type LexiconLanguage } from './lexicon.ts'
import type { WordedText } from './words.ts'

// Longer texts have stop words.
const MAX_WORDS = 12
// In UTF-16 units. Shorter words are often abbreviations or words of several languages.
const MIN_LETTERS = 3

// Letters and elisions of one of the languages only.
const OWN_LETTERS: Partial<Record<LexiconLanguage, RegExp>> = {
  de: /[äöüß]/iu,
  fr: /[èêëàâçîïôûùœ]|^(?:[cdjlmnst]|qu)['’]/iu,
  es: /[ñíóú]/iu,
}

/**
 * The language that has more words of a query than the first of `languages` has, and than any other. If two have the same number,
 * it is the one with more words of its own.
 * @param languages those of the searched texts, the most frequent first
 */
export function languageOfContentWords(
  { words }: WordedText,
  languages: readonly Language[],
): LexiconLanguage | undefined {
  const candidates = LEXICON_LANGUAGES.filter((language) => languages.includes(language))
  const main = candidates.find((language) => language === languages[0])
  if (main === undefined || candidates.length < 2) return undefined
  const wordsToJudge = [...words]
    .slice(0, MAX_WORDS)
    .filter(({ raw }) => raw.length >= MIN_LETTERS && /^\p{L}+(?:['’]\p{L}+)?$/u.test(raw))
    .map(({ raw }) => ({ isLowerCase: /^\p{Ll}/u.test(raw), languages: languagesOfWord(raw, candidates) }))
  // Words with a capital beside words of the main language are probably names: "Jürgen Müller phone".
  const lowerCaseWords = wordsToJudge.filter(({ isLowerCase }) => isLowerCase)
  if (lowerCaseWords.length > 0 && lowerCaseWords.every((word) => word.languages.includes(main)))
    return undefined
  const languagesByWord = wordsToJudge.map((word) => word.languages)
  const votes = candidates.map((language) => {
    const ownWords = languagesByWord.filter((wordLanguages) => wordLanguages.includes(language))
    const share = ownWords.reduce((sum, wordLanguages) => sum + 1 / wordLanguages.length, 0)
    return { language, count: ownWords.length, share }
  })
  const mainCount = votes.find(({ language }) => language === main)?.count ?? 0
  const [best, second] = votes
    .filter(({ count }) => count > mainCount)
    .sort((a, b) => b.count - a.count || b.share - a.share)
  const isTied = best?.count === second?.count && best?.share === second?.share
  return isTied ? undefined : best?.language
}

function languagesOfWord(raw: string, candidates: readonly LexiconLanguage[]): LexiconLanguage[] {
  const byLetters = candidates.filter((language) => OWN_LETTERS[language]?.test(raw))
  if (byLetters.length > 0) return byLetters
  return candidates.filter(
    (language) => isInLexicon(raw, language) || (language === 'en' && isWord(raw, ['en'])),
  )
}
