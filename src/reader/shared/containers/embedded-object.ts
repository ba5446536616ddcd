// A file that is embedded in a document as an object. The object is an OLE container around the file, or the file itself
// ([MS-OLEDS] 2.2).

import { COMPOUND_MAGIC } from './compound.ts'
import { openOle } from './ole.ts'

export interface EmbeddedFile {
  /** The name under which it was embedded, if known. */
  name?: string
  bytes: Buffer
}

// A container with one of these streams is itself an Office document or a mail.
const DOCUMENT_STREAMS = [
  'Workbook',
  'Book',
  'WordDocument',
  'PowerPoint Document',
  '__properties_version1.0',
]
const PACKED_STREAM = '\u0001Ole10Native'
const PLAIN_STREAMS = ['Package', 'EmbeddedOdf', 'CONTENTS']

/** The file in an object. Undefined if the object is not a file, such as an equation. */
export function fileInObject(object: Buffer): EmbeddedFile | undefined {
  if (!object.subarray(0, COMPOUND_MAGIC.length).equals(COMPOUND_MAGIC)) return { bytes: object }
  const readStream = openOle(object)
  if (DOCUMENT_STREAMS.some((name) => readStream(name).length > 0)) return { bytes: object }
  const packed = packedFile(readStream(PACKED_STREAM))
  if (packed !== undefined) return packed
  // A zip container, as new Office documents are, or a PDF.
  const bytes = PLAIN_STREAMS.map(readStream).find((stream) =>
    /^(?:PK|%PDF)/.test(stream.toString('latin1', 0, 4)),
  )
  return bytes === undefined ? undefined : { bytes }
}

/**
 * The file in a packed stream, which has a size, a mark, the name, the original path, the path of the copy, and the bytes.
 */
function packedFile(stream: Buffer): EmbeddedFile | undefined {
  try {
    let at = 6
    const readText = (): string => {
      const end = stream.indexOf(0, at)
      if (end < 0) throw new RangeError('no end of the text')
      const value = stream.toString('latin1', at, end)
      at = end + 1
      return value
    }
    const readNumber = (): number => {
      at += 4
      return stream.readUInt32LE(at - 4)
    }
    const [label, path] = [readText(), readText()]
    at += 4
    const pathBytes = readNumber()
    at += pathBytes
    const size = readNumber()
    if (size === 0 || at + size > stream.length) return undefined
    const name = (label || path).split(/[\\/]/).at(-1) ?? ''
    return { ...(name !== '' && { name }), bytes: stream.subarray(at, at + size) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}
