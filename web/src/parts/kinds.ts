// Names of the kinds of files in words for people.

import { message, plural, t } from '../language/text.tsx'

/** Names of formats and programs, the same in every language. */
const FORMATS: Record<string, string> = {
  pdf: 'PDF',
  docx: 'Word',
  doc: 'Word',
  rtf: 'RTF',
  pptx: 'PowerPoint',
  ppt: 'PowerPoint',
  xlsx: 'Excel',
  xls: 'Excel',
  csv: 'CSV',
  markdown: 'Markdown',
  html: 'HTML',
  mhtml: 'HTML',
  epub: 'EPUB',
  json: 'JSON',
}

const WORDS: Record<string, string> = {
  odt: message('Text (ODT)'),
  odp: message('Slides (ODP)'),
  ods: message('Sheet (ODS)'),
  text: message('Text'),
  email: message('E-mail'),
  msg: message('E-mail'),
  mbox: message('E-mail'),
  calendar: message('Calendar'),
  image: message('Picture'),
}

const SHEETS = new Set(['xlsx', 'xls', 'xlsb', 'ods'])
/** Of which a table is the whole, so that it has the width of the window. */
export const isSheet = (kind: string | undefined): boolean => kind === 'csv' || SHEETS.has(kind ?? '')

const SLIDES = new Set(['pptx', 'ppt', 'odp'])

/** "Page 3", or what a page of such a file is called. */
export function pageLabel(kind: string | undefined, page: number): string {
  if (kind && SHEETS.has(kind)) return t('Sheet {page}', { page })
  return kind && SLIDES.has(kind) ? t('Slide {page}', { page }) : t('Page {page}', { page })
}

/** "3 pages", or what the pages of such a file are called. */
export function pageCount(kind: string, count: number): string {
  if (SHEETS.has(kind)) return plural(count, 'sheet')
  return SLIDES.has(kind) ? plural(count, 'slide') : plural(count, 'page')
}

export function kindName(kind: string): string {
  const word = WORDS[kind]
  return word === undefined ? (FORMATS[kind] ?? kind) : t(word)
}

/** The names of scopes that nobody creates. */
export const BUILT_IN_SCOPE = /^(kind|provider|folder):/

const kindOf = (scope: string): string | undefined => (scope.startsWith('kind:') ? scope.slice(5) : undefined)

/**
 * A scope in words for people: `kind:pdf` is "PDF", `folder:Contracts` is the folder.
 * @param otherNames the other scopes in the list, from which the name has to differ: "Word .doc" and "Word .docx"
 */
export function scopeName(name: string, otherNames: readonly string[] = []): string {
  const kind = kindOf(name)
  if (kind !== undefined) {
    const label = kindName(kind)
    const isShared = otherNames.some((other) => other !== name && kindName(kindOf(other) ?? '') === label)
    return isShared ? `${label} .${kind === 'email' ? 'eml' : kind}` : label
  }
  return name.startsWith('folder:') ? t('Folder {folder}', { folder: name.slice(7) }) : name
}
