// Splits a text into sentences and removes markup. A port may not import a room, and for the model a full stop or a line break
// is enough.

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
