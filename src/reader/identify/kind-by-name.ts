// The kind of a file by its name, which decides between kinds whose bytes look alike (CSV, Markdown, text, JSON); and the
// sentence that lists all kinds for users whose file is not supported.

import type { DocumentKind } from '../block.ts'

interface KindNames {
  /** The name for users; kinds with the same name are listed together. */
  family: string
  /** The extensions that users are told. */
  extensions: readonly string[]
  otherNames?: readonly string[]
}

const kinds: Record<DocumentKind, KindNames> = {
  pdf: { family: 'PDF', extensions: ['pdf'] },
  docx: { family: 'Word', extensions: ['docx'], otherNames: ['docm', 'dotx', 'dotm'] },
  doc: { family: 'Word', extensions: ['doc'], otherNames: ['dot'] },
  rtf: { family: 'Word', extensions: ['rtf'] },
  odt: { family: 'OpenDocument', extensions: ['odt'], otherNames: ['ott'] },
  odp: { family: 'OpenDocument', extensions: ['odp'], otherNames: ['otp'] },
  pptx: { family: 'PowerPoint', extensions: ['pptx'], otherNames: ['pptm', 'ppsx', 'ppsm', 'potx', 'potm'] },
  ppt: { family: 'PowerPoint', extensions: ['ppt'], otherNames: ['pps', 'pot'] },
  xlsx: { family: 'Excel', extensions: ['xlsx', 'xlsb'], otherNames: ['xlsm', 'xltx', 'xltm'] },
  xls: { family: 'Excel', extensions: ['xls'], otherNames: ['xlt'] },
  ods: { family: 'OpenDocument', extensions: ['ods'], otherNames: ['ots'] },
  csv: { family: 'a table in text', extensions: ['csv', 'tsv'] },
  markdown: { family: 'Markdown', extensions: ['md'], otherNames: ['markdown', 'mdx'] },
  text: { family: 'plain text', extensions: ['txt'], otherNames: ['text', 'log'] },
  html: { family: 'HTML', extensions: ['html'], otherNames: ['htm', 'xhtml'] },
  mhtml: { family: 'HTML', extensions: ['mhtml'], otherNames: ['mht'] },
  epub: { family: 'a book', extensions: ['epub'] },
  email: { family: 'e-mail', extensions: ['eml'] },
  msg: { family: 'e-mail', extensions: ['msg'], otherNames: ['oft'] },
  mbox: { family: 'e-mail', extensions: ['mbox'] },
  calendar: { family: 'a calendar', extensions: ['ics'], otherNames: ['ical', 'ifb', 'vcs'] },
  json: { family: 'JSON', extensions: ['json', 'jsonl'], otherNames: ['ndjson'] },
  image: {
    family: 'a picture',
    extensions: ['png', 'jpg', 'tiff', 'webp', 'gif', 'bmp'],
    // HEIC is only read if its library is installed.
    otherNames: ['jpeg', 'tif', 'heic', 'heif'],
  },
}

const byExtension: ReadonlyMap<string, DocumentKind> = new Map(
  (Object.keys(kinds) as DocumentKind[]).flatMap((kind) => {
    const { extensions, otherNames = [] } = kinds[kind]
    return [...extensions, ...otherNames].map((extension) => [extension, kind] as const)
  }),
)

/** The kind by the extension of the name, undefined if it is unknown. */
export function kindByName(filename: string): DocumentKind | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : byExtension.get(extension)
}

export const unsupportedSentence = `This kind of file cannot be read. Save it as ${readKinds()}.`

/** "PDF (.pdf), Word (.docx, .doc, .rtf), … or a picture (.png, .jpg)". */
function readKinds(): string {
  const families = new Map<string, string[]>()
  for (const { family, extensions } of Object.values(kinds)) {
    const dotted = extensions.map((extension) => `.${extension}`)
    families.set(family, [...(families.get(family) ?? []), ...dotted])
  }
  const familyLabels = [...families].map(([family, extensions]) => `${family} (${extensions.join(', ')})`)
  return `${familyLabels.slice(0, -1).join(', ')} or ${familyLabels.at(-1)}`
}
