// Reads e-mail (.eml, Outlook's .msg): subject, sender, recipients and date, then the text. Attachments are passed on to the
// parsers of their kinds.

import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import type { Backend, EachPicture } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { COMPOUND_MAGIC } from '../../shared/containers/compound.ts'
import { decodeText, wideEncodingOf } from '../../shared/encodings/encoding.ts'
import { readHtml } from '../../shared/html/html.ts'
import { countedPictures } from '../../shared/html/page.ts'
import { parseMime } from '../../shared/mime/mime.ts'
import type { EnclosedFile, Parser, ParseTask } from '../../task.ts'
import type { OutlookMail } from './outlook.ts'
import { plainTextBlocks, withQuoteHeadings } from './quotes.ts'
import { isTnef, openTnef, unpackedTnef } from './tnef.ts'

const MAX_ATTACHMENTS = 50
// A longer message is not passed to the library if it is plain text (`openPlainMail`).
const MAX_COPIED_BYTES = 4e6
const MAX_HEAD_BYTES = 2e6
const HEADER_NAMES = new Set(['from', 'to', 'subject', 'date', 'received', 'message-id', 'mime-version'])

/** Reads a message. Its attachments are `enclosed`, and the caller reads them. */
const parseEmail: Parser = async (task) => {
  const { mail, files, headingLevel, ...message } = await readMessage(task)
  const enclosed = files.map((attachment): EnclosedFile => {
    const partNumber = mail.attachments.indexOf(attachment) + 1
    return {
      name: nameOf(attachment, partNumber),
      part: `part ${partNumber}`,
      bytes: () => toBuffer(attachment.content),
      level: headingLevel,
    }
  })
  return { ...message, enclosed }
}

/** Reads pictures in the mail's text, and in documents that are attached to it: "part 2/word/media/image1.png". */
const eachPicture: EachPicture = async ({ id, path, folder }, names, onPicture, readEnclosed) => {
  for (const { name, filename, bytes } of await mailParts(path)) {
    if (names.has(name)) onPicture(name, bytes())
    const innerNames = [...names].flatMap((fullName) =>
      fullName.startsWith(`${name}/`) ? [fullName.slice(name.length + 1)] : [],
    )
    if (innerNames.length === 0) continue
    const attachmentPath = join(folder, `${id}.${randomUUID()}`)
    await writeFile(attachmentPath, bytes(), { mode: 0o600 })
    try {
      await readEnclosed(
        { id, path: attachmentPath, folder, filename },
        new Set(innerNames),
        (enclosed, picture) => onPicture(`${name}/${enclosed}`, picture),
      )
    } finally {
      await rm(attachmentPath, { force: true })
    }
  }
}

export const mail: Backend = { parse: parseEmail, eachPicture }

/** Reads a message with only the names of its attachments. This is used after an attachment crashed the parser. */
const parseEmailSimply: Parser = async (task) => {
  const { mail, files, blocks, headingLevel, ...message } = await readMessage(task)
  const attachments = files.slice(0, MAX_ATTACHMENTS).map((attachment) => {
    const name = nameOf(attachment, mail.attachments.indexOf(attachment) + 1)
    return { kind: 'heading' as const, text: `Attachment: ${name}`, level: headingLevel }
  })
  const warnings = files.length > 0 ? ['Its attachments were not read: one of them cannot be.'] : []
  return { ...message, blocks: [...blocks, ...attachments], ...(warnings.length > 0 && { warnings }) }
}

export const mailFallback: Backend = { parse: parseEmailSimply }

