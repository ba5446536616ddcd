// Names of the kinds of files, as people say them.

const NAMES: Record<string, string> = {
  pdf: 'PDF',
  docx: 'Word',
  doc: 'Word',
  odt: 'Text (ODT)',
  rtf: 'RTF',
  pptx: 'PowerPoint',
  ppt: 'PowerPoint',
  odp: 'Slides (ODP)',
  xlsx: 'Excel',
  xls: 'Excel',
  ods: 'Sheet (ODS)',
  csv: 'CSV',
  markdown: 'Markdown',
  text: 'Text',
  html: 'HTML',
  epub: 'EPUB',
  email: 'E-mail',
  msg: 'E-mail',
  json: 'JSON',
  image: 'Picture',
}

const SHEETS = new Set(['xlsx', 'xls', 'xlsb', 'ods'])
const SLIDES = new Set(['pptx', 'ppt', 'odp'])

/** What people call a page of such a file. */
export const pageName = (kind: string | undefined): string =>
  kind && SHEETS.has(kind) ? 'Sheet' : kind && SLIDES.has(kind) ? 'Slide' : 'Page'

export const kindName = (kind: string): string => NAMES[kind] ?? kind

/** A scope as people say it: `kind:pdf` is "PDF", `folder:Contracts` is the folder. */
export function scopeName(name: string): string {
  if (name.startsWith('kind:')) return kindName(name.slice(5))
  return name.startsWith('folder:') ? `Folder ${name.slice(7)}` : name
}
