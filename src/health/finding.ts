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

/** In the units of the console: a GB has 1,000,000,000 bytes, as on the label of a disk. */
export const sizeText = (bytes: number): string =>
  bytes < 1e9 ? `${rounded(bytes / 1e6)} MB` : `${rounded(bytes / 1e9)} GB`

const rounded = (size: number): number => Math.round(size * 10) / 10
