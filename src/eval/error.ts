// The errors that end an evaluation, for the person who started it.

import { KenningError } from '../client/client.ts'

export class EvaluationFailed extends Error {
  /** 1: it failed; 2: the command or the set is wrong, so running it again does not help. */
  readonly exitCode: 1 | 2
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'EvaluationFailed'
    this.exitCode = exitCode
  }
}

export const wrongSet = (message: string): EvaluationFailed => new EvaluationFailed(message, 2)

/** The failure of the set or the service, with a message for the person. Undefined for a bug of this program. */
export function asFailure(error: unknown): EvaluationFailed | undefined {
  if (error instanceof EvaluationFailed) return error
  if (!(error instanceof KenningError)) return undefined
  const { status, message } = error
  if (status === 0) return new EvaluationFailed(`${message} (${reasonOf(error)})`)
  const advice = status === 401 ? ' Pass a valid token with --token or --token-file.' : ''
  return new EvaluationFailed(`The service answered ${status}: ${message}${advice}`)
}

/** The code or message of the innermost cause, which is the error of the operating system. */
function reasonOf(error: Error): string {
  let cause: unknown = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  const { code, message } = cause as { code?: string; message?: string }
  return code ?? message ?? String(cause)
}
