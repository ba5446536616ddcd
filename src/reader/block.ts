// What a parser hands over: the document as blocks in reading order.

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'figure' | 'code' | 'note'

/** Left, top, right, bottom in points from the page's top left corner. */
export type BBox = [number, number, number, number]

/** One piece of a document in reading order. `text` is well formed Unicode without NUL and C0 (but \n and \t). */
export interface Block {
  kind: BlockKind
  /** Plain text; for a table a GitHub-flavoured Markdown table with its header row first. */
  text: string
  /** A table's cells with their spans, as HTML `<table>`, when the source has them. */
  html?: string
  /** A heading's level, 1 to 6. */
  level?: number
  /** 1-based page, slide or sheet number, when the format has one. */
  page?: number
  bbox?: BBox
  /** 0 to 1, for text that was recognised from a picture. */
  confidence?: number
  /** Beside the text, not in it: the chunks around it stay as they are without it. */
  aside?: boolean
  /** While a document is parsed: the picture whose place this is, by its name in the file. */
  picture?: string
}

/** A picture of a document whose words are not among its blocks yet. */
export interface Picture {
  /** What its file calls it: a part of the package, the number of a data address, page and number in a PDF. */
  name: string
  page?: number
  bbox?: BBox
  /** How many blocks stand before it; told by page and box without it. */
  at?: number
  /** The last of those is its own: its caption or alternative text. */
  captioned?: boolean
}

export interface ParsedDocument {
  /** The document's own title, when it has one worth showing. */
  title?: string
  /** Pages, slides or sheets, when the format counts them. */
  pages?: number
  blocks: Block[]
  /** Pictures that may hold words, in order; `unplaced` where they are only found when they are read (PDF). */
  pictures?: Picture[] | 'unplaced'
  /** What was not read or may be wrong, as sentences shown with the job (pages of a scan after the time was up). */
  warnings?: string[]
  /** A scan that takes longer than a round: what is read of it so far, and nothing else in the document yet. */
  unfinished?: ScanRound
}

/** Pages of a scan that rounds have read. */
export interface ScanRound {
  pages: RecognisedPage[]
  /** What they found out about the next. */
  guess?: PageGuess
}

export interface PageGuess {
  /** By how many clockwise degrees pages lie turned. */
  angle: 0 | 90 | 180 | 270
  /** What the recogniser calls it. */
  language: string
  /** A page was read well with both. */
  settled: boolean
}

export interface RecognisedPage {
  /** 1-based. */
  number: number
  blocks: Block[]
  /** Mean over its words, 0 to 1; 0 where nothing is written. */
  confidence: number
  /** Its words are no guesses. */
  clear: boolean
  /** Lines of it were read in no language asked for. */
  leftOut: boolean
  /** The language that it is in, where that is not set up and it was read in another one. */
  foreign?: string
  /** It could not be drawn, or took its parser down: why, as the file would fail if it were its only page. */
  damaged?: 'undrawn' | UnreadableReason
  /** It shows nothing that its own text does not say. */
  empty?: true
}

/** A page of which nothing is known, for that reason or because nothing is written on it. */
export const unreadPage = (number: number, damaged?: RecognisedPage['damaged']): RecognisedPage => ({
  number,
  blocks: [],
  confidence: 0,
  clear: true,
  leftOut: false,
  ...(damaged && { damaged }),
})

/** The kinds a person may upload; the name is what scopes show as `kind:pdf`. */
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
  | 'epub'
  | 'email'
  | 'msg'
  | 'json'
  | 'image'

/** Why a file cannot be read, for good: a fixed vocabulary, shown to people as a sentence. */
export type UnreadableReason =
  | 'encrypted'
  | 'damaged'
  | 'empty'
  | 'unsupported'
  | 'too_large_unpacked'
  | 'too_many_pages'
  | 'took_too_long'
  | 'no_text'
  | 'unrecognised'
  | 'no_heic'
  | 'cancelled'

/** A permanent failure of one file; anything else thrown by a parser counts as transient and is retried. */
export class UnreadableFile extends Error {
  readonly reason: UnreadableReason
  constructor(reason: UnreadableReason, detail?: string) {
    super(detail ?? reason)
    this.name = 'UnreadableFile'
    this.reason = reason
  }
}

const MACHINES_CODE =
  /^(ERR_MODULE|ERR_DLOPEN|ERR_WORKER_INIT|MODULE_NOT_FOUND|ENO|EMFILE|EAGAIN|EACCES|EIO|EDQUOT)/
const DEEPEST_CAUSE = 5

/** Whether something failed for want of files, memory, threads or room on the disk, or a library is missing: no file's fault. */
export function isMachines(error: unknown, deep = DEEPEST_CAUSE): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && MACHINES_CODE.test(code)) return true
  return deep > 0 && isMachines(cause, deep - 1)
}
