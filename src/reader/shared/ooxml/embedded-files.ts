// The files inside a Word document, a slide or a sheet.

import { posix } from 'node:path'
import { isMachineError, UnreadableFile } from '../../block.ts'
import type { EnclosedFile } from '../../task.ts'
import { type Archive, withArchive } from '../containers/archive.ts'
import { type EmbeddedFile, fileInObject } from '../containers/embedded-object.ts'
import type { Relation } from '../containers/package.ts'

const MAX_OBJECT_BYTES = 100 * 2 ** 20

/**
 * The files to which parts of a package refer, each once. A file is unpacked for its name, and again when it is read, so that
 * only one of them is in memory.
 */
export async function embeddedFiles(
  path: string,
  archive: Archive,
  relations: readonly Relation[],
): Promise<EnclosedFile[]> {
  const parts = new Set(
    relations.filter(({ type }) => type === 'oleObject' || type === 'package').map(({ target }) => target),
  )
  const files: EnclosedFile[] = []
  for (const part of parts) {
    const name = await nameOf(archive, part)
    if (name === undefined) continue
    const bytes = (): Promise<Buffer> =>
      withArchive(path, async (source) => (await readObject(source, part))?.bytes ?? Buffer.alloc(0))
    files.push({ name, bytes })
  }
  return files
}

/** The name of an embedded file. Undefined for an object that is not a file. A damaged file is reported when it is read. */
async function nameOf(archive: Archive, part: string): Promise<string | undefined> {
  const partName = posix.basename(part)
  try {
    const object = await readObject(archive, part)
    return object === undefined ? undefined : (object.name ?? partName)
  } catch (error) {
    if (isMachineError(error)) throw error
    return partName
  }
}

async function readObject(archive: Archive, part: string): Promise<EmbeddedFile | undefined> {
  const object = await archive.read(part, MAX_OBJECT_BYTES)
  if (object === undefined) throw new UnreadableFile('damaged', `${part} is missing`)
  return fileInObject(object)
}
