// Splits text into words by Unicode properties, the same for indexing and queries. A regular expression instead of
// Intl.Segmenter: 12 MB/s against 1 MB/s, and codes such as AB-123/4 stay whole.

/** A word of a text; offsets in UTF-16 units. */
export interface Word {
  raw: string
  start: number
  end: number
}

// Letters, digits and marks, joined by the inner punctuation of codes, names, contractions and numbers. Soft hyphens and
// joiners, which Persian and the scripts of India have inside words, do not separate words (UAX 29).
const WORD =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*(?:[-_.,'’/+#&@:][\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*)*[+#]*/gu

// Superscript digits after a digit are an exponent or a footnote mark. Folded into the number, 10⁶ would be 106, and
// 1,250.00¹ would not be 1,250.00.
const SUPERSCRIPTS = /(?<=\d)[¹²³⁰⁴-⁹]+|(?:[^¹²³⁰⁴-⁹]|(?<!\d)[¹²³⁰⁴-⁹])+/gu

/** A text with its words in order. */
export interface WordedText {
  readonly text: string
  readonly words: Iterable<Word>
}

/** A text whose words are read only when they are requested, unless they have been read already. */
export const worded = (text: string | WordedText): WordedText =>
  typeof text === 'string'
    ? {
        text,
        get words() {
          return words(text)
        },
      }
    : text

/** The words of a text in order, with inner punctuation: `O'Brien`, `AB-123`, `3.5`, `e-mail`. Linear time. */
export function* words(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    const raw = match[0]
    const start = match.index
    if (!/[,:¹²³⁰⁴-⁹]/.test(raw)) yield { raw, start, end: start + raw.length }
    else if (!/\d[¹²³⁰⁴-⁹]/.test(raw)) yield* splitAtCommas(raw, start)
    else
      for (const part of raw.matchAll(SUPERSCRIPTS))
        for (const { 0: whole, index } of part[0].matchAll(WORD))
          yield* splitAtCommas(whole, start + part.index + index)
  }
}

function* splitAtCommas(word: string, start: number): Generator<Word> {
  for (const { 0: raw, index } of word.matchAll(PIECE))
    yield { raw, start: start + index, end: start + index + raw.length }
}

// Commas and colons join digits (1,200 and 10:30) and separate anything else.
const PIECE = /(?:(?<=\d)[,:](?=\d)|[^,:])+/gu

// Emoji as they are shown: with skin tones, joined to families, two letters as a flag. Signs that are text unless a selector
// says otherwise (©, ™) only count with the selector, which is left out.
const EMOJI =
  /\p{RI}{2}|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}(?=\ufe0f))[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*/gu

/** The emoji of a text in order. They are not words: only the index uses them. */
export const emojiIn = (text: string): string[] =>
  /[\p{RI}\p{Extended_Pictographic}]/u.test(text)
    ? (text.match(EMOJI) ?? []).map((emoji) => emoji.replaceAll('\ufe0f', ''))
    : []

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

// The first Thai character; most words are below it.
const FIRST_UNSPACED = 0x0e01

/** Whether the word has letters of a script that is written without spaces (unspaced.ts). */
export function isUnspaced(word: string): boolean {
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) >= FIRST_UNSPACED) return UNSPACED.test(word)
  return false
}

/**
 * The word's characters with their combining marks: Thai writes vowels and tones above and below the consonant.
 */
export const characters = (word: string): string[] => word.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, which Unicode's normal forms leave as it is
const ASCII = /^[\x00-\x7f]*$/

/** NFKC and case folding by lower-casing; ß becomes ss. */
export const fold = (word: string): string =>
  ASCII.test(word) ? word.toLowerCase() : word.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss')

/** Matches the pattern as whole words of any script, case-insensitively; `\b` only knows English letters. */
export const wholeWords = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, 'iu')

/**
 * A folded word as it is compared in texts. Without the marks that its script may omit (Greek accents, which capitals do not
 * have, Russian ё, the vowels of Arabic and Hebrew), with one of several forms of a letter (ș and ş, ي and ی, हिन्दी and
 * हिंदी), and with the digits 0 to 9.
 */
export function foldWord(word: string): string {
  const folded = fold(word)
  return HAS_ONE_FORM.test(folded) ? folded : withOneForm(folded)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all Latin letters but the two of Romanian; not the soft hyphen
const HAS_ONE_FORM = /^[\x00-\xac\xae-\u0217\u021c-\u024f\u1e00-\u1eff’]*$/

const LETTER_FORMS: readonly (readonly [RegExp, string])[] = [
  [/[\u00ad\u200c\u200d]/g, ''],
  [/s\u0326/g, 's\u0327'],
  [/t\u0326/g, 't\u0327'],
  [/(\p{Script=Greek})\p{M}+/gu, '$1'],
  [/ς/g, 'σ'],
  [/е[\u0300\u0301\u0308]+/g, 'е'],
  [/(\p{Script=Cyrillic})[\u0300\u0301]+/gu, '$1'],
  [/[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g, ''],
  [
    /[\u0640\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g,
    '',
  ],
  // Hamza and madda on alef.
  [/ا[\u0653-\u0655]/g, 'ا'],
  [/[یى]/g, 'ي'],
  [/ک/g, 'ك'],
  // Devanagari: removes dots below. A nasal before a consonant of its place is written as a letter or as one of two dots.
  [/\u093c/g, ''],
  [/\u0901|ङ\u094d(?=[क-घ])|ञ\u094d(?=[च-झ])|ण\u094d(?=[ट-ढ])|न\u094d(?=[त-ध])|म\u094d(?=[प-भ])/g, '\u0902'],
]

function withOneForm(folded: string): string {
  let word = folded.normalize('NFD')
  for (const [form, other] of LETTER_FORMS) word = word.replace(form, other)
  return word.normalize('NFC').replace(/[^\P{Nd}\d]/gu, asciiDigit)
}

/** Each script has its ten digits in a row. The rows of two scripts may be adjacent. */
function asciiDigit(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  let zero = at
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((at - zero) % 10)
}

/** A folded word without its accents: people type Petrovic for Petrović. */
export const foldAccents = (word: string): string => withoutAccents(foldWord(word))

/** Latin letters without their accents and strokes (Łódź, Tromsø, ısı); other scripts keep their marks. */
export const withoutAccents = (word: string): string =>
  ASCII.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
        .replace(/[đħıłøŧ]/g, (letter) => STROKES[letter] ?? letter)
        .normalize('NFC')

// Unicode treats these as separate letters.
const STROKES: Readonly<Record<string, string>> = { đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' }