async function readMessage(task: ParseTask) {
  const mail = await openMail(task.path)
  if (!mail.headers.some(({ key }) => HEADER_NAMES.has(key)))
    throw new UnreadableFile('damaged', 'no message headers')
  const body = bodyBlocks(mail)
  if (mail.rtf && body.length === 0) body.push(...(await rtfBlocks(mail.rtf)))
  const subject = mail.subject?.trim() ?? ''
  const headingLevel: 1 | 2 = subject === '' ? 1 : 2
  const blocks: Block[] = [
    ...(subject === ''
      ? // The headings of the mail before it in a mailbox end here.
        headerBlocks(mail).map((block) => ({ ...block, level: 1 }))
      : [{ kind: 'heading' as const, text: subject, level: 1 }, ...headerBlocks(mail)]),
    ...withQuoteHeadings(body, headingLevel),
  ]
  const files = mail.attachments.filter((attachment) => !isInline(attachment))
  return { mail, files, blocks, headingLevel, ...(subject === '' ? {} : { title: subject }) }
}

/** The text of an Outlook item that has its text only as RTF. */
async function rtfBlocks(rtf: Buffer): Promise<Block[]> {
  const { readRtf } = await import('../../shared/rtf/rtf.ts')
  return (await readRtf([rtf])).blocks
}

async function openMail(path: string): Promise<OutlookMail> {
  const file = await readFile(path)
  if (isTnef(file)) return openTnef(file)
  if (file.subarray(0, 8).equals(COMPOUND_MAGIC)) return (await import('./outlook.ts')).openOutlook(file)
  // Some text editors save a mail as UTF-16.
  const wideEncoding = wideEncodingOf(file)
  const bytes = wideEncoding === undefined ? file : Buffer.from(iconv.decode(file, wideEncoding))
  const plainMail = bytes.length > MAX_COPIED_BYTES ? await openPlainMail(bytes) : undefined
  return plainMail ?? unpackedTnef(await parseMime(bytes))
}

/**
 * A long message of unencoded plain text. It is decoded without the library, which needs five copies of a body in memory.
 * Undefined for other messages.
 */
async function openPlainMail(bytes: Buffer): Promise<Email | undefined> {
  const [blankLine = '', headEnd = -1] =
    ['\r\n\r\n', '\n\n']
      .map((blank): [string, number] => [blank, bytes.indexOf(blank)])
      .filter(([, position]) => position !== -1)
      .sort(([, a], [, b]) => a - b)[0] ?? []
  if (headEnd === -1 || headEnd > MAX_HEAD_BYTES) return undefined
  const mail = await PostalMime.parse(bytes.subarray(0, headEnd + blankLine.length))
  // If line ends are mixed, the first blank line may be of the other kind, and the header has ended earlier.
  if ((mail.text ?? '').trim() !== '') return undefined
  const header = (name: string): string => mail.headers.find(({ key }) => key === name)?.value ?? ''
  const type = header('content-type')
  const isPlain = (type === '' || /^text\/plain\b/i.test(type)) && !/\bformat="?flowed/i.test(type)
  const isEncoded = !/^(|7bit|8bit|binary)$/i.test(header('content-transfer-encoding').trim())
  const isAttachment = /^attachment/i.test(header('content-disposition'))
  if (!isPlain || isEncoded || isAttachment) return undefined
  const charset = /\bcharset="?([\w.:-]+)/i.exec(type)?.[1]
  const body = bytes.subarray(headEnd + blankLine.length)
  if (charset === undefined || /^(us-ascii|utf-?8)$/i.test(charset))
    return { ...mail, text: decodeText(body) }
  // The library can decode some encodings that iconv-lite cannot, such as the ISO-2022-JP of Japanese mails.
  return iconv.encodingExists(charset) ? { ...mail, text: iconv.decode(body, charset) } : undefined
}

/** Whether an attachment is a picture in the text: a screenshot, signature or logo. */
const isInline = ({ related, mimeType }: Attachment): boolean =>
  related === true && mimeType.startsWith('image/')

function nameOf({ mimeType, filename }: Attachment, partNumber: number): string {
  const isMessage = mimeType === 'message/rfc822'
  const defaultName = isMessage
    ? 'message.eml'
    : /\bcalendar$|\/ics$/.test(mimeType)
      ? 'invitation.ics'
      : `attachment ${partNumber}`
  const name = filename?.trim() || defaultName
  return isMessage && !/\.eml$/i.test(name) ? `${name}.eml` : name
}

