// Runs one command line: parses it, runs the command, and turns an error into a message and an exit code.

import { CommanderError } from 'commander'
import { SyncFailed } from '../sync/failure.ts'
import type { CommandLineConfig } from './config.ts'
import type { Context } from './context.ts'
import { CommandFailed, EXIT, ServiceUnreached } from './failure.ts'
import { buildProgram } from './program.ts'

/** What the command line gets from its process. */
interface CommandLineProcess {
  version: string
  /** The module that runs the processes of a service. */
  main: URL
  streams: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }
}

/** @returns the exit code */
export async function runCli(args: readonly string[], host: CommandLineProcess): Promise<number> {
  const stopController = new AbortController()
  const interrupt = (): void => stopController.abort(new DOMException('interrupted', 'AbortError'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  // `kenning search … | head` closes the pipe, which is no failure.
  host.streams.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') stopController.abort(new DOMException('closed', 'AbortError'))
  })
  try {
    const program = buildProgram({ ...host, open: () => open(host, stopController.signal) })
    await program.parseAsync(args, { from: 'user' })
    return EXIT.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (stopController.signal.aborted) return EXIT.interrupted
    return await reportError(error, args, host)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

/** Loads what a command needs. It is called only by commands that run, so that `kenning --help` stays quick. */
async function open({ streams, main }: CommandLineProcess, signal: AbortSignal): Promise<Context> {
  const [{ readCommandLineConfig }, { openTerminal }, { makeContext }, { useNetworkOf }] = await Promise.all([
    import('./config.ts'),
    import('./terminal.ts'),
    import('./context.ts'),
    import('./outbound.ts'),
  ])
  const config: CommandLineConfig = readCommandLineConfig()
  await useNetworkOf(config.environment)
  const terminal = openTerminal(streams, config.colour)
  return makeContext({ terminal, config, signal, main, stdin: streams.stdin })
}

/** Prints the error, and returns the exit code. */
async function reportError(
  error: unknown,
  args: readonly string[],
  { streams }: CommandLineProcess,
): Promise<number> {
  const { KenningError } = await import('../client/error.ts')
  const { message, type, exitCode } =
    error instanceof KenningError
      ? error.cause instanceof ServiceUnreached
        ? unreachableFailure(error.cause.origin)
        : failureOfService(error)
      : failureOfProgram(error)
  // Errors have the form of the API's errors, so that programs read one form only.
  const text = args.includes('--json') ? JSON.stringify({ error: { type, message } }) : message
  streams.stderr.write(`${text}\n`)
  return exitCode
}

function failureOfProgram(error: unknown): { message: string; type: string; exitCode: number } {
  if (error instanceof CommandFailed) return error
  if (error instanceof SyncFailed) {
    const { message, type } = error
    return type === 'not_found'
      ? { message, type, exitCode: EXIT.notFound }
      : { message, type: 'failed', exitCode: EXIT.failed }
  }
  // The stack of a library's error does not help the user.
  const message = error instanceof Error ? error.message : String(error)
  return { message, type: 'failed', exitCode: EXIT.failed }
}

/** The error for a service that cannot be reached, with the commands that help. */
function unreachableFailure(origin: string) {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname)
  const help = isHere ? 'Start it: kenning serve' : `What is wrong there: kenning doctor --public ${origin}`
  const message =
    `The service at ${origin} cannot be reached, or the connection was lost. Is Kenning running there? ${help}\n` +
    'Another service: --server URL, or kenning login URL'
  return { message, type: 'unreachable', exitCode: EXIT.failed }
}

interface ServiceError {
  status: number
  type: string
  message: string
  retryAfter: number | undefined
  detail: readonly { loc: string[]; msg: string }[]
}

function failureOfService({ status, type, message, retryAfter, detail }: ServiceError) {
  if (status === 401) {
    const advice = 'Run kenning login, or check KENNING_TOKEN.'
    return { message: `${message} ${advice}`, type, exitCode: EXIT.notSignedIn }
  }
  if (status === 404) return { message, type, exitCode: EXIT.notFound }
  const fields = detail.map(({ loc, msg }) => `\n  ${loc.join('.')}: ${msg}`).join('')
  const retryAdvice = retryAfter === undefined ? '' : ` Try again in ${retryAfter} seconds.`
  return {
    message: `${message}${status === 0 ? ' Is Kenning running there?' : ''}${retryAdvice}${fields}`,
    type,
    exitCode: EXIT.failed,
  }
}
