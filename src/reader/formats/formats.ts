// The formats that are read. For each kind: its backend, and the fallback for files that the first backend cannot read.

import type { Backend } from '../backend.ts'
import type { DocumentKind } from '../block.ts'

export interface Format {
  backend: () => Promise<Backend>
  fallback?: () => Promise<Backend>
  /** The file is a zip archive. Its unpacked size is checked before it is parsed. */
  isZip?: true
}

const xls = async (): Promise<Backend> => (await import('./xls/xls.ts')).xls
const mail: Format = {
  backend: async () => (await import('./mail/mail.ts')).mail,
  fallback: async () => (await import('./mail/mail.ts')).mailFallback,
}
const text = async (): Promise<Backend> => (await import('./text/text.ts')).text

// Backends are loaded when they are first needed. A child that reads only PDFs never loads the others.
export const formats: Record<DocumentKind, Format> = {
  pdf: {
    backend: async () => (await import('./pdf/pdf.ts')).pdf,
    fallback: async () => (await import('./pdf/fallback.ts')).pdfFallback,
  },
  image: { backend: async () => (await import('./image/image.ts')).image },
  docx: { isZip: true, backend: async () => (await import('./docx/docx.ts')).docx },
  doc: { backend: async () => (await import('./doc/doc.ts')).doc },
  pptx: { isZip: true, backend: async () => (await import('./pptx/pptx.ts')).pptx },
  odt: { isZip: true, backend: async () => (await import('./opendocument/odt.ts')).odt },
  odp: { isZip: true, backend: async () => (await import('./opendocument/odp.ts')).odp },
  rtf: { backend: async () => (await import('./rtf/rtf.ts')).rtf },
  ppt: { backend: async () => (await import('./ppt/ppt.ts')).ppt },
  xlsx: { isZip: true, backend: async () => (await import('./xlsx/xlsx.ts')).xlsx, fallback: xls },
  ods: { isZip: true, backend: async () => (await import('./opendocument/ods.ts')).ods, fallback: xls },
  xls: { backend: xls },
  csv: { backend: async () => (await import('./csv/csv.ts')).csv },
  markdown: { backend: async () => (await import('./markdown/markdown.ts')).markdown, fallback: text },
  text: { backend: text },
  html: { backend: async () => (await import('./html/html.ts')).html },
  mhtml: { backend: async () => (await import('./mhtml/mhtml.ts')).mhtml },
  epub: { isZip: true, backend: async () => (await import('./epub/epub.ts')).epub },
  email: mail,
  msg: mail,
  mbox: { backend: async () => (await import('./mail/mbox.ts')).mailbox },
  calendar: { backend: async () => (await import('./calendar/calendar.ts')).calendar },
  json: { backend: async () => (await import('./json/json.ts')).json },
}