/** A picture in the text of a mail, or an attached file. */
interface MailPart {
  /** Its name in blocks and pictures: "part 2", "data 1". */
  name: string
  filename: string
  bytes: () => Buffer
}

/** The parts of a mail that may be or contain pictures. */
async function mailParts(path: string): Promise<MailPart[]> {
  const mail = await openMail(path)
  const parts = mail.attachments.map((attachment, i) => ({
    name: `part ${i + 1}`,
    filename: nameOf(attachment, i + 1),
    bytes: () => toBuffer(attachment.content),
  }))
  const textPictures: MailPart[] = []
  readHtml(
    mail.html ?? '',
    countedPictures((name, bytes) => textPictures.push({ name, filename: '', bytes })),
  )
  return [...parts, ...textPictures]
}

function headerBlocks(mail: Email): Block[] {
  const lines = [
    ['From', addresses(mail.from === undefined ? [] : [mail.from])],
    ['To', addresses(mail.to ?? [])],
    ['Cc', addresses(mail.cc ?? [])],
    ['Date', dateOf(mail)],
  ].flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
  return lines.length === 0 ? [] : [{ kind: 'paragraph', text: lines.join('\n') }]
}

/** The date as written in the header, with the sender's time zone. */
function dateOf(mail: Email): string {
  return (mail.headers.find(({ key }) => key === 'date')?.value ?? '').replace(/\s+/g, ' ').trim()
}

function addresses(list: readonly Address[]): string {
  return list
    .flatMap((entry) => (entry.group === undefined ? [entry] : entry.group))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name ?? '')))
    .filter((entry) => entry !== '')
    .join(', ')
}

/**
 * The text of the HTML part if it contains tables or there is no plain text, otherwise the plain text with the pictures of the
 * HTML part after it. Pictures that the HTML part does not show come last.
 */
function bodyBlocks({ text = '', html = '', attachments }: Email): Block[] {
  const inlinePictures = new Map(
    attachments.flatMap((attachment, i) =>
      isInline(attachment) ? [[`part ${i + 1}`, attachment] as const] : [],
    ),
  )
  const namePicture = countedPictures()
  const { blocks } = readHtml(html, (address) => {
    const id = /^cid:(.*)/is.exec(address)?.[1]
    const inlinePicture = [...inlinePictures].find(
      ([, { contentId }]) => contentId?.replace(/^<|>$/g, '') === id,
    )
    return id === undefined ? namePicture(address) : inlinePicture?.[0]
  })
  const textAndPictures =
    text.trim() === '' || blocks.some(({ kind }) => kind === 'table')
      ? blocks
      : [
          ...plainTextBlocks(withoutMarkers(text.replace(/\r\n?/g, '\n'))),
          ...blocks.filter(({ picture }) => picture !== undefined),
        ]
  const placedPictures = new Set(textAndPictures.map(({ picture }) => picture))
  const unplacedPictures = [...inlinePictures.keys()].filter((name) => !placedPictures.has(name))
  return [
    ...textAndPictures,
    ...unplacedPictures.map((picture) => ({ kind: 'figure' as const, text: '', picture })),
  ]
}

/**
 * The plain part without what mail programs add to it: placeholders of pictures, and addresses after the text of links.
 */
const withoutMarkers = (text: string): string =>
  text
    .replace(/(?<![ \t])[ \t]*\[(?:cid:[^\]\s]{1,200}|image: [^\]\n]{1,200})\]/g, '')
    .replace(/(?<=[\p{L}\p{N}\]).!?])<(?:https?:\/\/|mailto:)[^\s<>]{1,2000}>/gu, '')

function toBuffer(content: ArrayBuffer | Uint8Array | string): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)
}
