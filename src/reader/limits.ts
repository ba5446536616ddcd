// The limits of a parser child (cases BAD-22 to BAD-26 of test/faults.md).

export interface ParserLimits {
  /**
   * The deadline in processor time is `baseMs`, plus a time for each megabyte, each page and each page that needs text
   * recognition. After each report of new progress the parser gets at least `baseMs` more, up to `capMs` in total.
   */
  baseMs: number
  megabyteMs: number
  pageMs: number
  ocrPageMs: number
  capMs: number
  /** Wall-clock time. A child that only waits for this long without new progress is considered stuck. */
  hangMs: number
  /**
   * The length of a round of a short scan, in which at least one page is read. After a round, waiting files are read. Long
   * documents have longer rounds (`roundLength`).
   */
  roundMs: number
  /** A file that takes more processor time and idle time than this is stopped (`TimeSliceExceeded`), because others wait. */
  timeSliceMs: number
  /** The child's resident memory. Its JavaScript heap has a lower limit of its own. */
  residentBytes: number
  heapMegabytes: number
  /**
   * The size of the result file. A text file of 100 MB gives 105 to 140 MB, or 315 MB if it is Thai in a single-byte
   * encoding. The limit protects the worker, which needs 823 MB of memory for a result of 280 MB in two-byte characters.
   */
  resultBytes: number
  /** The time between two checks of these limits. */
  pollMs: number
  /** The longest real reports have 3,000 pages. */
  maxPages: number
  /** A child is replaced after this many files, because native libraries leak memory. */
  filesPerChild: number
  /** An idle child takes 60 to 200 MB and is ended after this time. */
  idleMs: number
}

export const parserLimits: ParserLimits = {
  baseMs: 30_000,
  megabyteMs: 1000,
  pageMs: 500,
  ocrPageMs: 10_000,
  capMs: 600_000,
  hangMs: 600_000,
  roundMs: 30_000,
  timeSliceMs: Number.POSITIVE_INFINITY,
  residentBytes: 2 ** 30,
  heapMegabytes: 768,
  resultBytes: 320 * 2 ** 20,
  pollMs: 100,
  maxPages: 20_000,
  filesPerChild: 1000,
  idleMs: 60_000,
}

/**
 * For the parser of small files only, so that they never wait for a large one. A small file takes a second or two, a scanned
 * page up to 15 seconds. The rounds of a scan are shorter than the time slice.
 */
export const fairnessLimits = { timeSliceMs: 30_000, roundMs: 15_000 } satisfies Partial<ParserLimits>

/** The time limit of a file in milliseconds of processor time. */
export function deadlineMs(limits: ParserLimits, bytes: number, pages = 0, ocrPages = 0): number {
  const size = (bytes / 1e6) * limits.megabyteMs
  return Math.min(limits.capMs, limits.baseMs + size + pages * limits.pageMs + ocrPages * limits.ocrPageMs)
}

/**
 * The milliseconds of a round of a document with this many scanned pages. Long documents get longer rounds, because each
 * round begins with a preparation of 2 s and 10 ms a page.
 */
export const roundLength = (roundMs: number, pages: number): number => roundMs * Math.min(4, 1 + pages / 100)

/** What a run has used until now, in milliseconds. */
export interface UsedTime {
  /**
   * Processor time of the child and of the programs it started. Wall-clock time if the system does not report processor
   * time.
   */
  processorMs: number
  /** Wall-clock time in which the child only waited, but not for a processor or a disk. */
  idleMs: number
}

/** The time limits of a run, in milliseconds. */
export interface TimeAllowance {
  /** The time used when the file began. */
  start: UsedTime
  /** The processor time at which the run is ended. */
  processorLimitMs: number
  /** The idle time at the last report of new progress. */
  idleAtProgressMs: number
}

/**
 * The time limit that a run has reached, if any. The limits count processor time, so that a file gets as much of it on a busy
 * machine. Only a child that does nothing for `hangMs` is ended by wall-clock time.
 */
export function reachedTimeLimit(
  { start, processorLimitMs, idleAtProgressMs }: TimeAllowance,
  { processorMs, idleMs }: UsedTime,
  limits: Pick<ParserLimits, 'capMs' | 'timeSliceMs' | 'hangMs'>,
): 'deadline' | 'slice' | undefined {
  if (processorMs >= Math.min(processorLimitMs, start.processorMs + limits.capMs)) return 'deadline'
  if (idleMs - idleAtProgressMs >= limits.hangMs) return 'deadline'
  // Waiting counts too, because other files wait meanwhile.
  const usedMs = processorMs - start.processorMs + idleMs - start.idleMs
  return usedMs >= limits.timeSliceMs ? 'slice' : undefined
}
