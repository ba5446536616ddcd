// The ids that tools give and take. Assistants read every digit of an id as a part of a token, and each result has several: so they
// get the first digits only. Whoever takes an id accepts it whole too, and says which are meant if digits fit several. First digits
// are no proof: an id is made of a path that the uploader chooses, so whoever tries some billion paths makes a document whose id
// begins as another's. Only documents that the caller can read are looked at, and what deletes one asks for its title too. Pure.

/** With a million documents, one in four thousand has these digits in common with another by chance. */
const DIGITS = 8
/** Of an address, which people open long after it was written, and which nobody sees a title with. Too many to be made on purpose. */
const ADDRESS_DIGITS = 16
/** Within one document. */
const PASSAGE_DIGITS = 6

export const shortId = (id: string): string => id.slice(0, DIGITS)

/** Names a document, or a passage of it: `3fa85f64` or `3fa85f64.7c9e66`. */
export const passageId = (documentId: string, chunkId?: string | null): string =>
  chunkId ? `${shortId(documentId)}.${chunkId.slice(0, PASSAGE_DIGITS)}` : shortId(documentId)

/** The same in an address: `3fa85f6457174562`, or with a passage `3fa85f6457174562.7c9e66`. */
export const addressId = (documentId: string, chunkId?: string | null): string => {
  const digits = documentId.replaceAll('-', '').slice(0, ADDRESS_DIGITS)
  return chunkId ? `${digits}.${chunkId.slice(0, PASSAGE_DIGITS)}` : digits
}

/** Whether the text can be an id or its first digits. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i.test(text)

/** Whether the text is a whole id. */
export const isWholeId = (text: string): boolean =>
  /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text)

export interface Place {
  document: string
  /** The id of a passage, or its first digits. */
  chunk?: string
  /** The position of a passage in the document, from 0. */
  position?: number
}

/**
 * The place that is meant by the id of a document, `document.passage`, `document+position`, or the address of one of these. Also
 * by what earlier releases gave: `document#passage` and the address in the console. Undefined if the text has none of these forms.
 */
export function parsePlace(text: string): Place | undefined {
  const [, addressed = text.trim(), query = ''] =
    /^https?:\/\/\S+\/d\/([^?]+)(?:\?(\S*))?$/.exec(text.trim()) ?? []
  const [, document = '', sign, rest = ''] = /^([0-9a-f-]+)(?:([.#+])(.*))?$/i.exec(addressed) ?? []
  if (!isId(document)) return undefined
  if (sign === '+') return /^\d{1,9}$/.test(rest) ? { document, position: Number(rest) } : { document }
  const chunk = rest || (new URLSearchParams(query).get('chunk') ?? '')
  return /^[0-9a-f-]{6,36}$/i.test(chunk) ? { document, chunk } : { document }
}
