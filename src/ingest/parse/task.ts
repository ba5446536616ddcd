// What pool and child say to each other: one file at a time, over IPC; the blocks themselves travel in a file.

import type { DocumentKind, ParsedDocument, UnreadableReason } from './block.ts'

export interface ParseTask {
  id: number
  path: string
  filename: string
  bytes: number
  kind: DocumentKind
  /** A folder of the pool's own for scratch files. */
  folder: string
  /** Where the child writes what it found. */
  resultPath: string
  /** True after the first parser took its child down: begin with the second one. */
  fallback: boolean
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

/** Reads one file of one kind. Throws UnreadableFile for what is the file's fault, anything else for its own. */
export type Parser = (task: ParseTask, report: Report) => Promise<ParsedDocument>

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'started'; id: number }
  | { type: 'progress'; id: number; progress: ParseProgress }
  | { type: 'done'; id: number }
  | { type: 'unreadable'; id: number; reason: UnreadableReason; detail: string }
  | { type: 'failed'; id: number; detail: string }
