// What a parser returns: the document as blocks in reading order.

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'figure' | 'code' | 'note'

/** Left, top, right, bottom in points from the page's top left corner. */
export type BBox = [number, number, number, number]

/**
 * One piece of a document in reading order. `text` is well-formed Unicode without control characters except \n and \t.
 */
export interface Block {
  kind: BlockKind
  /** Plain text; for a table a GitHub-flavoured Markdown table with its header row first. */
  text: string
  /** A table with merged cells as an HTML `<table>`. */
  html?: string
  /** A heading's level, 1 to 6. On another block, the headings of this level and below it end before the block. */
  level?: number
  /** 1-based page, slide or sheet number, if the format has one. */
  page?: number
  bbox?: BBox
  /** 0 to 1, for text recognised from a picture. */
  confidence?: number
  /** During parsing only: the text is invisible in the document. It is then moved to `ParsedDocument.hidden`. */
  hidden?: boolean
  /** Not part of the running text. The text around it is split into chunks as if the block did not exist. */
  aside?: boolean
  /** During parsing only: the name in the file of the picture that belongs here. */
  picture?: string
  /** During parsing only: in how many quotations the block is, if any, such as `<blockquote>` or lines of a mail with ">". */
  quoteDepth?: number
}

/** A picture of a document whose text is not among the blocks yet. */
export interface Picture {
  /** Its name in the file: a part of the package, the number of a data URL, page and number in a PDF. */
  name: string
  page?: number
  bbox?: BBox
  /** The number of blocks before it. If this is missing, `page` and `bbox` give its position. */
  at?: number
  /** Whether the last of the blocks before it is its caption or alternative text. */
  captioned?: boolean
}

/** Text in a file that is invisible in the document. It is neither indexed nor quoted. */
export interface HiddenPassage {
  page?: number
  text: string
}

export interface ParsedDocument {
  /** The document's own title, if it has a useful one. */
  title?: string
  /** The number of pages, slides or sheets, if the format has them. */
  pages?: number
  blocks: Block[]
  /** The invisible text of the document, in order. Long texts are cut. */
  hidden?: HiddenPassage[]
  /** Pictures that may contain text, in order. `unplaced` if they are not searched for until they are read (PDF). */
  pictures?: Picture[] | 'unplaced'
  /** Sentences about what was not read or may be wrong. They are shown with the job. */
  warnings?: string[]
  /** The pages read so far, if a scan takes longer than one round. The document then has no blocks yet. */
  unfinished?: ScanRound
}

/** The pages of a scan that were read in this and earlier rounds. */
export interface ScanRound {
  pages: RecognisedPage[]
  /** What these pages suggest about the next ones. */
  pageGuess?: PageGuess
}

export interface PageGuess {
  /** How far pages are rotated clockwise, in degrees. */
  angle: 0 | 90 | 180 | 270
  /** The code of the language in the recogniser's notation. */
  language: string
  /** Whether a page was read well with this angle and language. */
  isSettled: boolean
}

export interface RecognisedPage {
  /** 1-based. */
  number: number
  blocks: Block[]
  /** The mean confidence of its words, 0 to 1. 0 for an empty page. */
  confidence: number
  /** Whether the recognition is reliable. */
  isReliable: boolean
  /** Whether lines were left out because no configured language fits them. */
  leftOut: boolean
  /** The language of the page, if it is not configured and the page was read in another one. */
  unconfiguredLanguage?: string
  /** `undrawn` if the page could not be rendered. Otherwise the reason that a file with only this page would get. */
  damaged?: 'undrawn' | UnreadableReason
  /** Whether the picture shows nothing but the page's own text. */
  hasNothingToRecognise?: true
}

/** A page without text, because it is empty or for the reason given. */
export const unreadPage = (number: number, damaged?: RecognisedPage['damaged']): RecognisedPage => ({
  number,
  blocks: [],
  confidence: 0,
  isReliable: true,
  leftOut: false,
  ...(damaged && { damaged }),
})

/** The kinds of files that can be uploaded; scopes use these names (`kind:pdf`). */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'doc'
  | 'odt'
  | 'pptx'
  | 'ppt'
  | 'odp'
  | 'xlsx'
  | 'xls'
  | 'csv'
  | 'ods'
  | 'rtf'
  | 'markdown'
  | 'text'
  | 'html'
  | 'mhtml'
  | 'epub'
  | 'email'
  | 'msg'
  | 'mbox'
  | 'calendar'
  | 'json'
  | 'image'

/** Why a file can never be read. Each reason is shown to users as a sentence (reasons.ts). */
export type UnreadableReason =
  | 'encrypted'
  | 'damaged'
  | 'empty'
  | 'unsupported'
  | 'too_large_unpacked'
  | 'too_many_pages'
  | 'took_too_long'
  | 'too_complex'
  | 'no_text'
  | 'unrecognised'
  | 'no_heic'
  | 'cancelled'

/** A permanent failure of one file. Any other error of a parser counts as temporary, and the file is tried again. */
export class UnreadableFile extends Error {
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason, detail?: string) {
    super(detail ?? reason)
    this.name = 'UnreadableFile'
    this.reason = reason
  }
}

// The beginnings of codes such as `ENOMEM`, `ENOSPC` and `ERR_WORKER_INIT_FAILED`. EOCRSERVER is our own (child/entry.ts).
const MACHINE_ERROR =
  /^(ERR_MODULE|ERR_DLOPEN|ERR_WORKER_INIT|MODULE_NOT_FOUND|ENO|EMFILE|EAGAIN|EACCES|EIO|EDQUOT|EOCRSERVER)/
const MAX_CAUSE_DEPTH = 5

/**
 * Whether an error comes from the machine and not from the file: it lacks file handles, memory, threads, disk space or a
 * library, or the server for text recognition fails.
 */
export function isMachineError(error: unknown, remainingDepth = MAX_CAUSE_DEPTH): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && MACHINE_ERROR.test(code)) return true
  return remainingDepth > 0 && isMachineError(cause, remainingDepth - 1)
}
