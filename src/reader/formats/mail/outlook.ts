// Opens Outlook items (.msg, .oft) as mails, which mail.ts then reads. The library reads the properties ([MS-OXMSG]).

import { createRequire } from 'node:module'
import { decompressRTF } from '@kenjiuno/decompressrtf'
import type { FieldsData } from '@kenjiuno/msgreader'
import iconv from 'iconv-lite'
import type { Attachment, Email, Mailbox } from 'postal-mime'
import { rewrittenOle } from '../../shared/containers/ole.ts'
import { decodeHtml } from '../../shared/html/page.ts'

// Loaded with `require`, because it is no ES module, and Node and bundlers differ about its default export.
const { default: MsgReader } = createRequire(import.meta.url)(
  '@kenjiuno/msgreader',
) as typeof import('@kenjiuno/msgreader')

type Reader = InstanceType<typeof MsgReader>

/** A mail. `rtf` is its text if it has neither plain text nor HTML. */
export type OutlookMail = Email & { rtf?: Buffer }

/** Reads an item. Throws UnreadableFile for a circular container, other errors if it is damaged. */
export function openOutlook(bytes: Buffer): OutlookMail {
  const { reader, item } = readItem(rewrittenOle(bytes))
  const html = item.bodyHtml ?? (item.html === undefined ? '' : decodeHtml(Buffer.from(item.html)))
  const people = (kind: 'to' | 'cc'): Mailbox[] =>
    (item.recipients ?? [])
      .filter(({ recipType }) => recipType === kind)
      .map(({ name, smtpAddress, email }) => mailbox(name, smtpAddress ?? email))
  const attachments = (item.attachments ?? []).map((part): Attachment => {
    const { fileName, content } = reader.getAttachment(part)
    const id = part.pidContentId?.trim() ?? ''
    return {
      filename: fileName ?? part.name ?? null,
      mimeType: part.attachMimeTag?.toLowerCase() ?? 'application/octet-stream',
      disposition: 'attachment',
      ...(id !== '' && { contentId: id, related: html.includes(`cid:${id}`) }),
      content,
    }
  })
  const from = mailbox(
    item.senderName,
    item.senderSmtpAddress ?? item.sentRepresentingSmtpAddress ?? item.senderEmail,
  )
  const hasText = (item.body ?? '').trim() !== '' || html.trim() !== ''
  return {
    headers: headersOf(item),
    headerLines: [],
    ...(from.name + from.address !== '' && { from }),
    to: people('to'),
    cc: people('cc'),
    ...(item.subject !== undefined && { subject: item.subject }),
    ...(item.body !== undefined && { text: item.body }),
    html,
    attachments,
    ...(!hasText && item.compressedRtf && { rtf: plainRtf(item.compressedRtf) }),
  }
}

const UTF_8 = 65_001

/** Reads the properties. Items of old versions are in the code page that they state. */
function readItem(bytes: Buffer): { reader: Reader; item: FieldsData } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readWith = (encoding: string): { reader: Reader; item: FieldsData } => {
    const reader = new MsgReader(view)
    reader.parserConfig = { ansiEncoding: encoding }
    const item = reader.getFileData()
    if (item.error !== undefined) throw new Error(item.error)
    return { reader, item }
  }
  const westernReading = readWith('cp1252')
  const { messageCodepage: codePage = westernReading.item.internetCodepage ?? UTF_8 } = westernReading.item
  const encoding = codePage === UTF_8 ? 'utf8' : `cp${codePage}`
  if (encoding === 'cp1252' || !iconv.encodingExists(encoding)) return westernReading
  const codePageReading = readWith(encoding)
  const { subject, body, senderName } = codePageReading.item
  // Some items state the code page in which they were sent, and not the one in which they are stored.
  return `${subject}${body}${senderName}`.includes('\ufffd') ? westernReading : codePageReading
}

/** A person. The addresses that Exchange uses inside a company are left out, because they are internal paths. */
const mailbox = (name = '', address = ''): Mailbox => ({
  name: name.trim() === address.trim() ? '' : name.trim(),
  address: address.includes('@') ? address.trim() : '',
})

/** The headers for subject and date. If the item came by mail, the date is that of the mail's header. */
function headersOf(item: FieldsData): Email['headers'] {
  const sentDate = /^date:[ \t]*(.+)$/im.exec(item.headers ?? '')?.[1]
  const date = sentDate ?? item.clientSubmitTime ?? item.messageDeliveryTime ?? ''
  return [
    { key: 'subject', originalKey: 'Subject', value: item.subject ?? '' },
    ...(date === '' ? [] : [{ key: 'date', originalKey: 'Date', value: date }]),
  ]
}

const plainRtf = (compressed: Uint8Array): Buffer => Buffer.from(decompressRTF([...compressed]))
