// Decides when the failure of a file is final. A parser that lacks memory, threads or time may crash on an intact file or
// report it as damaged. So a second attempt in a fresh child must end in the same way. Pure.

import { type DocumentKind, UnreadableFile, type UnreadableReason } from './block.ts'
import type { Death, Outcome } from './child.ts'
import { ParserAway, TimeSliceExceeded } from './task.ts'

/** How an attempt to read a file failed. */
export type Failure = Death | Verdict

/** What a parser reported about a file. */
interface Verdict {
  unreadable: UnreadableReason
  detail: string
}

// Reasons that may also be caused by a lack of memory. All others follow from the file's bytes.
const DOUBTFUL_REASONS: ReadonlySet<UnreadableReason> = new Set(['damaged', 'too_large_unpacked'])

export const isDoubtful = (reason: UnreadableReason): boolean => DOUBTFUL_REASONS.has(reason)

export const isFailure = (outcome: object): outcome is Failure => 'died' in outcome || 'unreadable' in outcome

/** Whether the child may read further files. A doubtful failure may be due to memory that earlier files still take. */
export const isReusable = (outcome: Outcome): boolean =>
  'done' in outcome || 'noPage' in outcome || ('unreadable' in outcome && !isDoubtful(outcome.unreadable))

/**
 * The outcome that two attempts agree on. The second attempt runs in a fresh child. A file that reached a limit is not tried
 * again, because it would use the whole limit of time or memory twice. @throws a retryable error if the attempts do not agree
 */
export async function agreedOutcome<T extends object>(
  attempt: (inFreshChild: boolean) => Promise<T | Failure>,
): Promise<T | Failure> {
  const firstResult = await attempt(false)
  if (!isFailure(firstResult) || ('died' in firstResult && firstResult.hasReachedLimit)) return firstResult
  const secondResult = await attempt(true)
  if (!isFailure(secondResult) || isSame(firstResult, secondResult)) return secondResult
  throw new Error(
    `two attempts to read a file ended differently: ${nameOf(firstResult)}, then ${nameOf(secondResult)}`,
  )
}

const nameOf = (failure: Failure): string =>
  'died' in failure ? `${failure.died} (${failure.detail})` : failure.unreadable

function isSame(firstFailure: Failure, secondFailure: Failure): boolean {
  if ('died' in firstFailure)
    return (
      'died' in secondFailure &&
      firstFailure.died === secondFailure.died &&
      firstFailure.fatal?.page === secondFailure.fatal?.page
    )
  return 'unreadable' in secondFailure && firstFailure.unreadable === secondFailure.unreadable
}

// Kinds that a person can split into smaller files.
const SPLITTABLE_KINDS: ReadonlySet<DocumentKind> = new Set([
  'pdf',
  'docx',
  'doc',
  'odt',
  'rtf',
  'pptx',
  'ppt',
  'odp',
  'epub',
])

/** The limit that a child reached, as a reason. Undefined if it ended in another way. */
export function limitReason(
  death: Death,
): 'took_too_long' | 'too_complex' | 'too_many_pages' | 'too_large_unpacked' | undefined {
  // If a child never started, it is not because of the file.
  if (!death.started) return undefined
  if (death.died === 'deadline') return SPLITTABLE_KINDS.has(death.kind) ? 'took_too_long' : 'too_complex'
  if (death.died === 'pages') return 'too_many_pages'
  const isTooLarge = death.died === 'memory' || death.died === 'output'
  return isTooLarge ? 'too_large_unpacked' : undefined
}

/** A final failure as an error. */
export function failureError(failure: Failure): Error {
  if ('unreadable' in failure) return new UnreadableFile(failure.unreadable, failure.detail)
  if (failure.died === 'slice') return new TimeSliceExceeded()
  const limit = limitReason(failure)
  if (limit !== undefined) return new UnreadableFile(limit)
  if (!failure.started)
    return new ParserAway(`the parser could not start (${failure.died}, ${failure.detail})`)
  if (failure.died === 'killed')
    return new Error(`the parser child was killed from outside twice: ${failure.detail}`)
  return new UnreadableFile('damaged', 'the parser crashed on the file twice')
}
