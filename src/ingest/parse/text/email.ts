// E-mail (.eml): subject, sender, recipients and date as people see them, then the text; attachments are handed on to
// the parsers of their kinds.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { type Block, UnreadableFile } from '../block.ts'
import type { Enclosed, Parser } from '../task.ts'
import { readHtml } from './html.ts'
import { textBlocks } from './plain.ts'

const MOST_ATTACHMENTS = 50
const known = new Set(['from', 'to', 'subject', 'date', 'received', 'message-id', 'mime-version'])

/** One message; what is attached is `enclosed`, for the caller to read. */
export const parseEmail: Parser = async (task) => {
  const mail = await PostalMime.parse(await readFile(task.path), { forceRfc822Attachments: true })
  if (!mail.headers.some(({ key }) => known.has(key)))
    throw new UnreadableFile('damaged', 'no message headers')
  const subject = mail.subject?.trim() ?? ''
  const blocks: Block[] = [
    ...(subject === '' ? [] : [{ kind: 'heading' as const, text: subject, level: 1 }]),
    ...headerBlocks(mail),
    ...bodyBlocks(mail),
  ]
  const enclosed: Enclosed[] = []
  for (const [i, attachment] of mail.attachments.slice(0, MOST_ATTACHMENTS).entries()) {
    // Pictures inside the text are signatures and logos.
    if (attachment.related === true && attachment.mimeType.startsWith('image/')) continue
    const path = join(task.folder, `attachment-${task.id}-${i}`)
    await writeFile(path, toBuffer(attachment.content), { mode: 0o600 })
    const rfc822 = attachment.mimeType === 'message/rfc822'
    const name = attachment.filename?.trim() || (rfc822 ? 'message.eml' : `attachment ${i + 1}`)
    enclosed.push({ path, name: rfc822 && !/\.eml$/i.test(name) ? `${name}.eml` : name })
  }
  return { ...(subject === '' ? {} : { title: subject }), blocks, enclosed }
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

/** As the sender's clock showed it: the header's own words, which keep the time zone. */
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

/** The HTML part where it holds tables, else the plain one: it is what the sender typed. */
function bodyBlocks({ text = '', html = '' }: Email): Block[] {
  const plain = [...textBlocks(text.replace(/\r\n?/g, '\n'))]
  if (html === '') return plain
  const { blocks } = readHtml(html)
  return text.trim() === '' || blocks.some(({ kind }) => kind === 'table') ? blocks : plain
}

function toBuffer(content: ArrayBuffer | Uint8Array | string): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)
}
