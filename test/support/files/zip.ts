// Zip containers for tests: the shell of every Office Open XML file, and bombs.

import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A zip of the given parts, deflated. */
export async function makeZip(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}
