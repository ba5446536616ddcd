// An HTML page: its declared encoding, its title, its pictures.

import iconv from 'iconv-lite'
import type { ParsedDocument } from '../../block.ts'
import { chooseTitle } from '../blocks/title.ts'
import { decodeText, isUnicode } from '../encodings/encoding.ts'
import { readHtml } from './html.ts'
import type { NamePicture } from './state.ts'

/** An HTML text as a document with its title. */
export function pageDocument(html: string, nameOf?: NamePicture): ParsedDocument {
  const page = readHtml(html, nameOf)
  const title = chooseTitle(page.title, page.blocks)
  return { ...(title === undefined ? {} : { title }), blocks: page.blocks }
}

const DATA_PICTURE = /^\s*data:image\/[\w.+-]+;base64,/i

/** Numbers the pictures in data URLs ("data 1") and passes their bytes to `onPicture`. External pictures are not loaded. */
export function countedPictures(
  onPicture: (name: string, bytes: () => Buffer) => void = () => undefined,
): NamePicture {
  let count = 0
  return (address) => {
    const head = DATA_PICTURE.exec(address)?.[0]
    if (head === undefined) return undefined
    const name = `data ${++count}`
    onPicture(name, () => Buffer.from(address.slice(head.length), 'base64'))
    return name
  }
}

/**
 * The text of a page, decoded as Unicode if the bytes are Unicode, otherwise in the declared encoding if that is known, and
 * otherwise in the likeliest encoding. A declaration of UTF-8 is ignored if the bytes are not UTF-8.
 */
export function decodeHtml(bytes: Buffer): string {
  if (!isUnicode(bytes)) {
    const head = bytes.toString('latin1', 0, 4096)
    const declared =
      /<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? 'utf-8'
    if (!/^utf-?8$/i.test(declared) && iconv.encodingExists(declared))
      return iconv.decode(bytes, browserEncodings.get(declared.toLowerCase()) ?? declared)
  }
  return decodeText(bytes)
}

// Browsers decode pages that declare these encodings in the code pages of Windows ([WHATWG Encoding] 4.2).
const browserEncodings: ReadonlyMap<string, string> = new Map([
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['us-ascii', 'windows-1252'],
  ['ascii', 'windows-1252'],
  ['iso-8859-9', 'windows-1254'],
  ['tis-620', 'windows-874'],
])
