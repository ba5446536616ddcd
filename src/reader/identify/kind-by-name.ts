// The kind of a file by its name, which decides between kinds whose bytes look alike (CSV, Markdown, text, JSON); and the
// sentence that lists all kinds for users whose file is not supported.

import type { DocumentKind } from '../block.ts'

interface KindNames {
  /** The name for users; kinds with the same name are listed together. */
  family: string
  /** The extensions that users are shown. */
  extensions: readonly string[]
  otherExtensions?: readonly string[]
}

const namesByKind: Record<DocumentKind, KindNames> = {
  pdf: { family: 'PDF', extensions: ['pdf'] },
  docx: { family: 'Word', extensions: ['docx'], otherExtensions: ['docm', 'dotx', 'dotm'] },
  doc: { family: 'Word', extensions: ['doc'], otherExtensions: ['dot'] },
  rtf: { family: 'Word', extensions: ['rtf'] },
  odt: { family: 'OpenDocument', extensions: ['odt'], otherExtensions: ['ott'] },
  odp: { family: 'OpenDocument', extensions: ['odp'], otherExtensions: ['otp'] },
  pptx: {
    family: 'PowerPoint',
    extensions: ['pptx'],
    otherExtensions: ['pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  },
  ppt: { family: 'PowerPoint', extensions: ['ppt'], otherExtensions: ['pps', 'pot'] },
  xlsx: { family: 'Excel', extensions: ['xlsx', 'xlsb'], otherExtensions: ['xlsm', 'xltx', 'xltm'] },
  xls: { family: 'Excel', extensions: ['xls'], otherExtensions: ['xlt'] },
  ods: { family: 'OpenDocument', extensions: ['ods'], otherExtensions: ['ots'] },
  csv: { family: 'a table in text', extensions: ['csv', 'tsv'] },
  markdown: { family: 'Markdown', extensions: ['md'], otherExtensions: ['markdown', 'mdx'] },
  text: { family: 'plain text', extensions: ['txt'], otherExtensions: ['text', 'log'] },
  html: { family: 'HTML', extensions: ['html'], otherExtensions: ['htm', 'xhtml'] },
  mhtml: { family: 'HTML', extensions: ['mhtml'], otherExtensions: ['mht'] },
  epub: { family: 'a book', extensions: ['epub'] },
  email: { family: 'e-mail', extensions: ['eml'] },
  msg: { family: 'e-mail', extensions: ['msg'], otherExtensions: ['oft'] },
  mbox: { family: 'e-mail', extensions: ['mbox'] },
  calendar: { family: 'a calendar', extensions: ['ics'], otherExtensions: ['ical', 'ifb', 'vcs'] },
  json: { family: 'JSON', extensions: ['json', 'jsonl'], otherExtensions: ['ndjson'] },
  image: {
    family: 'a picture',
    extensions: ['png', 'jpg', 'tiff', 'webp', 'gif', 'bmp'],
    // HEIC is only read if its library is installed.
    otherExtensions: ['jpeg', 'tif', 'heic', 'heif'],
  },
}

const kindByExtension: ReadonlyMap<string, DocumentKind> = new Map(
  (Object.keys(namesByKind) as DocumentKind[]).flatMap((kind) => {
    const { extensions, otherExtensions = [] } = namesByKind[kind]
    return [...extensions, ...otherExtensions].map((extension) => [extension, kind] as const)
  }),
)

/** The kind by the extension of the name, undefined if it is unknown. */
export function kindByName(filename: string): DocumentKind | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : kindByExtension.get(extension)
}

export const unsupportedSentence = `This kind of file cannot be read. Save it as ${supportedKindsText()}.`

/** "PDF (.pdf), Word (.docx, .doc, .rtf), … or a picture (.png, .jpg)". */
function supportedKindsText(): string {
  const families = new Map<string, string[]>()
  for (const { family, extensions } of Object.values(namesByKind)) {
    const dotted = extensions.map((extension) => `.${extension}`)
    families.set(family, [...(families.get(family) ?? []), ...dotted])
  }
  const familyLabels = [...families].map(([family, extensions]) => `${family} (${extensions.join(', ')})`)
  return `${familyLabels.slice(0, -1).join(', ')} or ${familyLabels.at(-1)}`
}
