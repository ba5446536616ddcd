// Writes a ZIP file without compression, because a small document needs none. Pure.

interface Entry {
  name: string
  text: string
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

// The signatures of the local file header, the central directory entry and the end of the central directory.
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
// Marks names as UTF-8.
const FLAGS = 0x0800
// 1 January 1980, the first day that the format can express.
const DAY = 0x21

/** The bytes of numbers of two or four bytes, in little-endian order. */
function packed(fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [, length]) => sum + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [value, length] of fields) {
    if (length === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += length
  }
  return bytes
}

export function zipOf(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const files: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, text } of entries) {
    const [nameBytes, content] = [encoder.encode(name), encoder.encode(text)]
    const commonFields = [
      [FLAGS, 2],
      [0, 2],
      [0, 2],
      [DAY, 2],
      [crcOf(content), 4],
      [content.length, 4],
      [content.length, 4],
      [nameBytes.length, 2],
      [0, 2],
    ] as const
    const header = packed([[LOCAL, 4], [VERSION, 2], ...commonFields])
    const directoryFields = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ] as const
    directory.push(
      packed([[CENTRAL, 4], [VERSION, 2], [VERSION, 2], ...commonFields, ...directoryFields]),
      nameBytes,
    )
    files.push(header, nameBytes, content)
    offset += header.length + nameBytes.length + content.length
  }
  const directoryLength = directory.reduce((sum, { length }) => sum + length, 0)
  const end = packed([
    [END, 4],
    [0, 2],
    [0, 2],
    [entries.length, 2],
    [entries.length, 2],
    [directoryLength, 4],
    [offset, 4],
    [0, 2],
  ])
  return concatenate([...files, ...directory, end])
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
