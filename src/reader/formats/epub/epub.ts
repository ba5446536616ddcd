// Reads books (.epub): the chapters in the order of the spine ([EPUB 3.3] 5), and the title from the package document.

import { posix } from 'node:path'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { type Archive, eachNamedPart, withArchive } from '../../shared/containers/archive.ts'
import { readPart, withWarnings } from '../../shared/containers/package.ts'
import { child, descendants, elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import { readHtml } from '../../shared/html/html.ts'
import { decodeHtml } from '../../shared/html/page.ts'
import type { Parser } from '../../task.ts'

const MAX_CHAPTER_BYTES = 64 * 2 ** 20

/** The chapters of a book, without cover and contents page. */
const parseEpub: Parser = (task, report) =>
  withArchive(task.path, async (archive) => {
    await refuseEncrypted(archive)
    const root = await readPart(archive, 'META-INF/container.xml')
    const path = descendants(root, 'rootfile')[0]?.attributes['full-path']
    const book = path === undefined ? undefined : await readPart(archive, path)
    if (path === undefined || book === undefined)
      throw new UnreadableFile('damaged', 'the package document is missing')
    const chapters = chapterParts(book, posix.dirname(path))
    const blocks: Block[] = []
    for (const [i, chapter] of chapters.entries()) {
      const bytes = await archive.read(chapter, MAX_CHAPTER_BYTES)
      const nameOf = (address: string): string | undefined =>
        partName(archive, posix.dirname(chapter), address)
      const page = bytes === undefined ? '' : decodeHtml(bytes)
      if (!isComplete(page)) archive.incomplete.add(chapter)
      for (const block of readHtml(page, nameOf).blocks) blocks.push(block)
      report({ share: (i + 1) / chapters.length })
    }
    const title = chooseTitle(textOf(descendants(child(book, 'metadata'), 'dc:title')[0]), blocks)
    return withWarnings(archive, { ...(title === undefined ? {} : { title }), blocks })
  })

export const epub: Backend = { parse: parseEpub, eachPicture: eachNamedPart }

// The end tag of a chapter is searched in this many characters at its end, because a comment may follow it.
const END_CHARACTERS = 4096

/**
 * Whether a chapter is complete: it ends with the end tag of its root element, which may be a page, a drawing or a talking book.
 */
const isComplete = (page: string): boolean =>
  /<\/(?:\w+:)?(?:html|body|svg|dtbook)\s*>/i.test(page.slice(-END_CHARACTERS))

/** Refuses books with DRM, which list their encrypted parts. Free books may also list obfuscated fonts. */
async function refuseEncrypted(archive: Archive): Promise<void> {
  const encryption = await readPart(archive, 'META-INF/encryption.xml')
  const parts = encryption === undefined ? [] : descendantsNamed(encryption, 'CipherReference')
  if (parts.some(({ attributes }) => /\.x?html?$/i.test(attributes.URI ?? ''))) {
    throw new UnreadableFile('encrypted')
  }
}

function descendantsNamed(element: XmlElement, localName: string): XmlElement[] {
  return elements(element).flatMap((inner) => [
    ...(inner.name.split(':').at(-1) === localName ? [inner] : []),
    ...descendantsNamed(inner, localName),
  ])
}

function chapterParts(book: XmlElement, folder: string): string[] {
  const items = new Map(
    elements(child(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id ?? '', attributes]),
  )
  return elements(child(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const item = items.get(attributes.idref ?? '')
    if (item?.href === undefined || attributes.linear === 'no') return []
    if (/(^|\s)nav(\s|$)/.test(item.properties ?? '')) return []
    return [posix.join(folder, decodeHref(item.href))]
  })
}

function partName(archive: Archive, folder: string, address: string): string | undefined {
  const name = posix.join(folder, decodeHref(address))
  return archive.has(name) ? name : undefined
}

function decodeHref(href: string): string {
  const path = href.replace(/#.*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
