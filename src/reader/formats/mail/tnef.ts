// Reads winmail.dat, the file in which Outlook packs the attachments of a mail and its text ([MS-OXTNEF]). The only package for
// it, node-tnef, is not used, because it depends on a logger with an install script.

import { decompressRTF } from '@kenjiuno/decompressrtf'
import iconv from 'iconv-lite'
import type { Attachment, Email } from 'postal-mime'
import { decodeHtml } from '../../shared/html/page.ts'
import type { OutlookMail } from './outlook.ts'

const MAGIC = Buffer.from('789f3e22', 'hex')

export const isTnef = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC)

const HEAD_BYTES = 6
// The bytes of an attribute's level, id and length, and of the checksum after it.
const ATTRIBUTE_BYTES = 9
const CHECKSUM_BYTES = 2

const SUBJECT = 0x8004
const MESSAGE_CODE_PAGE = 0x9007
const BODY = 0x800c
const MESSAGE_PROPERTIES = 0x9003
const NEW_ATTACHMENT = 0x9002
const ATTACHMENT_TITLE = 0x8010
const ATTACHMENT_DATA = 0x800f
const ATTACHMENT_PROPERTIES = 0x9005

// The ids of MAPI properties.
const TEXT = 0x1000
const RTF = 0x1009
const HTML = 0x1013
const DATA = 0x3701
const SHORT_NAME = 0x3704
const LONG_NAME = 0x3707
const MIME_TYPE = 0x370e
const CONTENT_ID = 0x3712

/** The mail in the bytes of a winmail.dat, as far as they can be read. Throws if its text is damaged RTF. */
export function openTnef(bytes: Buffer, mayUseRtf = true): OutlookMail {
  let codePage = 'windows-1252'
  let messageProperties = new Map<number, Buffer | string>()
  const texts = { subject: '', body: '' }
  const files: { title: string; data: Buffer; properties: ReadonlyMap<number, Buffer | string> }[] = []
  for (const { id, data } of attributesOf(bytes)) {
    const file = files.at(-1)
    if (id === MESSAGE_CODE_PAGE && data.length >= 4) codePage = pageName(data.readUInt32LE(0))
    else if (id === SUBJECT) texts.subject = textOf(data, codePage)
    else if (id === BODY) texts.body = textOf(data, codePage)
    else if (id === MESSAGE_PROPERTIES) messageProperties = propertiesOf(data, codePage)
    else if (id === NEW_ATTACHMENT) files.push({ title: '', data: Buffer.alloc(0), properties: new Map() })
    else if (file !== undefined && id === ATTACHMENT_TITLE) file.title = textOf(data, codePage)
    else if (file !== undefined && id === ATTACHMENT_DATA) file.data = data
    else if (file !== undefined && id === ATTACHMENT_PROPERTIES)
      file.properties = propertiesOf(data, codePage)
  }
  const ownHtml = messageProperties.get(HTML) ?? ''
  const html = typeof ownHtml === 'string' ? ownHtml : decodeHtml(ownHtml)
  const text = stringOf(messageProperties.get(TEXT)) || texts.body
  const rtf = messageProperties.get(RTF)
  const usesRtf = mayUseRtf && `${text}${html}`.trim() === ''
  return {
    headers: [{ key: 'subject', originalKey: 'Subject', value: texts.subject }],
    headerLines: [],
    ...(texts.subject !== '' && { subject: texts.subject }),
    text,
    html,
    attachments: files.map(({ title, data, properties }): Attachment => {
      const object = properties.get(DATA)
      const id = stringOf(properties.get(CONTENT_ID)).trim()
      return {
        filename:
          stringOf(properties.get(LONG_NAME)) || title || stringOf(properties.get(SHORT_NAME)) || null,
        mimeType: stringOf(properties.get(MIME_TYPE)).toLowerCase() || 'application/octet-stream',
        disposition: 'attachment',
        ...(id !== '' && { contentId: id }),
        content: data.length > 0 ? data : Buffer.isBuffer(object) ? withoutClass(object) : Buffer.alloc(0),
      }
    }),
    ...(usesRtf && Buffer.isBuffer(rtf) && { rtf: Buffer.from(decompressRTF([...rtf])) }),
  }
}

/**
 * The mail with the files inside its winmail.dat in place of that attachment. If the mail has no text, it gets that of the
 * winmail.dat. A damaged winmail.dat stays an attachment.
 */
