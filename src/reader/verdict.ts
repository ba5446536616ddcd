// When a failure of a file is final. A parser that lacks memory, threads or time may crash on an intact file or report it as
// damaged. So a second attempt in a fresh child must end in the same way. Pure.

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
const DOUBTFUL: ReadonlySet<UnreadableReason> = new Set(['damaged', 'too_large_unpacked'])

export const isDoubtful = (reason: UnreadableReason): boolean => DOUBTFUL.has(reason)

export const isFailure = (outcome: object): outcome is Failure => 'died' in outcome || 'unreadable' in outcome

/** Whether the child may read further files. A doubtful failure may be due to what earlier files have left in it. */
export const isReusable = (outcome: Outcome): boolean =>
  'done' in outcome || 'noPage' in outcome || ('unreadable' in outcome && !isDoubtful(outcome.unreadable))

/**
 * The outcome that two attempts agree on, the second in a fresh child. A file that ran into a limit is not tried again:
 * it would use all the time or memory that a file may have twice. @throws a retryable error if the attempts do not
 * agree
 */
export async function agreedOutcome<T extends object>(
  attempt: (inFreshChild: boolean) => Promise<T | Failure>,
): Promise<T | Failure> {
  const firstTry = await attempt(false)
  if (!isFailure(firstTry) || ('died' in firstTry && firstTry.isBound)) return firstTry
  const secondResult = await attempt(true)
  if (!isFailure(secondResult) || isSame(firstTry, secondResult)) return secondResult
  throw new Error(
    `two attempts to read a file ended differently: ${nameOf(firstTry)}, then ${nameOf(secondResult)}`,
  )
}

const nameOf = (end: Failure): string => ('died' in end ? `${end.died} (${end.detail})` : end.unreadable)

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
const PAGED: ReadonlySet<DocumentKind> = new Set([
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

/** Which limit a child ran into, as a reason; undefined for any other end. */
export function limitReason(
  death: Death,
): 'took_too_long' | 'too_complex' | 'too_many_pages' | 'too_large_unpacked' | undefined {
  // A child that never started says nothing about the file.
  if (!death.started) return undefined
  if (death.died === 'deadline') return PAGED.has(death.kind) ? 'took_too_long' : 'too_complex'
  if (death.died === 'pages') return 'too_many_pages'
  const tooLarge = death.died === 'memory' || death.died === 'output'
  return tooLarge ? 'too_large_unpacked' : undefined
}

/** A final failure as an error. */
export function failureError(end: Failure): Error {
  if ('unreadable' in end) return new UnreadableFile(end.unreadable, end.detail)
  if (end.died === 'slice') return new TimeSliceExceeded()
  const limit = limitReason(end)
  if (limit !== undefined) return new UnreadableFile(limit)
  if (!end.started) return new ParserAway(`the parser could not start (${end.died}, ${end.detail})`)
  if (end.died === 'killed') return new Error(`the parser child was killed from outside twice: ${end.detail}`)
  return new UnreadableFile('damaged', 'the parser crashed on the file twice')
}
