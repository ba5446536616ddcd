// The text of a citation (spec, "Citation"): a window of at most 1,500 characters around the cited sentences,
// verbatim, cut between words and never inside a character.

import { codePoints } from '../../contract/fields.ts'

const MAX_CHARACTERS = 1500

/**
 * A window that contains the first span, which is the best, and of the others in order those that fit as well; the
 * beginning of the text when there are no spans.
 */
export function windowForSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  let reach = spans[0] ?? { start: 0, end: 0 }
  for (const span of spans) {
    const both = { start: Math.min(reach.start, span.start), end: Math.max(reach.end, span.end) }
    if (codePoints(text.slice(both.start, both.end)) <= MAX_CHARACTERS) reach = both
  }
  return windowAround(text, reach.start, reach.end)
}

/**
 * A part of `text` of at most `most` code points that contains `start` to `end` (UTF-16 offsets), or the beginning of
 * that range when it is longer; the whole text when it fits.
 */
export function windowAround(text: string, start: number, end: number, most = MAX_CHARACTERS): string {
  const points = codePoints(text)
  if (points <= most) return text
  const first = insidePair(text, start) ? start - 1 : start
  const last = Math.max(first, insidePair(text, end) ? end + 1 : end)
  const inside = Math.min(codePoints(text.slice(first, last)), most)
  const before = codePoints(text.slice(0, first))
  const after = Math.max(0, points - before - inside)
  const room = most - inside
  // Room that one side does not need goes to the other.
  const pointsBefore = Math.min(before, Math.max(Math.floor(room / 2), room - after))
  const from = back(text, first, pointsBefore)
  const to = forward(text, from, most)
  return text.slice(wordStart(text, from, first), wordEnd(text, to, last <= to ? last : first)).trim()
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Whether a cut at `at` would split a surrogate pair. */
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

// How far to look for a space; a script without spaces is cut anywhere.
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
