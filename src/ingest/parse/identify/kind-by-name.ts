// What a file's name promises: the hint that decides between kinds whose bytes look alike (csv, Markdown, text, JSON).

import type { DocumentKind } from '../block.ts'

const kinds: Record<string, DocumentKind> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  dotm: 'docx',
  doc: 'doc',
  dot: 'doc',
  rtf: 'rtf',
  pptx: 'pptx',
  pptm: 'pptx',
  ppsx: 'pptx',
  ppsm: 'pptx',
  potx: 'pptx',
  potm: 'pptx',
  ppt: 'ppt',
  pps: 'ppt',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xlsb: 'xlsx',
  xltx: 'xlsx',
  xltm: 'xlsx',
  xls: 'xls',
  xlt: 'xls',
  ods: 'ods',
  ots: 'ods',
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  txt: 'text',
  text: 'text',
  log: 'text',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  epub: 'epub',
  eml: 'email',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  bmp: 'image',
  webp: 'image',
  tif: 'image',
  tiff: 'image',
  heic: 'image',
  heif: 'image',
}

/** The kind the name's extension stands for, or undefined. */
export function kindByName(filename: string): DocumentKind | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : kinds[extension]
}
