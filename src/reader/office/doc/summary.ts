// The title in an OLE file's summary information ([MS-OLEPS]): property 2 of its first section.

const TITLE = 2
const BYTES = 0x1e
const WIDE = 0x1f

/** The title, or undefined when there is none or the stream is damaged. */
export function summaryTitle(stream: Buffer): string | undefined {
  try {
    const section = stream.readUInt32LE(44)
    const count = Math.min(stream.readUInt32LE(section + 4), 200)
    for (let i = 0; i < count; i++) {
      if (stream.readUInt32LE(section + 8 + 8 * i) !== TITLE) continue
      const at = section + stream.readUInt32LE(section + 12 + 8 * i)
      const type = stream.readUInt16LE(at)
      const size = stream.readUInt32LE(at + 4)
      const bytes = stream.subarray(at + 8, at + 8 + (type === WIDE ? size * 2 : size))
      const text = type === WIDE ? bytes.toString('utf16le') : type === BYTES ? decoded(bytes) : ''
      return text.replace(/\0+$/, '').trim() || undefined
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

/** UTF-8 where it is valid, as newer writers have it, else windows-1252. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
