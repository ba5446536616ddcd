// The OLE container of old Office files and Outlook items ([MS-CFB]), opened without following broken chains of sectors.

import * as XLSX from '@e965/xlsx'
import { refuseCircular } from '../identify/compound.ts'

/** The streams of a container by name, empty for one that is not there. Throws UnreadableFile for chains in a circle. */
export function openOle(bytes: Buffer): (name: string) => Buffer {
  refuseCircular(bytes)
  const container = XLSX.CFB.read(bytes, { type: 'buffer' })
  return (name) => Buffer.from((XLSX.CFB.find(container, `/${name}`)?.content ?? []) as Uint8Array)
}

/** The container written anew, for libraries that follow broken chains and directories until memory ends. */
export function rewrittenOle(bytes: Buffer): Buffer {
  refuseCircular(bytes)
  return Buffer.from(XLSX.CFB.write(XLSX.CFB.read(bytes, { type: 'buffer' }), { type: 'buffer' }) as Buffer)
}
