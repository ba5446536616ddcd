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

/** Names the pictures in data URLs by number and passes their bytes to `take`. External pictures are not loaded. */
export function countedPictures(
  take: (name: string, bytes: () => Buffer) => void = () => undefined,
): NamePicture {
  let count = 0
  return (address) => {
    const head = DATA_PICTURE.exec(address)?.[0]
    if (head === undefined) return undefined
    const name = `data ${++count}`
    take(name, () => Buffer.from(address.slice(head.length), 'base64'))
    return name
  }
}

/**
 * The text of a page. The encoding is Unicode if the bytes are that. Otherwise it is the declared encoding if that exists,
 * and otherwise the likeliest encoding. A page that declares UTF-8 but is not UTF-8 was written by a program in another
 * encoding.
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

// [WHATWG Encoding] 4.2: pages that declare these have the letters of the code pages of Windows.
const browserEncodings: ReadonlyMap<string, string> = new Map([
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['us-ascii', 'windows-1252'],
  ['ascii', 'windows-1252'],
  ['iso-8859-9', 'windows-1254'],
  ['tis-620', 'windows-874'],
])
