// Why a file was not read although it may be readable: sending it again helps. Other failures are in the file itself.

export const RETRYABLE_FAILURES = {
  no_parser:
    'The program that reads this file could not be started in 20 attempts. Ask the administrator for the reason in the log, ' +
    'such as a missing library or a sandbox that the system refuses. Then upload the file again.',
  gave_up:
    'The file could not be indexed after 3 attempts. Upload it again; if it fails again, tell the administrator.',
} as const
