// Outlook items for tests ([MS-OXMSG]): properties as streams in an OLE container, a folder for each recipient and
// attachment.

import { makeCompound } from './office.ts'

export interface OutlookItem {
  subject?: string
  from?: { name: string; address: string }
  recipients?: readonly { name: string; address: string; kind: 1 | 2 }[]
  /** Milliseconds since 1970. */
  sent?: number
  /** The headers it came with. */
  headers?: string
  body?: string
  html?: string
  /** As Outlook keeps it: compressed or, with the mark of one that is not, plain. */
  rtf?: Buffer
  /** Texts in this code page in place of Unicode, encoded already. */
  codePage?: { number: number; encode: (text: string) => Buffer }
  attachments?: readonly (
    | { name: string; content: Buffer; type?: string; id?: string }
    | { name: string; item: OutlookItem }
  )[]
}

type Streams = Record<string, Buffer>

const SUBJECT = '0037'
const HEADERS = '007D'
const SENT = '0039'
const TEXT = '1000'
const HTML = '1013'
const RTF = '1009'
const SENDER = '0C1A'
const SENDER_ADDRESS = '5D01'
const RECIPIENT_KIND = '0C15'
const NAME = '3001'
const ADDRESS = '39FE'
const CODE_PAGE = '3FFD'
const CONTENT = '3701'
const FILE = '3707'
const TYPE = '370E'
const CONTENT_ID = '3712'

/** An .msg file. */
export const makeOutlookItem = (item: OutlookItem): Buffer => makeCompound(itemStreams(item, 32))

function itemStreams(item: OutlookItem, head: number): Streams {
  const { codePage, from, html, rtf } = item
  const text = (tag: string, value: string | undefined): Streams =>
    value === undefined
      ? {}
      : codePage === undefined
        ? { [`__substg1.0_${tag}001F`]: Buffer.from(value, 'utf16le') }
        : { [`__substg1.0_${tag}001E`]: codePage.encode(value) }
  const fixedProperties: [string, Buffer][] = []
  if (item.sent !== undefined) {
    const time = Buffer.alloc(8)
    time.writeBigUInt64LE(BigInt(item.sent + 11_644_473_600_000) * 10_000n)
    fixedProperties.push([`${SENT}0040`, time])
  }
  if (codePage !== undefined) fixedProperties.push([`${CODE_PAGE}0003`, number(codePage.number)])
  return {
    ...text(SUBJECT, item.subject),
    ...text(HEADERS, item.headers),
    ...text(TEXT, item.body),
    ...text(SENDER, from?.name),
    ...text(SENDER_ADDRESS, from?.address),
    ...(html === undefined ? {} : { [`__substg1.0_${HTML}0102`]: Buffer.from(html) }),
    ...(rtf === undefined ? {} : { [`__substg1.0_${RTF}0102`]: rtf }),
    ...properties(head, fixedProperties),
    ...inFolders('recip', item.recipients ?? [], ({ name, address, kind }) => ({
      ...text(NAME, name),
      ...text(ADDRESS, address),
      ...properties(8, [[`${RECIPIENT_KIND}0003`, number(kind)]]),
    })),
    ...inFolders('attach', item.attachments ?? [], (attached) => ({
      ...text(FILE, 'item' in attached ? undefined : attached.name),
      ...text(NAME, attached.name),
      ...properties(8, []),
      ...('item' in attached
        ? under(`__substg1.0_${CONTENT}000D`, itemStreams(attached.item, 24))
        : {
            [`__substg1.0_${CONTENT}0102`]: attached.content,
            ...text(TYPE, attached.type),
            ...text(CONTENT_ID, attached.id),
          }),
    })),
  }
}

function properties(head: number, values: readonly [tag: string, value: Buffer][]): Streams {
  const entries = values.map(([tag, value]) => {
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(Number.parseInt(tag, 16), 0)
    value.copy(entry, 8)
    return entry
  })
  return { '__properties_version1.0': Buffer.concat([Buffer.alloc(head), ...entries]) }
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value, 0)
  return bytes
}

const under = (folder: string, streams: Streams): Streams =>
  Object.fromEntries(Object.entries(streams).map(([name, bytes]) => [`${folder}/${name}`, bytes]))

const inFolders = <T>(kind: string, all: readonly T[], streams: (one: T) => Streams): Streams =>
  Object.assign(
    {},
    ...all.map((one, i) =>
      under(`__${kind}_version1.0_#${i.toString(16).padStart(8, '0').toUpperCase()}`, streams(one)),
    ),
  )
