// The text of a citation (spec, "Citation"): the best window of at most 1,500 characters around a sentence,
// a verbatim part of the chunk, cut between words and never inside a character.

import { codePoints } from '../../contract/fields.ts'

export const MOST_CHARACTERS = 1500

/**
 * The text of a citation for its spans, the best first: a window that holds the best, and of the others in their order
 * those that fit in as well; the beginning when there are none.
 */
export function windowOver(text: string, spans: readonly { start: number; end: number }[]): string {
  let reach = spans[0] ?? { start: 0, end: 0 }
  for (const span of spans) {
    const both = { start: Math.min(reach.start, span.start), end: Math.max(reach.end, span.end) }
    if (codePoints(text.slice(both.start, both.end)) <= MOST_CHARACTERS) reach = both
  }
  return windowAround(text, reach.start, reach.end)
}

/**
 * A part of `text` of at most `most` code points that holds `start` to `end` (UTF-16 offsets), or its beginning
 * when that alone is longer; the whole text when it fits.
 */
export function windowAround(text: string, start: number, end: number, most = MOST_CHARACTERS): string {
  const points = codePoints(text)
  if (points <= most) return text
  const first = insidePair(text, start) ? start - 1 : start
  const last = Math.max(first, insidePair(text, end) ? end + 1 : end)
  const inside = Math.min(codePoints(text.slice(first, last)), most)
  const before = codePoints(text.slice(0, first))
  const after = Math.max(0, points - before - inside)
  const room = most - inside
  // What one side does not need the other may use.
  const left = Math.min(before, Math.max(Math.floor(room / 2), room - after))
  const from = back(text, first, left)
  const to = forward(text, from, most)
  return text.slice(wordStart(text, from, first), wordEnd(text, to, last <= to ? last : first)).trim()
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Whether a cut at `at` would part a surrogate pair. */
const insidePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))

function back(text: string, from: number, points: number): number {
  let at = from
  for (let i = 0; i < points && at > 0; i++) {
    at--
    if (insidePair(text, at)) at--
  }
  return at
}

function forward(text: string, from: number, points: number): number {
  let at = from
  for (let i = 0; i < points && at < text.length; i++) {
    at++
    if (insidePair(text, at)) at++
  }
  return at
}

// A script without spaces has no word boundary near: then the cut stays where it is.
const NEAR = 80

/** The next start of a word at or after `at`, but not beyond `limit`. */
function wordStart(text: string, at: number, limit: number): number {
  if (at === 0 || /\s/.test(text[at - 1] ?? '')) return at
  const space = text.slice(at, Math.min(limit, at + NEAR)).search(/\s/)
  return space < 0 ? at : at + space + 1
}

/** The last end of a word at or before `at`, but not before `limit`. */
function wordEnd(text: string, at: number, limit: number): number {
  if (at >= text.length || /\s/.test(text[at] ?? '')) return at
  const floor = Math.max(limit, at - NEAR)
  const tail = text.slice(floor, at)
  const space = tail.search(/\s\S*$/)
  return space < 0 ? at : floor + space
}
