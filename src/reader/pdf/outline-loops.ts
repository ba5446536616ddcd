// An outline whose bookmarks lead back to one before: PDFium follows them without end, or until its stack is full, and
// takes the process with it. liteparse asks for it whenever it opens a file; no option forbids it.

import { inflateSync } from 'node:zlib'

/** Of a dictionary: what follows a bookmark, and its first child. */
type Links = readonly number[]

// Of an object, before and behind what was found: a bookmark's title, colour and place are short.
const AROUND_BYTES = 4096
// An object's number and generation.
const NUMBERS = 24
const MOST_UNPACKED = 64 * 2 ** 20

/** The file with an outline of nothing where its own has no end; undefined where it is to be read as it is. */
export function withoutLoopingOutline(bytes: Buffer): Buffer | undefined {
  const outline = outlineOf(bytes)
  if (outline === undefined || !loops(outline.root, outline.links)) return undefined
  // Without a table of objects a reader looks for them from the beginning, and the last one of a number counts.
  const end = `\n${outline.root} 0 obj\n<< >>\nendobj\nstartxref\n0\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(end)])
}

function loops(root: number, links: ReadonlyMap<number, Links>): boolean {
  const seen = new Set<number>()
  const open = [root]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) return true
    seen.add(at)
    open.push(...(links.get(at) ?? []))
  }
  return false
}

function outlineOf(bytes: Buffer): { root: number; links: Map<number, Links> } | undefined {
  const links = new Map<number, Links>()
  let root: number | undefined
  for (const [number, text] of dictionaries(bytes)) {
    root = reference(text, 'Outlines') ?? root
    links.set(
      number,
      ['First', 'Next'].flatMap((name) => reference(text, name) ?? []),
    )
  }
  return root === undefined ? undefined : { root, links }
}

function reference(dictionary: string, name: string): number | undefined {
  if (!dictionary.includes(name)) return undefined
  const [, number] = new RegExp(`/${name}\\s+(\\d+)\\s+\\d+\\s+R`).exec(dictionary) ?? []
  return number === undefined ? undefined : Number(number)
}

/** Each object that may be a catalog, an outline or a bookmark, by its number; those of streams of objects, too. */
function* dictionaries(bytes: Buffer): Generator<[number, string]> {
  for (const name of ['/Outlines', '/First', '/Next'])
    for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + name.length)) {
      const object = objectAt(bytes, at)
      if (object !== undefined) yield object
    }
  for (let at = bytes.indexOf('/ObjStm'); at !== -1; at = bytes.indexOf('/ObjStm', at + 7))
    yield* packedAt(bytes, at)
}

function objectAt(bytes: Buffer, at: number): [number, string] | undefined {
  const before = bytes.toString('latin1', Math.max(0, at - AROUND_BYTES), at)
  const head = before.lastIndexOf(' obj')
  const [, number] = /(\d+)\s+\d+$/.exec(before.slice(Math.max(0, head - NUMBERS), Math.max(0, head))) ?? []
  if (number === undefined) return undefined
  const after = bytes.toString('latin1', at, at + AROUND_BYTES)
  const end = after.indexOf('endobj')
  return [Number(number), before.slice(head) + (end === -1 ? after : after.slice(0, end))]
}

/** The objects of a stream of them; none where it cannot be unpacked. */
function* packedAt(bytes: Buffer, at: number): Generator<[number, string]> {
  const [, dictionary = ''] = objectAt(bytes, at) ?? []
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1])
  const from = bytes.indexOf('stream', at) + 'stream'.length
  const text = unpacked(bytes.subarray(from + (bytes[from] === 0x0d ? 2 : 1)))
  if (!/\/(?:Outlines|First|Next)\b/.test(text)) return
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number)
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [number = 0, begin = 0, end] = [numbers[i], numbers[i + 1], numbers[i + 3]]
    yield [number, text.slice(first + begin, end === undefined ? undefined : first + end)]
  }
}

function unpacked(bytes: Buffer): string {
  try {
    // What stands behind the stream's end is not looked at.
    return inflateSync(bytes, { maxOutputLength: MOST_UNPACKED }).toString('latin1')
  } catch {
    return ''
  }
}
