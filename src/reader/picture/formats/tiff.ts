// The skeleton of a TIFF: where its pages stand and what a tag says. EXIF blocks inside other images are TIFFs too.

export interface Tiff {
  /** Where each page's directory stands; circular chains end. */
  pages: number[]
  /** The first value of a tag in a directory, when it is a whole number. */
  value: (directory: number, tag: number) => number | undefined
}

const MOST_PAGES = 2000
const SHORT = 3

/** The directories of `bytes`, or undefined when it is no TIFF. @throws RangeError when one is cut short */
export function readTiff(bytes: Buffer): Tiff | undefined {
  const order = bytes.toString('latin1', 0, 2)
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const u16 = (at: number): number => (order === 'II' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number): number => (order === 'II' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  if (u16(2) !== 42) return undefined
  const found = new Set<number>()
  let at = u32(4)
  while (at > 0 && at + 2 <= bytes.length && !found.has(at) && found.size < MOST_PAGES) {
    found.add(at)
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
  return { pages: [...found], value }
}

/** Makes a page of a TIFF its first one: a reader that only takes the first then reads this. */
export function firstPageMark(bytes: Buffer, directory: number): Buffer {
  const mark = Buffer.alloc(4)
  if (bytes.toString('latin1', 0, 2) === 'II') mark.writeUInt32LE(directory)
  else mark.writeUInt32BE(directory)
  return mark
}
