// What pool and child say to each other: one file at a time, over IPC; blocks and pictures travel in a file.

import type { DocumentKind, ParsedDocument, UnreadableReason } from './block.ts'

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

export type ChildTask = ParseTask | DrawTask

/** The file has fewer pages, or is of a kind that has none to show. */
export class NoSuchPage extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'NoSuchPage'
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
