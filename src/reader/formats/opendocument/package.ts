// Reads what all kinds of OpenDocument files share: encryption, metadata, styles and embedded objects.

import { type Block, UnreadableFile } from '../../block.ts'
import { markdownTable } from '../../shared/blocks/table.ts'
import type { Archive } from '../../shared/containers/archive.ts'
import { readOptionalPart, readPart } from '../../shared/containers/package.ts'
import { child, descendants, elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import type { EmbeddedObject, OdfContext } from './line.ts'
import { openStyles } from './styles.ts'

const MAX_MANIFEST_BYTES = 2 ** 20
const MAX_OBJECTS = 1000

// Matches the entry of the encrypted text in the manifest. LibreOffice may encrypt everything in one part, encrypted-package.
// Entries of encrypted macros do not match, because macros are not read.
const ENCRYPTED = /full-path=["'](content\.xml|encrypted-package)["'][^>]*>\s*<[\w-]*:?encryption-data/i

/**
 * Refuses a file whose text is encrypted. OpenDocument encrypts part by part and lists the parts in its manifest. Without this
 * check encrypted parts would look damaged.
 * @returns whether any part is encrypted
 */
export async function refuseEncrypted(archive: Archive): Promise<boolean> {
  const manifest = await archive.read('META-INF/manifest.xml', MAX_MANIFEST_BYTES).catch(() => undefined)
  const manifestText = manifest?.toString('utf8') ?? ''
  if (ENCRYPTED.test(manifestText)) throw new UnreadableFile('encrypted')
  return manifestText.includes('encryption-data')
}

/** The title in the metadata. */
export async function metaTitle(archive: Archive): Promise<string | undefined> {
  const meta = await readPart(archive, 'meta.xml').catch(() => undefined)
  return textOf(descendants(meta, 'dc:title')[0])
}

export interface OpenDocument {
  /** For the body, which adds further styles. */
  context: OdfContext
  /** For headers and footers, which belong to the master pages. */
  masterContext: OdfContext
  masters: XmlElement | undefined
}

/** Reads the styles and objects of a text or presentation. @throws UnreadableFile if it is encrypted or has no content */
export async function openDocument(archive: Archive): Promise<OpenDocument> {
  const mayBeEncrypted = await refuseEncrypted(archive)
  if (!archive.has('content.xml'))
    throw new UnreadableFile(mayBeEncrypted ? 'encrypted' : 'damaged', 'content.xml is missing')
  const part = await readOptionalPart(archive, 'styles.xml')
  const [styles, masterStyles] = [openStyles(), openStyles()]
  for (const style of elements(child(part, 'office:styles'))) {
    styles.add(style)
    masterStyles.add(style)
  }
  for (const style of elements(child(part, 'office:automatic-styles'))) masterStyles.add(style)
  return {
    context: { styles, objects: await readObjects(archive), hidden: [] },
    masterContext: { styles: masterStyles, objects: new Map(), hidden: [] },
    masters: child(part, 'office:master-styles'),
  }
}

/** Embedded charts and formulas by their folder. */
async function readObjects(archive: Archive): Promise<Map<string, EmbeddedObject>> {
  const objects = new Map<string, EmbeddedObject>()
  const parts = archive.names.filter((name) => /[^/]\/content\.xml$/.test(name)).slice(0, MAX_OBJECTS)
  for (const name of parts) {
    const tree = await readOptionalPart(archive, name)
    const object = tree && (chartObject(tree) ?? formulaObject(tree))
    if (object) objects.set(name.slice(0, -'/content.xml'.length), object)
  }
  return objects
}

/** The titles of a chart as a figure, and the table of its values ([ODF 1.3-3] 11). Undefined for other objects. */
function chartObject(part: XmlElement): EmbeddedObject | undefined {
  const chart = child(part, 'office:body', 'office:chart', 'chart:chart')
  if (chart === undefined) return undefined
  const axes = elements(child(chart, 'chart:plot-area'), 'chart:axis')
  const titles = [chart, ...axes]
    .map((element) => visibleText(child(element, 'chart:title')))
    .filter((title) => title !== '')
  const rows = descendants(child(chart, 'table:table'), 'table:table-row').map((row) =>
    elements(row, 'table:table-cell').map((cell) => visibleText(cell) || (cell.attributes.value ?? '')),
  )
  const blocks: Block[] = titles.length === 0 ? [] : [{ kind: 'figure', text: titles.join('\n') }]
  const text = markdownTable(rows)
  return { blocks: text === '' ? blocks : [...blocks, { kind: 'table', text }] }
}

const visibleText = (element: XmlElement | undefined): string =>
  elements(element, 'text:p').map(textOf).join('\n').trim()

/** A formula as it was typed, otherwise the characters of its MathML. */
function formulaObject(part: XmlElement): EmbeddedObject | undefined {
  if (part.name !== 'math:math') return undefined
  const [annotation] = descendants(part, 'math:annotation')
  const formula = (annotation === undefined ? textOf(part) : textOf(annotation)).replace(/\s+/g, ' ').trim()
  return formula === '' ? undefined : { formula }
}
