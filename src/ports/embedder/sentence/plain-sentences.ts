// Splits a text into sentences at full stops and line breaks, and removes Markdown. This is exact enough for the model.

// Matches the space after the end of a sentence, before a capital letter or a digit, and line breaks.
const SENTENCE_BREAK = /(?<=[.!?]["'”’)\]]{0,2})\s+(?=["'“‘([]{0,2}[\p{Lu}\p{N}])|\s*\n\s*/u
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g
const MARKUP = /[#*_`|>~\\]+|-{3,}|:-+/g

/** The sentences in reading order, without empty ones. */
export const plainSentences = (text: string): string[] =>
  text
    .replace(LINK, '$1')
    .split(SENTENCE_BREAK)
    .map((part) => part.replace(MARKUP, ' ').replace(/\s+/g, ' ').trim())
    .filter((part) => /\p{L}/u.test(part))
