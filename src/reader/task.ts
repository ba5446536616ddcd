// The messages between pool and child over IPC. A child works on one file at a time. Blocks and pictures are passed in a
// file.

import type { Language } from '../language/language.ts'
import type { Block, DocumentKind, ParsedDocument, Picture, ScanRound, UnreadableReason } from './block.ts'
import type { Line } from './shared/ocr/recognised.ts'

/** A file to be parsed, as requested by the worker. */
export interface ParseJob {
  path: string
  filename: string
  kind: DocumentKind
  /** Stops the work within a second; the promise rejects with UnreadableFile('cancelled'). */
  signal?: AbortSignal
  /** 0 to 1, at most ten times a second. */
  onProgress?: (share: number) => void
  /** Waits until the worker has enough free memory for a result of this size. */
  enter?: (bytes: number, signal?: AbortSignal) => Promise<void>
  /**
   * If set, a long scan may return `unfinished` after a round of up to two minutes. Another job with that result continues
   * it. Otherwise a scan is read for at most ten minutes.
   */
  round?: 'first' | ScanRound
}

export interface ParseTask {
  id: number
  path: string
  filename: string
  bytes: number
  kind: DocumentKind
  /** The pool's folder for scratch files. */
  folder: string
  /** Where the child writes its result. */
  resultPath: string
  /** Whether to begin with the fallback parser, because the first parser crashed its child. */
  usesFallback: boolean
  /** Set if a long scan is to be read in rounds. */
  round?: RoundRequest
}

export interface RoundRequest {
  /** The length of a round, which includes one page at least. */
  ms: number
  /** A file with what earlier rounds have read, a `ScanRound` as JSON. */
  earlierRoundsPath?: string
}

/** A page of a file to be rendered as PNG into `resultPath`. */
export interface DrawTask extends Omit<ParseTask, 'usesFallback'> {
  draw: PageImageRequest
}

export interface PageImageRequest {
  /** 1-based. */
  page: number
  /** In pixels; by default it depends on the page. */
  width?: number
}

/** A picture that exists and is large enough to contain text. */
export interface PictureCandidate extends Picture {
  /** SHA-256 of its bytes, so that a logo on every page counts as one picture. */
  hash: string
  /** In pixels. */
  width: number
  height: number
}

type UnreadPictures = Exclude<ParsedDocument['pictures'], undefined>

/** Which pictures of a document may contain text, or the text of one of them. */
export type PicturesRequest = { find: UnreadPictures } | { read: PictureCandidate; language: Language }

/** Finds the pictures in a file that may contain text, or reads the text of one. */
export interface PictureReader {
  (file: DrawnFile, request: { find: UnreadPictures }, signal?: AbortSignal): Promise<PictureCandidate[]>
  (
    file: DrawnFile,
    request: { read: PictureCandidate; language: Language },
    signal?: AbortSignal,
  ): Promise<Block[]>
}

interface DrawnFile {
  path: string
  kind: string
}

/** Finds or reads pictures in a file; the result is written to `resultPath` as JSON. */
export interface PicturesTask extends Omit<ParseTask, 'usesFallback'> {
  pictures: PicturesRequest
}

export type ChildTask = ParseTask | DrawTask | PicturesTask

/** Whether the pages of a file of this kind can be shown as pictures. */
export const hasPageImages = (kind: string): boolean => kind === 'pdf' || kind === 'image'

/** The file has fewer pages, or its kind has no pages to show. */
export class NoSuchPage extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'NoSuchPage'
  }
}

/** The file took longer than its parser may spend on one file: another parser with more time has to read it. */
export class TimeSliceExceeded extends Error {
  constructor() {
    super('the file took longer than this parser may spend on one file')
    this.name = 'TimeSliceExceeded'
  }
}

/**
 * No parser could be started, because the machine is too busy or lacks memory or another resource. The error says nothing
 * about the file.
 */
export class ParserAway extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'ParserAway'
  }
}

/** How much of the file is parsed, and how many pages were counted so far. The deadline depends on both. */
export interface ParseProgress {
  /** 0 to 1. */
  share: number
  pages?: number
  /** Pages that are pictures and need text recognition, which is far slower than a page of text. */
  ocrPages?: number
}

export type Report = (progress: ParseProgress) => void

/** A file inside a file: an attachment of an e-mail or PDF, a document inside of another one. */
export interface EnclosedFile {
  name: string
  bytes: () => Buffer | Promise<Buffer>
  /**
   * The name of this part in the outer file, with which the names of its pictures begin. Without it the pictures are not read.
   */
  part?: string
  /** Whether the outer file consists of such files, as a mailbox consists of mails. Otherwise it is an addition to the text. */
  isPartOfContainer?: true
  /** The level of the heading with its name. 2 if it is missing, so that it is below the title of the outer file. */
  level?: 1 | 2
}

/** What a parser returns: the document, and the files inside the file, which are still to be read. */
export interface ParserResult extends ParsedDocument {
  enclosed?: EnclosedFile[]
}

/** Reads one file of one kind. Throws UnreadableFile if the file cannot be read, other errors for faults of its own. */
export type Parser = (task: ParseTask, report: Report) => Promise<ParserResult>

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'started'; id: number }
  | { type: 'progress'; id: number; progress: ParseProgress }
  | { type: 'done'; id: number }
  | { type: 'unreadable'; id: number; reason: UnreadableReason; detail: string }
  | { type: 'no_page'; id: number; detail: string }
  | { type: 'failed'; id: number; detail: string }
  /** A page for the server that recognises text; answered by an `OcrAnswer`. */
  | ({ type: 'recognise'; id: number; requestNumber: number } & PageForOcr)

/** An image in the scratch folder, and the likeliest language of its text. */
export interface PageForOcr {
  path: string
  language: string
}

/** Recognises the text of an image (PNG). @param language the likeliest one @throws Error when the server fails */
export type RecogniseImage = (image: Buffer, language: string, signal: AbortSignal) => Promise<Line[]>

/** The pool's answer to `recognise`. */
export type OcrAnswer = { requestNumber: number } & ({ lines: Line[] } | { error: string })
