// The text of a citation (spec, "Citation"): a verbatim window of at most 1,500 characters around the cited sentences, cut between
// words and never inside a character.

import { codePoints } from '../../contract/fields.ts'

const MAX_CHARACTERS = 1500

/**
 * A window that contains the first span, which is the best, and those of the others that fit too. Without spans, the beginning of
 * the text.
 */
export function windowForSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  let covered = spans[0] ?? { start: 0, end: 0 }
  for (const span of spans) {
    const union = { start: Math.min(covered.start, span.start), end: Math.max(covered.end, span.end) }
    if (codePoints(text.slice(union.start, union.end)) <= MAX_CHARACTERS) covered = union
  }
  return windowAround(text, covered.start, covered.end)
}

/**
 * A part of `text` of at most `maxCharacters` code points that contains `start` to `end` (UTF-16 offsets). If that range is longer,
 * its beginning. If the whole text fits, the whole text.
 */
export function windowAround(
  text: string,
  start: number,
  end: number,
  maxCharacters = MAX_CHARACTERS,
): string {
  const pointCount = codePoints(text)
  if (pointCount <= maxCharacters) return text
  const safeStart = splitsSurrogatePair(text, start) ? start - 1 : start
  const safeEnd = Math.max(safeStart, splitsSurrogatePair(text, end) ? end + 1 : end)
  const coreLength = Math.min(codePoints(text.slice(safeStart, safeEnd)), maxCharacters)
  const pointsBefore = codePoints(text.slice(0, safeStart))
  const pointsAfter = Math.max(0, pointCount - pointsBefore - coreLength)
  const roomAround = maxCharacters - coreLength
  // Half of the room is before the range. If the text after it does not need its half, the rest is added before it.
  const shownBefore = Math.min(pointsBefore, Math.max(Math.floor(roomAround / 2), roomAround - pointsAfter))
  const from = moveBack(text, safeStart, shownBefore)
  const to = moveForward(text, from, maxCharacters)
  return text
    .slice(wordStart(text, from, safeStart), wordEnd(text, to, safeEnd <= to ? safeEnd : safeStart))
    .trim()
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Whether a cut at `at` would split a surrogate pair. */
const splitsSurrogatePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))

function moveBack(text: string, from: number, points: number): number {
  let position = from
  for (let i = 0; i < points && position > 0; i++) {
    position--
    if (splitsSurrogatePair(text, position)) position--
  }
  return position
}

function moveForward(text: string, from: number, points: number): number {
  let position = from
  for (let i = 0; i < points && position < text.length; i++) {
    position++
    if (splitsSurrogatePair(text, position)) position++
  }
  return position
}

// How far a cut is moved to the next space. A script without spaces is cut anywhere.
const MAX_SHIFT = 80

/** The next start of a word at or after `position`, but not beyond `limit`. */
function wordStart(text: string, position: number, limit: number): number {
  if (position === 0 || /\s/.test(text[position - 1] ?? '')) return position
  const space = text.slice(position, Math.min(limit, position + MAX_SHIFT)).search(/\s/)
  return space < 0 ? position : position + space + 1
}

/** The last end of a word at or before `position`, but not before `limit`. */
function wordEnd(text: string, position: number, limit: number): number {
  if (position >= text.length || /\s/.test(text[position] ?? '')) return position
  const floor = Math.max(limit, position - MAX_SHIFT)
  const tail = text.slice(floor, position)
  const space = tail.search(/\s\S*$/)
  return space < 0 ? position : floor + space
}