export function unpackedTnef(mail: Email): OutlookMail {
  const bytesOf = ({ content }: Attachment): Buffer =>
    typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)
  const hasText = `${mail.text ?? ''}${mail.html ?? ''}`.trim() !== ''
  const openedFiles = mail.attachments.map((attachment) => {
    const bytes = bytesOf(attachment)
    try {
      return isTnef(bytes) ? openTnef(bytes, !hasText) : undefined
    } catch {
      return undefined
    }
  })
  const firstMail = openedFiles.find((file) => file !== undefined)
  if (firstMail === undefined) return mail
  return {
    ...mail,
    ...(!hasText && { text: firstMail.text ?? '', html: firstMail.html ?? '' }),
    ...(!hasText && firstMail.rtf && { rtf: firstMail.rtf }),
    attachments: mail.attachments.flatMap((attachment, i) => openedFiles[i]?.attachments ?? [attachment]),
  }
}

const pageName = (page: number): string => (page === 65_001 ? 'utf-8' : `cp${page}`)

const textOf = (data: Buffer, encoding: string): string =>
  iconv.decode(data, iconv.encodingExists(encoding) ? encoding : 'windows-1252').replace(/\0[\s\S]*$/, '')

const stringOf = (value: Buffer | string | undefined): string => (typeof value === 'string' ? value : '')

// The class of an object is written before its bytes.
const CLASS_BYTES = 16

const withoutClass = (object: Buffer): Buffer =>
  isTnef(object.subarray(CLASS_BYTES)) ? object.subarray(CLASS_BYTES) : object

/** The attributes up to the end, or up to the first attribute that is cut off. */
function* attributesOf(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  for (let at = HEAD_BYTES; at + ATTRIBUTE_BYTES <= bytes.length; ) {
    const from = at + ATTRIBUTE_BYTES
    const to = from + bytes.readUInt32LE(at + 5)
    if (to > bytes.length) return
    yield { id: bytes.readUInt16LE(at + 1), data: bytes.subarray(from, to) }
    at = to + CHECKSUM_BYTES
  }
}

const STRING = 0x1e
const WIDE_STRING = 0x1f
const OBJECT = 0x0d
const BINARY = 0x102
const MULTIPLE_VALUES = 0x1000
const FIRST_NAMED_ID = 0x8000
// The sizes of the types of properties that have a fixed size.
const FIXED_BYTES: Readonly<Record<number, number>> = {
  2: 4,
  3: 4,
  4: 4,
  10: 4,
  11: 4,
  5: 8,
  6: 8,
  7: 8,
  20: 8,
  64: 8,
  72: 16,
}
const GUID_BYTES = 16

/** The first value of each property of strings or bytes, as far as they can be read. */
function propertiesOf(data: Buffer, codePage: string): Map<number, Buffer | string> {
  const properties = new Map<number, Buffer | string>()
  let offset = 4
  const readNumber = (): number => {
    offset += 4
    return data.readUInt32LE(offset - 4)
  }
  const readPadded = (length: number): Buffer => {
    const value = data.subarray(offset, offset + length)
    offset += length + ((4 - (length % 4)) % 4)
    return value
  }
  try {
    for (let count = data.readUInt32LE(0); count > 0; count--) {
      const type = data.readUInt16LE(offset)
      const id = data.readUInt16LE(offset + 2)
      offset += 4
      if (id >= FIRST_NAMED_ID) {
        offset += GUID_BYTES
        if (readNumber() === 0) readNumber()
        else readPadded(readNumber())
      }
      const valueType = type & ~MULTIPLE_VALUES
      const size = FIXED_BYTES[valueType]
      const isVariable =
        valueType === STRING || valueType === WIDE_STRING || valueType === BINARY || valueType === OBJECT
      if (!isVariable && size === undefined) return properties
      for (let values = isVariable || type !== valueType ? readNumber() : 1; values > 0; values--) {
        const value = readPadded(size ?? readNumber())
        if (offset > data.length + 3) return properties
        if (!isVariable || properties.has(id)) continue
        const isText = valueType === STRING || valueType === WIDE_STRING
        properties.set(id, isText ? textOf(value, valueType === STRING ? codePage : 'utf-16le') : value)
      }
    }
  } catch (error) {
    // The data are cut off.
    if (!(error instanceof RangeError)) throw error
  }
  return properties
}
