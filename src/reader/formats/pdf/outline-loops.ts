// Removes outlines with a bookmark that links back to an earlier bookmark. PDFium follows such links until its stack
// overflows and the process dies. liteparse reads the outline whenever it opens a file, and no option prevents it.

import { inflateSync } from 'node:zlib'

/** The objects that a dictionary links to: the next bookmark and the first child. */
type Links = readonly number[]

// The bytes that are read before and after a match. A bookmark's title, colour and destination are short.
const MAX_OBJECT_BYTES = 4096
// The maximum number of characters of an object's number and generation.
const MAX_NUMBERS_LENGTH = 24
const MAX_UNPACKED_BYTES = 64 * 2 ** 20

/** The file with an empty outline in place of one that has a loop. Undefined if the file can be read as it is. */
export function withoutLoopingOutline(bytes: Buffer): Buffer | undefined {
  const outline = outlineOf(bytes)
  if (outline === undefined || !hasLoop(outline.root, outline.links)) return undefined
  // The new end of the file has no table of objects. So programs scan the file for objects, and the last one of a number counts.
  const end = `\n${outline.root} 0 obj\n<< >>\nendobj\nstartxref\n0\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(end)])
}

function hasLoop(root: number, links: ReadonlyMap<number, Links>): boolean {
  const visited = new Set<number>()
  const pending = [root]
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    if (visited.has(number)) return true
    visited.add(number)
    pending.push(...(links.get(number) ?? []))
  }
  return false
}

function outlineOf(bytes: Buffer): { root: number; links: Map<number, Links> } | undefined {
  const links = new Map<number, Links>()
  let root: number | undefined
  for (const [number, text] of dictionaries(bytes)) {
    root = referencedNumber(text, 'Outlines') ?? root
    links.set(
      number,
      ['First', 'Next'].flatMap((name) => referencedNumber(text, name) ?? []),
    )
  }
  return root === undefined ? undefined : { root, links }
}

function referencedNumber(dictionary: string, name: string): number | undefined {
  if (!dictionary.includes(name)) return undefined
  const [, number] = new RegExp(`/${name}\\s+(\\d+)\\s+\\d+\\s+R`).exec(dictionary) ?? []
  return number === undefined ? undefined : Number(number)
}

/** The objects that may be a catalog, an outline or a bookmark, with their numbers. Objects in object streams are included. */
function* dictionaries(bytes: Buffer): Generator<[number, string]> {
  for (const name of ['/Outlines', '/First', '/Next'])
    for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + name.length)) {
      const object = objectAt(bytes, at)
      if (object !== undefined) yield object
    }
  for (let at = bytes.indexOf('/ObjStm'); at !== -1; at = bytes.indexOf('/ObjStm', at + 7))
    yield* packedObjects(bytes, at)
}

function objectAt(bytes: Buffer, offset: number): [number, string] | undefined {
  const textBefore = bytes.toString('latin1', Math.max(0, offset - MAX_OBJECT_BYTES), offset)
  const objectStart = textBefore.lastIndexOf(' obj')
  const [, number] =
    /(\d+)\s+\d+$/.exec(
      textBefore.slice(Math.max(0, objectStart - MAX_NUMBERS_LENGTH), Math.max(0, objectStart)),
    ) ?? []
  if (number === undefined) return undefined
  const textAfter = bytes.toString('latin1', offset, offset + MAX_OBJECT_BYTES)
  const end = textAfter.indexOf('endobj')
  return [Number(number), textBefore.slice(objectStart) + (end === -1 ? textAfter : textAfter.slice(0, end))]
}

/** The objects of an object stream. Empty if it cannot be unpacked. */
function* packedObjects(bytes: Buffer, offset: number): Generator<[number, string]> {
  const [, dictionary = ''] = objectAt(bytes, offset) ?? []
  const firstOffset = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1])
  const from = bytes.indexOf('stream', offset) + 'stream'.length
  const text = unpack(bytes.subarray(from + (bytes[from] === 0x0d ? 2 : 1)))
  if (!/\/(?:Outlines|First|Next)\b/.test(text)) return
  const numbers = text.slice(0, firstOffset).trim().split(/\s+/).map(Number)
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [number = 0, objectStart = 0, end] = [numbers[i], numbers[i + 1], numbers[i + 3]]
    yield [number, text.slice(firstOffset + objectStart, end === undefined ? undefined : firstOffset + end)]
  }
}

function unpack(bytes: Buffer): string {
  try {
    // Bytes after the end of the stream are ignored.
    return inflateSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString('latin1')
  } catch {
    return ''
  }
}
