// What the files of OpenDocument share: passwords, properties, styles, and the objects embedded in them.

import { UnreadableFile } from '../../block.ts'
import type { Archive } from '../../identify/archive.ts'
import { readPart, readSidePart } from '../ooxml/package.ts'
import { child, descendants, elements, textOf, type XmlElement } from '../ooxml/xml.ts'
import type { EmbeddedObject, OdfContext } from './line.ts'
import { chartObject, formulaObject } from './objects.ts'
import { openStyles } from './styles.ts'

const MANIFEST_BYTES = 2 ** 20
const MOST_OBJECTS = 1000

// LibreOffice may lock all in one part; macros under a password lock nothing but themselves.
const LOCKED = /full-path=["'](content\.xml|encrypted-package)["'][^>]*>\s*<[\w-]*:?encryption-data/i

/**
 * OpenDocument locks its parts one by one and lists them; without a look there they are called damaged. Whether it
 * lists any lock at all.
 */
export async function refuseLocked(archive: Archive): Promise<boolean> {
  const manifest = await archive.read('META-INF/manifest.xml', MANIFEST_BYTES).catch(() => undefined)
  const list = manifest?.toString('utf8') ?? ''
  if (LOCKED.test(list)) throw new UnreadableFile('encrypted')
  return list.includes('encryption-data')
}

/** The title that the properties state. */
export async function metaTitle(archive: Archive): Promise<string | undefined> {
  const meta = await readPart(archive, 'meta.xml').catch(() => undefined)
  return textOf(descendants(meta, 'dc:title')[0])
}

export interface OpenDocument {
  /** For the body, whose own styles come with it. */
  context: OdfContext
  /** For what stands in the masters: headers, footers. */
  masterContext: OdfContext
  masters: XmlElement | undefined
}

/** The common styles and the objects of a text or a presentation. Throws UnreadableFile for a password or no content. */
export async function openDocument(archive: Archive): Promise<OpenDocument> {
  const mayBeLocked = await refuseLocked(archive)
  if (!archive.has('content.xml'))
    throw new UnreadableFile(mayBeLocked ? 'encrypted' : 'damaged', 'no content inside')
  const part = await readSidePart(archive, 'styles.xml')
  const [styles, masterStyles] = [openStyles(), openStyles()]
  for (const style of elements(child(part, 'office:styles'))) {
    styles.add(style)
    masterStyles.add(style)
  }
  for (const style of elements(child(part, 'office:automatic-styles'))) masterStyles.add(style)
  return {
    context: { styles, objects: await readObjects(archive) },
    masterContext: { styles: masterStyles, objects: new Map() },
    masters: child(part, 'office:master-styles'),
  }
}

/** Charts and formulas by their folder. */
async function readObjects(archive: Archive): Promise<Map<string, EmbeddedObject>> {
  const found = new Map<string, EmbeddedObject>()
  const parts = archive.names.filter((name) => /[^/]\/content\.xml$/.test(name)).slice(0, MOST_OBJECTS)
  for (const name of parts) {
    const tree = await readSidePart(archive, name)
    const object = tree && (chartObject(tree) ?? formulaObject(tree))
    if (object) found.set(name.slice(0, -'/content.xml'.length), object)
  }
  return found
}
