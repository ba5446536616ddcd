// Parses a MIME message. Text that declares UTF-8 or no encoding, but is not UTF-8, is decoded in the likeliest encoding.

import { isUtf8 } from 'node:buffer'
import PostalMime, { type Email } from 'postal-mime'
import { westernBytes } from '../blocks/mojibake.ts'
import { decodeLikeliest } from '../encodings/encoding.ts'
import { mendFlowedText } from './flowed.ts'

mendFlowedText()

// A larger message is not decoded again, because the library keeps five copies of a body in memory.
const MAX_REREAD_BYTES = 16e6
// The Content-Type header of a text, with its continuation lines.
const TEXT_TYPE = /^content-type:[ \t]*text\/(?:plain|html)\b.*(?:\r?\n[ \t].*)*/gim

export async function parseMime(bytes: Buffer): Promise<Email> {
  const message = withUtf8Head(bytes)
  const mail = await parseMessage(message)
  const isBroken = `${mail.text ?? ''}${mail.html ?? ''}`.includes('\ufffd')
  return isBroken && bytes.length <= MAX_REREAD_BYTES ? decodedAgain(mail, message) : mail
}

const parseMessage = (bytes: Buffer): Promise<Email> =>
  PostalMime.parse(bytes, { forceRfc822Attachments: true })

/** The message with its headers in UTF-8. Headers cannot declare the encoding of letters beyond ASCII. */
function withUtf8Head(bytes: Buffer): Buffer {
  const end = Math.min(
    ...['\r\n\r\n', '\n\n'].map((blank) => bytes.indexOf(blank)).filter((at) => at >= 0),
    bytes.length,
  )
  const head = bytes.subarray(0, end)
  return isUtf8(head) ? bytes : Buffer.concat([Buffer.from(decodeLikeliest(head)), bytes.subarray(end)])
}

/**
 * The mail with its text decoded in the likeliest encoding. The declared encoding is first replaced by Windows-1252, so that
 * the library returns one letter for each byte.
 */
async function decodedAgain(mail: Email, bytes: Buffer): Promise<Email> {
  const message = bytes.toString('latin1').replace(TEXT_TYPE, (header) => {
    const charset = /\bcharset\s*=\s*"?([\w-]+)/i.exec(header)?.[1]
    if (charset === undefined) return `${header}; charset=windows-1252`
    return /^utf-?8$/i.test(charset) ? header.replace(charset, 'windows-1252') : header
  })
  const head = /\n\r?\n/.exec(message)?.index ?? message.length
  const hasContentType = /^content-type:/im.test(message.slice(0, head))
  const fullMessage = hasContentType ? message : `Content-Type: text/plain; charset=windows-1252\n${message}`
  const { text, html } = await parseMessage(Buffer.from(fullMessage, 'latin1'))
  return {
    ...mail,
    ...(text !== undefined && { text: decodeLetters(text) ?? mail.text ?? '' }),
    ...(html !== undefined && { html: decodeLetters(html) ?? mail.html ?? '' }),
  }
}

/** The text in the likeliest encoding of its bytes, one per letter. Undefined if a letter does not come from one byte. */
function decodeLetters(letters: string): string | undefined {
  const bytes = westernBytes(letters)
  return bytes === undefined ? undefined : decodeLikeliest(bytes)
}
