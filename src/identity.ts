// Stable ids: the same document, chunk or entity always gets the same id (RFC 9562, UUID version 5). And the ids that begin alike.

import { createHash } from 'node:crypto'

/** UUID version 5 (SHA-1 of namespace and name) in canonical lower-case form. */
export function uuid5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The least and the greatest id that begins with these digits. */
export function uuidRange(digits: string): { first: string; last: string } {
  const hex = digits.replaceAll('-', '').toLowerCase()
  const form = (text: string): string => text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
  return { first: form(hex.padEnd(32, '0')), last: form(hex.padEnd(32, 'f')) }
}
