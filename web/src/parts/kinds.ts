// Names of the kinds of files in words for people.

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
  mhtml: 'HTML',
  epub: 'EPUB',
  email: 'E-mail',
  msg: 'E-mail',
  mbox: 'E-mail',
  calendar: 'Calendar',
  json: 'JSON',
  image: 'Picture',
}

const SHEETS = new Set(['xlsx', 'xls', 'xlsb', 'ods'])
const SLIDES = new Set(['pptx', 'ppt', 'odp'])

/** The word for a page of such a file. */
export const pageName = (kind: string | undefined): string =>
  kind && SHEETS.has(kind) ? 'Sheet' : kind && SLIDES.has(kind) ? 'Slide' : 'Page'

export const kindName = (kind: string): string => NAMES[kind] ?? kind

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
  return name.startsWith('folder:') ? `Folder ${name.slice(7)}` : name
}
