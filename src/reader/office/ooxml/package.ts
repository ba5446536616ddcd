// An Open Packaging container: parts, and the relationships that lead from one to the next ([ECMA-376-2] 6.5).

import { posix } from 'node:path'
import { isMachineError, type ParsedDocument, UnreadableFile } from '../../block.ts'
import type { Archive } from '../../identify/archive.ts'
import { eachChild, elements, parseXml, textOf, type XmlElement } from './xml.ts'

export interface Relation {
  id: string
  /** The type's last word: styles, footnotes, slide. */
  type: string
  /** The part's name; parts outside the package are left out. */
  target: string
}

// Trees take some ten times their text; what is larger is read in a stream or not at all.
const MOST_TREE_BYTES = 64 * 2 ** 20

/** A part as a tree, undefined without one. */
export async function readPart(archive: Archive, name: string | undefined): Promise<XmlElement | undefined> {
  const bytes = name === undefined ? undefined : await archive.read(name, MOST_TREE_BYTES)
  if (name === undefined || bytes === undefined) return undefined
  const { root, isWhole } = parseXml(bytes)
  if (!isWhole) archive.incomplete.add(name)
  return root
}

/** A part beside the text, which a damaged one must not take with it. */
export const readSidePart = (archive: Archive, name: string | undefined): Promise<XmlElement | undefined> =>
  readPart(archive, name).catch((error: unknown) => {
    if (isMachineError(error)) throw error
    archive.incomplete.add(name ?? '')
    return undefined
  })

/** `eachChild` of a part; one that is not there is torn. */
export async function eachPartChild(
  archive: Archive,
  name: string,
  ...take: Parameters<typeof eachChild> extends [unknown, ...infer Rest] ? Rest : never
): Promise<void> {
  if (!(await eachChild(archive.pieces(name), ...take))) archive.incomplete.add(name)
}

const TORN = 'Parts of the file are cut off, damaged or missing: not all of it was read.'

/** The document with a word about parts that were not read whole; they are the reason where nothing was read. */
export function withWarnings(archive: Archive, document: ParsedDocument): ParsedDocument {
  if (archive.incomplete.size === 0) return document
  if (document.blocks.length === 0) throw new UnreadableFile('damaged', [...archive.incomplete].join(', '))
  return { ...document, warnings: [...(document.warnings ?? []), TORN] }
}

/** The relationships of a part, or of the package itself for ''. External targets are never followed. */
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

/** The name of the package's main part, or of `usual` when the relationships do not say. */
export async function mainPart(archive: Archive, usual: string): Promise<string | undefined> {
  const main = (await relationsOf(archive, '')).find(({ type }) => type === 'officeDocument')?.target
  if (main !== undefined && archive.has(main)) return main
  return archive.has(usual) ? usual : undefined
}

/** The title the package's properties state (`dc:title`), or undefined. */
export async function packageTitle(archive: Archive): Promise<string | undefined> {
  const core = (await relationsOf(archive, '')).find(({ type }) => type === 'core-properties')?.target
  const tree = await readPart(archive, core ?? 'docProps/core.xml').catch(() => undefined)
  const title = textOf(elements(tree, 'dc:title')[0]).trim()
  return title === '' ? undefined : title
}
