// When something is said of a file for good. A parser that is short of memory, threads or time comes to "damaged", or
// crashes, over sound files too: so a child of its own has to come to the same end. Pure.

import { UnreadableFile, type UnreadableReason } from './block.ts'
import type { Death, Outcome } from './child.ts'
import { OutOfTurn } from './task.ts'

/** How a look at a file ended without what was asked for. */
export type End = Death | Verdict

/** What a parser says of a file. */
export interface Verdict {
  unreadable: UnreadableReason
  detail: string
}

// What a parser also says when memory was refused. The other reasons are found in the file's bytes.
const DOUBTFUL: ReadonlySet<UnreadableReason> = new Set(['damaged', 'too_large_unpacked'])

export const isDoubtful = (reason: UnreadableReason): boolean => DOUBTFUL.has(reason)

export const isEnd = (outcome: object): outcome is End => 'died' in outcome || 'unreadable' in outcome

/** Whether the child is as good as new: what it said may be due to what files before have left in it. */
export const isSound = (outcome: Outcome): boolean =>
  'done' in outcome || 'noPage' in outcome || ('unreadable' in outcome && !isDoubtful(outcome.unreadable))

/**
 * What two looks agree on, the second in a fresh child. What ran into a bound is not looked at again: it would take all
 * the time or memory of a file twice. @throws an error worth another try later, where they do not agree
 */
export async function agreed<T extends object>(
  look: (isRecentSession: boolean) => Promise<T | End>,
): Promise<T | End> {
  const first = await look(false)
  if (!isEnd(first) || ('died' in first && first.isBound)) return first
  const again = await look(true)
  if (!isEnd(again) || isSame(first, again)) return again
  throw new Error(`two looks at a file came to different ends: ${nameOf(first)}, then ${nameOf(again)}`)
}

const nameOf = (end: End): string => ('died' in end ? `${end.died} (${end.detail})` : end.unreadable)

function isSame(first: End, again: End): boolean {
  if ('died' in first)
    return 'died' in again && first.died === again.died && first.fatal?.page === again.fatal?.page
  return 'unreadable' in again && first.unreadable === again.unreadable
}

export function limitReason(
  death: Death,
): 'took_too_long' | 'too_many_pages' | 'too_large_unpacked' | undefined {
  // A child that never began says nothing about the file.
  if (!death.started) return undefined
  if (death.died === 'deadline') return 'took_too_long'
  if (death.died === 'pages') return 'too_many_pages'
  const tooLarge = death.died === 'memory' || death.died === 'output'
  return tooLarge ? 'too_large_unpacked' : undefined
}

/** What an end that stands says of the file, as an error. */
export function endReason(end: End): Error {
  if ('unreadable' in end) return new UnreadableFile(end.unreadable, end.detail)
  if (end.died === 'turn') return new OutOfTurn()
  const limit = limitReason(end)
  if (limit !== undefined) return new UnreadableFile(limit)
  if (end.died === 'killed' || !end.started) {
    return new Error(`the parser child was ended twice from outside or could not start: ${end.detail}`)
  }
  return new UnreadableFile('damaged', 'the parser crashed on it twice')
}
