// Text of documents as a model may see it: data between two lines that nobody can foresee, without what hides or
// disguises, and labelled where it reads like instructions. Pure.

// Zero-width and bidirectional characters, soft hyphens, tags (invisible ASCII), fillers and interlinear notes.
const HIDDEN =
  /\u034f|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
// Marks with which chat templates part system, user and model.
const TEMPLATE = /<\|(?=[\w\s|-]{0,40}\|?>)|<<\/?SYS>>|\[\/?INST\]|<\/?s>|<\/?(?:start|end)_of_turn>/gi
// "[3]" of a document is no number of ours.
const MARKER = /[[【［](\d{1,4}(?:[\s,;–-]+\d{1,4})*)[\]】］]/g

/** What is left when everything hidden is gone. */
export const visible = (text: string): string =>
  text
    .replace(HIDDEN, '')
    .replace(COMMENT, '')
    .replace(CONTROL, ' ')
    .replace(TEMPLATE, ' ')
    .replace(MARKER, '($1)')

const ORDERS = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules?|above|previous|everything)\b/i,
  /\b(?:system|developer) (?:prompt|message|instructions?)\b/i,
  /\byou (?:are now|must now|will now|shall now)\b/i,
  /\b(?:new|updated|important|urgent|hidden|secret) instructions?\b/i,
  /\b(?:as an ai|language model|assistant|chatbot)\b.{0,60}\b(?:must|should|shall|will|reply|respond|answer|say|do not)\b/i,
  /\b(?:call|use|invoke|run) the .{0,30}\b(?:tool|function)\b/i,
  /^\s*(?:instructions?|system|assistant|to the (?:ai|model|assistant))\s*:/im,
  /\b(?:ignoriere|vergiss|missachte)\b.{0,40}\b(?:anweisung|vorgaben|regeln|bisherige)/i,
  /\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions?|consignes|règles)/i,
  /\b(?:ignora|olvida)\b.{0,40}\b(?:instrucciones|reglas|anteriores)/i,
]

/** Whether a text reads as if it told the reader's assistant what to do. Seen by people too: nothing is dropped. */
export const readsLikeOrders = (text: string): boolean => ORDERS.some((pattern) => pattern.test(text))

/** Between two lines with the run's nonce; what looks like one of them inside is no longer one. */
export const enclose = (nonce: string, text: string): string =>
  `<<<data ${nonce}\n${text.replaceAll(nonce, '').replace(/<<<|>>>/g, '< < <')}\nend ${nonce}>>>`
