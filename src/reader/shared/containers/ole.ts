// The OLE container of old Office files and Outlook items ([MS-CFB]). Containers with circular chains are refused.

import * as XLSX from '@e965/xlsx'
import { refuseCircular } from './compound.ts'

/** Reads streams of a container by name; a missing one is empty. Throws UnreadableFile for circular chains. */
export function openOle(bytes: Buffer): (name: string) => Buffer {
  refuseCircular(bytes)
  const container = XLSX.CFB.read(bytes, { type: 'buffer' })
  return (name) => Buffer.from((XLSX.CFB.find(container, `/${name}`)?.content ?? []) as Uint8Array)
}

/** A sound copy of the container, for libraries that would follow broken chains and directories until memory runs out. */
export function rewrittenOle(bytes: Buffer): Buffer {
  refuseCircular(bytes)
  return Buffer.from(XLSX.CFB.write(XLSX.CFB.read(bytes, { type: 'buffer' }), { type: 'buffer' }) as Buffer)
}

const TITLE_PROPERTY = 2
const BYTE_STRING = 0x1e
const WIDE_STRING = 0x1f

/** The title in the stream of summary information ([MS-OLEPS], property 2); undefined if it has none or is damaged. */
export function summaryTitle(stream: Buffer): string | undefined {
  try {
    const section = stream.readUInt32LE(44)
    const count = Math.min(stream.readUInt32LE(section + 4), 200)
    for (let i = 0; i < count; i++) {
      if (stream.readUInt32LE(section + 8 + 8 * i) !== TITLE_PROPERTY) continue
      const at = section + stream.readUInt32LE(section + 12 + 8 * i)
      const type = stream.readUInt16LE(at)
      const size = stream.readUInt32LE(at + 4)
      const bytes = stream.subarray(at + 8, at + 8 + (type === WIDE_STRING ? size * 2 : size))
      const text =
        type === WIDE_STRING ? bytes.toString('utf16le') : type === BYTE_STRING ? decodeBytes(bytes) : ''
      return text.replace(/\0+$/, '').trim() || undefined
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

/** The text as UTF-8 if the bytes are valid, as newer programs write it, otherwise as Windows-1252. */
function decodeBytes(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
