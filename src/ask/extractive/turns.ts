// Conversations in a document: chats, transcripts, interviews. Each line is a turn, "Name: what is said", and what is said in it
// is said by that name, in the second sentence as in the first. Pure.

export interface Turn {
  /** As written: "HaileyJohnson". */
  speaker: string
  /** Offsets of its line, in UTF-16 units. */
  start: number
  end: number
}

// "[12/03/26, 10:15] Anna Weber: …", "10:15 - Anna (Leeds): …"
const TIME = String.raw`(?:\[?\d[\d:/., –apmAPMT-]{3,24}\]?\s*[-–]?\s*)?`
const LINE = new RegExp(
  String.raw`^${TIME}(?<speaker>\p{Lu}[\p{L}\p{M}\p{N} .'’_-]{0,40}?)\s*(?:\([^)\n]{1,30}\))?[:：]\s+\S`,
  'u',
)
const MIN_TURNS = 3

/** The turns of a text, if it is a conversation: most lines are turns, and somebody speaks again. */
export function turnsIn(text: string): Turn[] {
  const lines = [...text.matchAll(/[^\n]+/g)].filter(([line]) => line.trim() !== '')
  const turns = lines.flatMap(({ 0: line, index }) => {
    const speaker = LINE.exec(line.trimStart())?.groups?.speaker
    return speaker === undefined ? [] : [{ speaker, start: index, end: index + line.length }]
  })
  const speakers = new Set(turns.map(({ speaker }) => speaker))
  const isConversation =
    turns.length >= MIN_TURNS &&
    2 * turns.length > lines.length &&
    speakers.size > 1 &&
    speakers.size < turns.length
  return isConversation ? turns : []
}

/** A name with the words of it where it is written as one: "HaileyJohnson Hailey Johnson". */
export const withWordsOfName = (name: string): string => {
  const apart = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  return apart === name ? name : `${name} ${apart}`
}

export interface Answering {
  /** What the turn before asks. */
  question: string
  start: number
  end: number
}

/** The turns in which somebody answers what another one asks in the turn before. */
export const repliesIn = (text: string, turns: readonly Turn[]): Answering[] =>
  turns.flatMap(({ speaker, start, end }, i) => {
    const before = turns[i - 1]
    const question = before && before.speaker !== speaker ? questionIn(text, before) : undefined
    return question === undefined ? [] : [{ question, start, end }]
  })

/** The last question in a turn. */
export function questionIn(text: string, { start, end }: Turn): string | undefined {
  const line = text.slice(start, end).trimStart()
  const name = LINE.exec(line)?.[0] ?? ''
  // The pattern ends with the first character of what is said.
  const said = line.slice(Math.max(0, name.length - 1))
  return said
    .match(/[^.!?？]+[?？]/gu)
    ?.at(-1)
    ?.trim()
}
