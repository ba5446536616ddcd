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

/** In the units of the console: a GB has 1,000,000,000 bytes, as on the label of a disk. */
export const sizeText = (bytes: number): string =>
  bytes < 1e9 ? `${rounded(bytes / 1e6)} MB` : `${rounded(bytes / 1e9)} GB`

const rounded = (size: number): number => Math.round(size * 10) / 10
