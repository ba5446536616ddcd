// The limits of a parser child (BAD-22 to BAD-26).

export interface ParserLimits {
  /**
   * The deadline in processor time is this time, plus a time for each megabyte, each page and each page that needs text
   * recognition. After each report of new progress the parser gets at least this much time again, up to `capMs` in total.
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
  /** After this much work and waiting, an unfinished file must leave the parser to the next file (`TimeSliceExceeded`). */
  timeSliceMs: number
  /** The child's resident memory. Its JavaScript heap has a lower limit of its own. */
  residentBytes: number
  heapMegabytes: number
  /**
   * The size of its result. 100 MB of text become 105 to 140 MB, 315 MB for Thai in a single-byte encoding. More would
   * overload the worker: a result of 280 MB in two-byte characters took 823 MB of resident memory there.
   */
  resultBytes: number
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
 * For the parser that serves small files only, so that they never wait for a large one: a small file takes a second or
 * two, a scanned page up to 15. The rounds of a scan are shorter than the time slice.
 */
export const fairnessLimits = { timeSliceMs: 30_000, roundMs: 15_000 } satisfies Partial<ParserLimits>

/** The time limit of a file in milliseconds of processor time. */
export function deadlineMs(limits: ParserLimits, bytes: number, pages = 0, ocrPages = 0): number {
  const size = (bytes / 1e6) * limits.megabyteMs
  return Math.min(limits.capMs, limits.baseMs + size + pages * limits.pageMs + ocrPages * limits.ocrPageMs)
}

/**
 * The milliseconds of a round of a document with this many scanned pages. Each round begins with 2 s of preparation and 10 ms
 * a page, so long documents get longer rounds; short ones keep other files waiting for half a minute at most.
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

/** The time limits of a run, in the same units. */
export interface TimeAllowance {
  /** The time used when the file began. */
  start: UsedTime
  /** The processor time at which the run is ended. */
  processorLimitMs: number
  /** The idle time at the last report of new progress. */
  idleAtProgressMs: number
}

/**
 * The time limit that a run has reached, if any. The limits count processor time, so that a file has the same time on a busy
 * machine. Only a child that does nothing at all for very long is ended by wall-clock time.
 */
export function timeIsUp(
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
