// Restores the capitals of a question that is typed in lower case, from the passages that it finds: "mobile number of ilse drummond"
// becomes "mobile number of Ilse Drummond". Names decide what is stated as the answer, so an answer must not depend on how hastily
// somebody types. (Truecasing: Lita et al., tRuEcasIng, ACL 2003.) Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { isWord } from '../../language/dictionary.ts'
import type { Language } from '../../language/language.ts'
import { fold, words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { isCode } from './question.ts'

// German writes every noun with a capital.
const CAPITALISES_NOUNS: readonly Language[] = ['de']

/**
 * The question with those words as the passages write them that they never write in lower case, and at least once with a capital
 * that marks a name. A word beside such a name is a part of it if the passages write the two side by side. Words of the English
 * dictionary stay as they are, because contracts capitalise "Deposit" and "Tenant".
 */
export function truecased(
  { text, words: typedWords }: AnalysedText,
  language: Language,
  passages: readonly Passage[],
): string {
  const isCandidate = (raw: string): boolean =>
    /^\p{Ll}/u.test(raw) && contentTerms(raw, language).length > 0 && !isWord(raw, ['en'])
  const candidates = new Set(typedWords.flatMap(({ raw }) => (isCandidate(raw) ? [fold(raw)] : [])))
  if (candidates.size === 0) return text
  const { forms, neighbours } = capitalisedForms(candidates, passages)
  let result = text
  for (let from = 0; from < typedWords.length; ) {
    const name = typedWords.slice(from, endOfName(typedWords, from, neighbours)).map((word) => ({
      word,
      form: forms.get(fold(word.raw)),
    }))
    if (name.some(({ form }) => form?.marksName))
      // A form of another length, such as "Straße" for "strasse", would move the words after it.
      for (const { word, form } of name)
        if (form && form.raw.length === word.raw.length && (!isCode(form.raw) || isCode(word.raw)))
          result = result.slice(0, word.start) + form.raw + result.slice(word.end)
    from += name.length
  }
  return result
}

/** The index after the last word that the passages write beside the word before it. */
function endOfName(
  typedWords: readonly { raw: string }[],
  from: number,
  neighbours: ReadonlySet<string>,
): number {
  let to = from + 1
  while (
    to < typedWords.length &&
    neighbours.has(`${fold(typedWords[to - 1]?.raw ?? '')} ${fold(typedWords[to]?.raw ?? '')}`)
  )
    to++
  return to
}

interface CapitalisedForm {
  /** As the passages write it first. */
  raw: string
  /** Whether its capital marks a name, and not only the beginning of a sentence or cell. */
  marksName: boolean
}

/**
 * The forms of those of the folded words that the passages have, and never in lower case, and the pairs of them that stand side by
 * side there.
 */
function capitalisedForms(
  candidates: ReadonlySet<string>,
  passages: readonly Passage[],
): { forms: ReadonlyMap<string, CapitalisedForm>; neighbours: ReadonlySet<string> } {
  const forms = new Map<string, CapitalisedForm>()
  const neighbours = new Set<string>()
  const lowerCaseWords = new Set<string>()
  for (const { text: wholeText, language } of passages) {
    if (CAPITALISES_NOUNS.includes(language)) continue
    const text = withoutHeaderRows(wholeText)
    let previous: { word: string; end: number } | undefined
    for (const { raw, start, end } of words(text)) {
      const word = fold(raw)
      if (!candidates.has(word)) continue
      if (previous && /^\.? $/.test(text.slice(previous.end, start)))
        neighbours.add(`${previous.word} ${word}`)
      previous = { word, end }
      if (/^\p{Ll}/u.test(raw)) lowerCaseWords.add(word)
      const marksName = followsWord(text, start) || precedesCapital(text, end)
      const earlier = forms.get(word)
      forms.set(word, { raw: earlier?.raw ?? raw, marksName: earlier?.marksName === true || marksName })
    }
  }
  for (const word of lowerCaseWords) forms.delete(word)
  return { forms, neighbours }
}

/** The text without the names of columns, which are capitalised like names. */
const withoutHeaderRows = (text: string): string => text.replace(/^\|.*\|\n(?=\|[ :|-]+\|$)/gm, '')

/** Whether another word of the sentence is directly before a position, perhaps an abbreviation such as "Dr.". */
const followsWord = (text: string, at: number): boolean =>
  /(?:(?<!\p{L})(?:Dr|Mr|Mrs|Ms|Prof|St|Fr|Sr|Sra)\.|[\p{L}\p{N}],?) $/u.test(
    text.slice(Math.max(0, at - 8), at),
  )

/** Whether a capitalised word is directly after a position, as in "Brightway Services" at the beginning of a cell. */
const precedesCapital = (text: string, at: number): boolean => /^ \p{Lu}/u.test(text.slice(at, at + 3))
