// The bounds a parser child runs under (marks of BAD-22 to BAD-26).

export interface ParserLimits {
  /**
   * Deadline: this, and so much more for every megabyte, page and page to recognise; a parser that reports progress
   * has this long again from then on. Never beyond the cap.
   */
  baseMs: number
  megabyteMs: number
  pageMs: number
  ocrPageMs: number
  capMs: number
  /** Of a short scan so much is read at a time, a page at least; then files that wait have their turn (`roundLength`). */
  roundMs: number
  /** A file that is not read after so much time leaves the parser to the next (`OutOfTurn`). */
  turnMs: number
  /** Resident memory of the child; its JavaScript heap has a lower bound of its own. */
  residentBytes: number
  heapMegabytes: number
  /**
   * Of what it writes: 100 MB of text become 105 to 140 MB, of Thai in one byte a letter 315. Without end it would fill the
   * disk, and the worker bears no more: 280 MB in two bytes a character took 823 MB resident.
   */
  resultBytes: number
  pollMs: number
  /** A file that says it has more is not worth a parser's ten minutes: the longest real reports have 3,000. */
  mostPages: number
  /** A child that parsed this many files makes room for a fresh one: native libraries leak. */
  filesPerChild: number
  /** An idle child costs 60 to 200 MB. */
  idleMs: number
}

export const parserLimits: ParserLimits = {
  baseMs: 30_000,
  megabyteMs: 1000,
  pageMs: 500,
  ocrPageMs: 10_000,
  capMs: 600_000,
  roundMs: 30_000,
  turnMs: Number.POSITIVE_INFINITY,
  residentBytes: 2 ** 30,
  heapMegabytes: 768,
  resultBytes: 320 * 2 ** 20,
  pollMs: 100,
  mostPages: 20_000,
  filesPerChild: 50,
  idleMs: 60_000,
}

/**
 * Of a parser whose files wait for one another and for no large one: a small file takes a second or two, a scanned page up
 * to 15. Rounds of a scan end before its turn does.
 */
export const newcomersLimits = { turnMs: 30_000, roundMs: 15_000 } satisfies Partial<ParserLimits>

/** Milliseconds a file of so many bytes may take that has so many pages. */
export function deadlineMs(limits: ParserLimits, bytes: number, pages = 0, ocrPages = 0): number {
  const size = (bytes / 1e6) * limits.megabyteMs
  return Math.min(limits.capMs, limits.baseMs + size + pages * limits.pageMs + ocrPages * limits.ocrPageMs)
}

/**
 * How long a round of a document with so many scanned pages takes. Each begins with 2 s of preparation and 10 ms a page:
 * where all parsers are at scans, others wait half a minute and not two for the length of a letter.
 */
export const roundLength = (roundMs: number, pages: number): number => roundMs * Math.min(4, 1 + pages / 100)

/** A stretch of work: from when, how long it may take, and the processor time at both ends where that is known. */
export interface Stretch {
  since: number
  deadline: number
  processorThen: number | undefined
  processorNow: number | undefined
}

// A machine that gives a parser a quarter of a core is slow, not the file bad; one that gives less has other troubles.
const MOST_STARVED = 4
const MOST_STARVED_MS = 300_000

/**
 * Whether the time is up: by the clock, but a child that was not let run has until it had the time or four times that,
 * `mostStarvedMs` more at most.
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
 * Whether a file has had all the time a file may have, however steadily it goes on. What goes on is not stuck, so here
 * the clock has the whole four times: 15,000 pages take 170 s of a processor, and at a load of 24 those did not come in
 * a quarter of an hour.
 */
export const fileTimeIsUp = (whole: Stretch, now: number): boolean =>
  timeIsUp(whole, now, Number.POSITIVE_INFINITY)
