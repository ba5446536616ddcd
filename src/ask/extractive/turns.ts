// Conversations in a document: chats, transcripts, interviews. Each line is a turn of the form "Name: text". Pure.

export interface Turn {
  /** As written: "HaileyJohnson". */
  speaker: string
  /** Offsets of its line, in UTF-16 units. */
  start: number
  end: number
}

// Matches the beginnings of "[12/03/26, 10:15] Anna Weber: …" and "10:15 - Anna (Leeds): …".
const TIME_PATTERN = String.raw`(?:\[?\d[\d:/., –apmAPMT-]{3,24}\]?\s*[-–]?\s*)?`
const TURN_LINE = new RegExp(
  String.raw`^${TIME_PATTERN}(?<speaker>\p{Lu}[\p{L}\p{M}\p{N} .'’_-]{0,40}?)\s*(?:\([^)\n]{1,30}\))?[:：]\s+\S`,
  'u',
)
const MIN_TURNS = 3

/**
 * The turns of a text. Empty if it is not a conversation: most lines must be turns of two or more speakers, one with several turns.
 */
export function turnsIn(text: string): Turn[] {
  const lines = [...text.matchAll(/[^\n]+/g)].filter(([line]) => line.trim() !== '')
  const turns = lines.flatMap(({ 0: line, index }) => {
    const speaker = TURN_LINE.exec(line.trimStart())?.groups?.speaker
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

/** A name, followed by its separate words if it is written as one word: "HaileyJohnson Hailey Johnson". */
export const withWordsOfName = (name: string): string => {
  const separateWords = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  return separateWords === name ? name : `${name} ${separateWords}`
}

/** A turn that answers a question. */
export interface AnsweringTurn {
  /** The question in the previous turn. */
  question: string
  start: number
  end: number
}

/** The turns in which a speaker answers the question of another speaker in the previous turn. */
export const repliesIn = (text: string, turns: readonly Turn[]): AnsweringTurn[] =>
  turns.flatMap(({ speaker, start, end }, i) => {
    const previousTurn = turns[i - 1]
    const question =
      previousTurn && previousTurn.speaker !== speaker ? questionIn(text, previousTurn) : undefined
    return question === undefined ? [] : [{ question, start, end }]
  })

/** The last question in a turn. */
export function questionIn(text: string, { start, end }: Turn): string | undefined {
  const line = text.slice(start, end).trimStart()
  const name = TURN_LINE.exec(line)?.[0] ?? ''
  // The pattern ends with the first character of the spoken text.
  const spokenText = line.slice(Math.max(0, name.length - 1))
  return spokenText
    .match(/[^.!?？]+[?？]/gu)
    ?.at(-1)
    ?.trim()
}
