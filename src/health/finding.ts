// The result of one check, of `kenning doctor` or of the page of the service's health.

export type Status = 'ok' | 'warning' | 'problem'

export interface Finding {
  /** What was checked, in one or two words. */
  check: string
  status: Status
  /** One line; for a warning or a problem it also says what to do. */
  message: string
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
