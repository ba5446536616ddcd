// The error of a command, and the exit codes of the command line.

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  interrupted: 130,
} as const

/** A failure that the user can correct. Its message includes the remedy, and no stack is printed. */
export class CommandFailed extends Error {
  readonly exitCode: number
  /** The type in the error object that `--json` prints. */
  readonly type: string
  /** The type of the first detail of the service's answer. */
  readonly reason: string | undefined
  constructor(message: string, exitCode: number = EXIT.failed, type = 'failed', reason?: string) {
    super(message)
    this.name = 'CommandFailed'
    this.exitCode = exitCode
    this.type = type
    this.reason = reason
  }
}

export const wrongUse = (message: string): CommandFailed =>
  new CommandFailed(message, EXIT.usage, 'invalid_usage')
export const nothingFound = (message: string): CommandFailed =>
  new CommandFailed(message, EXIT.notFound, 'not_found')
export const notSignedIn = (message: string): CommandFailed =>
  new CommandFailed(message, EXIT.notSignedIn, 'unauthorized')

/** The cause of an error of the client: no answer came from this service. */
export class ServiceUnreached extends Error {
  readonly origin: string
  constructor(origin: string, cause: unknown) {
    super(`no answer from ${origin}`, { cause })
    this.name = 'ServiceUnreached'
    this.origin = origin
  }
}
