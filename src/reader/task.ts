// What pool and child say to each other: one file at a time, over IPC; blocks and pictures travel in a file.

import type { Language } from '../language/language.ts'
import type { Block, DocumentKind, ParsedDocument, Picture, ScanRound, UnreadableReason } from './block.ts'

/** A file to be parsed, as the worker asks for it. */
export interface ParseJob {
  path: string
  filename: string
  kind: DocumentKind
  /** Ends the work within a second; the promise rejects with UnreadableFile('cancelled'). */
  signal?: AbortSignal
  /** 0 to 1, at most ten times a second. */
  onProgress?: (share: number) => void
  /** Waits until there is room in memory for a result of so many bytes. */
  enter?: (bytes: number, signal?: AbortSignal) => Promise<void>
  /**
   * A long scan may come back `unfinished` after a round of two minutes; the job with what it gave goes on from there.
   * Without it a scan is read as far as ten minutes go.
   */
  round?: 'first' | ScanRound
}

export interface ParseTask {
  id: number
  path: string
  filename: string
  bytes: number
  kind: DocumentKind
  /** A folder of the pool's own for scratch files. */
  folder: string
  /** Where the child writes what it found or drew. */
  resultPath: string
  /** True after the first parser took its child down: begin with the second one. */
  fallback: boolean
  /** Read a long scan in rounds; without it as far as there is time. */
  round?: RoundWanted
}

export interface RoundWanted {
  /** How long it takes, but for its first page. */
  ms: number
  /** A file with what rounds before have read, a `ScanRound` as JSON. */
  before?: string
}

/** A page of a file to be drawn as PNG into `resultPath`. */
export interface DrawTask extends Omit<ParseTask, 'fallback'> {
  draw: PageWanted
}

export interface PageWanted {
  /** 1-based. */
  page: number
  /** Pixels; without it as wide as suits the page. */
  width?: number
}

/** A picture that is there, and large enough to hold words. */
export interface FoundPicture extends Picture {
  /** SHA-256 of its bytes: a logo on each page is one picture. */
  hash: string
  /** Its own pixels. */
  width: number
  height: number
}

type Unread = Exclude<ParsedDocument['pictures'], undefined>

/** Which pictures of a document hold something, or the words of one of them. */
export type PicturesWanted = { find: Unread } | { read: FoundPicture; language: Language }

/** Reads pictures of a file: those that may hold words, or the readable texts of one. */
export interface PictureReader {
  (file: DrawnFile, wanted: { find: Unread }, signal?: AbortSignal): Promise<FoundPicture[]>
  (
    file: DrawnFile,
    wanted: { read: FoundPicture; language: Language },
    signal?: AbortSignal,
  ): Promise<Block[]>
}

export interface DrawnFile {
  path: string
  kind: string
}

/** Pictures inside a file, looked for or read; what was found is written to `resultPath` as JSON. */
export interface PicturesTask extends Omit<ParseTask, 'fallback'> {
  pictures: PicturesWanted
}

export type ChildTask = ParseTask | DrawTask | PicturesTask

/** The file has fewer pages, or is of a kind that has none to show. */
export class NoSuchPage extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'NoSuchPage'
  }
}

/** The file is not read, and others wait for its parser: it is to be read by one that has more time. */
export class OutOfTurn extends Error {
  constructor() {
    super('the turn of the file at this parser is over')
    this.name = 'OutOfTurn'
  }
}

/** How far a parser is, and what is known of the file's size: the deadline follows it. */
export interface ParseProgress {
  /** 0 to 1. */
  share: number
  pages?: number
  /** Pages that are pictures and must be recognised, each far slower than a page of text. */
  ocrPages?: number
}

export type Report = (progress: ParseProgress) => void

/** A file inside a file (an e-mail's attachment), unpacked to the task's folder. */
export interface Enclosed {
  name: string
  path: string
  /** Which part of its file it is: what the names of its pictures begin with. */
  part: string
}

export interface Parsed extends ParsedDocument {
  enclosed?: Enclosed[]
}

/** Reads one file of one kind. Throws UnreadableFile for what is the file's fault, anything else for its own. */
export type Parser = (task: ParseTask, report: Report) => Promise<Parsed>

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'started'; id: number }
  | { type: 'progress'; id: number; progress: ParseProgress }
  | { type: 'done'; id: number }
  | { type: 'unreadable'; id: number; reason: UnreadableReason; detail: string }
  | { type: 'no_page'; id: number; detail: string }
  | { type: 'failed'; id: number; detail: string }
