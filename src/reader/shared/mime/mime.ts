// A MIME message. Text that is declared as UTF-8, or not declared, but in another encoding is decoded by its bytes.

import { isUtf8 } from 'node:buffer'
import PostalMime, { type Email } from 'postal-mime'
import { westernBytes } from '../blocks/mojibake.ts'
import { decodeLikeliest } from '../encodings/encoding.ts'

// The library keeps five copies of a body.
const MAX_REREAD_BYTES = 16e6
const TEXT_TYPE = /^content-type:[ \t]*text\/(?:plain|html)\b.*(?:\r?\n[ \t].*)*/gim

export async function parseMime(bytes: Buffer): Promise<Email> {
  const message = withUtf8Head(bytes)
  const mail = await parseMessage(message)
  const isBroken = `${mail.text ?? ''}${mail.html ?? ''}`.includes('\ufffd')
  return isBroken && bytes.length <= MAX_REREAD_BYTES ? withOwnText(mail, message) : mail
}

const parseMessage = (bytes: Buffer): Promise<Email> =>
  PostalMime.parse(bytes, { forceRfc822Attachments: true })

/** Letters beyond ASCII in a header, which have no declared encoding, as UTF-8. */
function withUtf8Head(bytes: Buffer): Buffer {
  const end = Math.min(
    ...['\r\n\r\n', '\n\n'].map((blank) => bytes.indexOf(blank)).filter((at) => at >= 0),
    bytes.length,
  )
  const head = bytes.subarray(0, end)
  return isUtf8(head) ? bytes : Buffer.concat([Buffer.from(decodeLikeliest(head)), bytes.subarray(end)])
}

/**
 * The mail with its text decoded again. The declared encoding is replaced, so that the library returns each byte as one
 * letter.
 */
async function withOwnText(mail: Email, bytes: Buffer): Promise<Email> {
  const message = bytes.toString('latin1').replace(TEXT_TYPE, (header) => {
    const charset = /\bcharset\s*=\s*"?([\w-]+)/i.exec(header)?.[1]
    if (charset === undefined) return `${header}; charset=windows-1252`
    return /^utf-?8$/i.test(charset) ? header.replace(charset, 'windows-1252') : header
  })
  const head = /\n\r?\n/.exec(message)?.index ?? message.length
  const statesContentType = /^content-type:/im.test(message.slice(0, head))
  const fullMessage = statesContentType
    ? message
    : `Content-Type: text/plain; charset=windows-1252\n${message}`
  const { text, html } = await parseMessage(Buffer.from(fullMessage, 'latin1'))
  return {
    ...mail,
    ...(text !== undefined && { text: ownText(text) ?? mail.text ?? '' }),
    ...(html !== undefined && { html: ownText(html) ?? mail.html ?? '' }),
  }
}

/** The text decoded from its bytes. Undefined if it was decoded in another encoding. */
function ownText(letters: string): string | undefined {
  const bytes = westernBytes(letters)
  return bytes === undefined ? undefined : decodeLikeliest(bytes)
}
