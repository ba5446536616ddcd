// The files inside a PDF: those that the document lists, and those that are attached to a page ([ISO 32000-1] 7.11.4,
// 12.5.6.15).

import type { EnclosedFile } from '../../task.ts'

type PdfFile = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>

interface FileSpec {
  filename?: unknown
  content?: unknown
}

const FILE_ANNOTATION = Buffer.from('/FileAttachment')
// The search takes one or two milliseconds a page.
const MAX_SEARCHED_PAGES = 2000

/**
 * The files in the order of the list, followed by the files on pages. The pages are only searched if the file's bytes contain
 * the name of such an annotation.
 */
export async function attachedFiles(file: PdfFile, bytes: Buffer): Promise<EnclosedFile[]> {
  const listedFiles = (await file.getAttachments()) as Record<string, FileSpec> | null
  const specs = Object.values(listedFiles ?? {})
  const pages = bytes.includes(FILE_ANNOTATION) ? Math.min(file.numPages, MAX_SEARCHED_PAGES) : 0
  for (let number = 1; number <= pages; number++) {
    const page = await file.getPage(number)
    const annotations = (await page.getAnnotations()) as { subtype?: string; file?: FileSpec }[]
    for (const annotation of annotations)
      if (annotation.subtype === 'FileAttachment' && annotation.file !== undefined)
        addUnlessListed(specs, annotation.file)
    page.cleanup()
  }
  return specs.flatMap(({ filename, content }, i) => {
    if (!(content instanceof Uint8Array)) return []
    const name =
      typeof filename === 'string' && filename.trim() !== '' ? filename.trim() : `attachment ${i + 1}`
    return [{ name, bytes: () => Buffer.from(content) }]
  })
}

/** Adds a file unless it is listed. Some programs also list the files that they attach to a page. */
function addUnlessListed(specs: FileSpec[], { filename, content }: FileSpec): void {
  const isSame = (other: FileSpec): boolean =>
    other.filename === filename &&
    other.content instanceof Uint8Array &&
    content instanceof Uint8Array &&
    Buffer.from(other.content.buffer, other.content.byteOffset, other.content.length).equals(content)
  if (!specs.some(isSame)) specs.push({ filename, content })
}
