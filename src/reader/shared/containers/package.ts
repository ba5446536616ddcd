// An Open Packaging container: its parts and the relationships between them ([ECMA-376-2] 6.5).

import { posix } from 'node:path'
import { isMachineError, type ParsedDocument, UnreadableFile } from '../../block.ts'
import type { Archive } from './archive.ts'
import { eachChild, elements, parseXml, textOf, type XmlElement } from './xml.ts'

export interface Relation {
  id: string
  /** The last word of the type: styles, footnotes, slide. */
  type: string
  /** The name of the part. */
  target: string
}

// A tree takes about ten times the memory of its text. Larger parts are read in a stream or not at all.
const MAX_TREE_BYTES = 64 * 2 ** 20

/** A part as a tree, undefined if there is no such part. */
export async function readPart(archive: Archive, name: string | undefined): Promise<XmlElement | undefined> {
  const bytes = name === undefined ? undefined : await archive.read(name, MAX_TREE_BYTES)
  if (name === undefined || bytes === undefined) return undefined
  const { root, isWhole } = parseXml(bytes)
  if (!isWhole) archive.incomplete.add(name)
  return root
}

/** A part without which the document can still be read; undefined if it is damaged. */
export const readOptionalPart = (
  archive: Archive,
  name: string | undefined,
): Promise<XmlElement | undefined> =>
  readPart(archive, name).catch((error: unknown) => {
    if (isMachineError(error)) throw error
    archive.incomplete.add(name ?? '')
    return undefined
  })

/** `eachChild` of a part; a missing part counts as incomplete. */
export async function eachPartChild(
  archive: Archive,
  name: string,
  ...rest: Parameters<typeof eachChild> extends [unknown, ...infer Rest] ? Rest : never
): Promise<void> {
  if (!(await eachChild(archive.pieces(name), ...rest))) archive.incomplete.add(name)
}

const INCOMPLETE_WARNING = 'Parts of the file are cut off, damaged or missing: not all of it was read.'

/** The document with a warning if parts were incomplete. @throws UnreadableFile if they leave no text at all */
export function withWarnings(archive: Archive, document: ParsedDocument): ParsedDocument {
  if (archive.incomplete.size === 0) return document
  if (document.blocks.length === 0) throw new UnreadableFile('damaged', [...archive.incomplete].join(', '))
  return { ...document, warnings: [...(document.warnings ?? []), INCOMPLETE_WARNING] }
}

/** The relationships of a part, or of the package for ''. External targets are left out. */
export async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part)
  const tree = await readPart(archive, posix.join(folder, '_rels', `${posix.basename(part)}.rels`))
  return elements(tree)
    .filter(({ attributes }) => !/^external$/i.test(attributes.TargetMode ?? ''))
    .map(({ attributes }) => ({
      id: attributes.Id ?? '',
      type: (attributes.Type ?? '').split('/').at(-1) ?? '',
      target: targetOf(folder, attributes.Target ?? ''),
    }))
}

function targetOf(folder: string, target: string): string {
  const clean = target.replaceAll('\\', '/')
  return (clean.startsWith('/') ? posix.normalize(clean) : posix.join('/', folder, clean)).replace(/^\/+/, '')
}

/** The name of the main part, or `defaultPath` if the relationships do not state it. */
export async function mainPart(archive: Archive, defaultPath: string): Promise<string | undefined> {
  const main = (await relationsOf(archive, '')).find(({ type }) => type === 'officeDocument')?.target
  if (main !== undefined && archive.has(main)) return main
  return archive.has(defaultPath) ? defaultPath : undefined
}

/** The title in the package's properties (`dc:title`), if any. */
export async function packageTitle(archive: Archive): Promise<string | undefined> {
  const core = (await relationsOf(archive, '')).find(({ type }) => type === 'core-properties')?.target
  const tree = await readPart(archive, core ?? 'docProps/core.xml').catch(() => undefined)
  const title = textOf(elements(tree, 'dc:title')[0]).trim()
  return title === '' ? undefined : title
}
