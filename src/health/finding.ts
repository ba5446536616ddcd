// The result of one check, in `kenning doctor` or in the console.

export type Status = 'ok' | 'warning' | 'problem'

export interface Finding {
  /** What was checked, in one or two words. */
  check: string
  status: Status
  /** One line. For a warning or a problem it includes the remedy. */
  message: string
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
