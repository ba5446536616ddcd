// The limits of a parser child (BAD-22 to BAD-26).

export interface ParserLimits {
  /**
   * The deadline: this much, plus the time for each megabyte, page and page to recognise. Each report of progress gives
   * a parser at least this long again, up to the cap.
   */
  baseMs: number
  megabyteMs: number
  pageMs: number
  ocrPageMs: number
  capMs: number
  /** How long a short scan is read in one round, at least one page; then waiting files take over (`roundLength`). */
  roundMs: number
  /** A file that is not finished after this time gives up the parser to the next one (`TimeSliceExceeded`). */
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
  mostPages: number
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
  roundMs: 30_000,
  timeSliceMs: Number.POSITIVE_INFINITY,
  residentBytes: 2 ** 30,
  heapMegabytes: 768,
  resultBytes: 320 * 2 ** 20,
  pollMs: 100,
  mostPages: 20_000,
  filesPerChild: 1000,
  idleMs: 60_000,
}

/**
 * For the parser that serves small files only, so that they never wait for a large one: a small file takes a second or
 * two, a scanned page up to 15. The rounds of a scan are shorter than the time slice.
 */
export const newcomersLimits = { timeSliceMs: 30_000, roundMs: 15_000 } satisfies Partial<ParserLimits>

/** The time limit of a file in milliseconds. */
export function deadlineMs(limits: ParserLimits, bytes: number, pages = 0, ocrPages = 0): number {
  const size = (bytes / 1e6) * limits.megabyteMs
  return Math.min(limits.capMs, limits.baseMs + size + pages * limits.pageMs + ocrPages * limits.ocrPageMs)
}

/**
 * How long a round of a document with this many scanned pages takes. Each round begins with 2 s of preparation and 10
 * ms a page, so long documents get longer rounds; short ones keep other files waiting for half a minute at most.
 */
export const roundLength = (roundMs: number, pages: number): number => roundMs * Math.min(4, 1 + pages / 100)

/** A period of work: its start, its deadline, and the child's processor time at both ends if known. */
export interface Stretch {
  since: number
  deadline: number
  processorThen: number | undefined
  processorNow: number | undefined
}

// On a busy machine a parser may take up to four times its limit by the clock.
const MOST_STARVED = 4
const MOST_STARVED_MS = 300_000

/**
 * Whether the time is up. Once the clock has passed the deadline, a child that got too little processor time may
 * continue until it has had its time, but at most for four times as long or `mostStarvedMs` more.
 */
export function timeIsUp(
  { since, deadline, processorThen, processorNow }: Stretch,
  now: number,
  mostStarvedMs = MOST_STARVED_MS,
): boolean {
  if (now <= deadline) return false
  if (processorThen === undefined || processorNow === undefined) return true
  const allowed = deadline - since
  const hard = since + Math.min(MOST_STARVED * allowed, allowed + mostStarvedMs)
  return processorNow - processorThen >= allowed || now > hard
}

/**
 * Whether a file has used up the time that any file may take, even if it makes steady progress. Progress means that it
 * is not stuck, so the full factor of four applies: 15,000 pages take 170 s of processor time, and at a load of 24 a
 * quarter of an hour was not enough for that.
 */
export const fileTimeIsUp = (whole: Stretch, now: number): boolean =>
  timeIsUp(whole, now, Number.POSITIVE_INFINITY)
