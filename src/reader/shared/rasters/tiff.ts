// Reads the directories of a TIFF, one for each page, and the values of their tags. The EXIF data of other images are a TIFF too.

interface Tiff {
  /** The offset of the directory of each page. */
  pages: number[]
  /** The first value of a tag, if it is an integer. */
  value: (directory: number, tag: number) => number | undefined
}

const MAX_PAGES = 2000
/** The type of a value with 16 bits. */
const SHORT = 3

/** The directories of a TIFF. Undefined if the bytes are no TIFF. @throws RangeError for a truncated directory */
export function readTiff(bytes: Buffer): Tiff | undefined {
  const order = bytes.toString('latin1', 0, 2)
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const u16 = (at: number): number => (order === 'II' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number): number => (order === 'II' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  if (u16(2) !== 42) return undefined
  const offsets = new Set<number>()
  let at = u32(4)
  // A chain of directories may be circular.
  while (at > 0 && at + 2 <= bytes.length && !offsets.has(at) && offsets.size < MAX_PAGES) {
    offsets.add(at)
    const next = at + 2 + 12 * u16(at)
    if (next + 4 > bytes.length) break
    at = u32(next)
  }
  const value = (directory: number, tag: number): number | undefined => {
    for (let i = 0; i < u16(directory); i++) {
      const entry = directory + 2 + 12 * i
      if (u16(entry) === tag) return u16(entry + 2) === SHORT ? u16(entry + 8) : u32(entry + 8)
    }
    return undefined
  }
  return { pages: [...offsets], value }
}

/** The four bytes that, at offset 4 of a TIFF, make the given directory its first page. */
export function firstPageOffset(bytes: Buffer, directory: number): Buffer {
  const offset = Buffer.alloc(4)
  if (bytes.toString('latin1', 0, 2) === 'II') offset.writeUInt32LE(directory)
  else offset.writeUInt32BE(directory)
  return offset
}
