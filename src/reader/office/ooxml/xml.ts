// XML parts of an Office package as trees. The parser knows no entities but XML's own five and reads no document type,
// so nothing outside the file is ever opened and nothing inside it multiplies (BAD-23). Names carry the prefixes people
// know (w:, a:, p:) whatever the writer chose; attributes carry none, but for relationship ids (r:id).

import { TextDecoder } from 'node:util'
import { Parser } from 'htmlparser2'
import { UnreadableFile } from '../../block.ts'

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
}

export type XmlNode = XmlElement | string

// Word's own limit for nested tables is far below; a tree this deep comes from nobody's keyboard.
const MOST_DEPTH = 1000

const RELATION = 'r'
/** Last words of namespace addresses, the transitional and the strict ones. */
const prefixes: readonly [RegExp, string][] = [
  [/wordprocessingml\/(2006\/)?main$/, 'w'],
  [/presentationml\/(2006\/)?main$/, 'p'],
  [/powerpoint\/2018\/8\/main$/, 'p188'],
  [/spreadsheetml\/(2006\/)?main$/, 'x'],
  [/drawingml\/(2006\/)?main$/, 'a'],
  [/drawingml\/(2006\/)?chart$/, 'c'],
  [/office\/drawing\/2014\/chartex$/, 'cx'],
  [/drawingml\/(2006\/)?diagram$/, 'dgm'],
  [/drawingml\/(2006\/)?wordprocessingDrawing$/, 'wp'],
  [/drawingml\/(2006\/)?spreadsheetDrawing$/, 'xdr'],
  [/drawingml\/(2006\/)?picture$/, 'pic'],
  [/officeDocument\/(2006\/)?math$/, 'm'],
  [/officeDocument\/(2006\/)?relationships$/, RELATION],
  [/markup-compatibility\/2006$/, 'mc'],
  [/package\/2006\/relationships$/, ''],
  [/schemas-microsoft-com:vml$/, 'v'],
  [/purl\.org\/dc\/elements\/1\.1\/$/, 'dc'],
  [/opendocument:xmlns:office:1\.0$/, 'office'],
  [/opendocument:xmlns:table:1\.0$/, 'table'],
  [/opendocument:xmlns:text:1\.0$/, 'text'],
  [/opendocument:xmlns:style:1\.0$/, 'style'],
  [/opendocument:xmlns:drawing:1\.0$/, 'draw'],
  [/opendocument:xmlns:presentation:1\.0$/, 'presentation'],
  [/opendocument:xmlns:chart:1\.0$/, 'chart'],
  [/opendocument:xmlns:svg-compatible:1\.0$/, 'svg'],
  [/1998\/Math\/MathML$/, 'math'],
]

/** The root element of a part, undefined when there is none, and whether it is closed: a part may be cut off. */
export function parseXml(bytes: Buffer): { root: XmlElement | undefined; isWhole: boolean } {
  let root: XmlElement | undefined
  const { parser, isClosed } = treeParser((element) => {
    root ??= element
  })
  parser.write(decoderOf(bytes).decode(bytes))
  const isWhole = isClosed()
  parser.end()
  return { root, isWhole }
}

/**
 * Hands each child element of the elements named in `take` over as soon as it is complete: memory holds one child at a
 * time, however large the part. Elements named so are never children themselves. `enter` is told what is gone into,
 * without what is inside. Says whether the part was closed at its end.
 */
export async function eachChild(
  pieces: AsyncIterable<Buffer>,
  take: Record<string, Take>,
  enter: Take = () => undefined,
): Promise<boolean> {
  const { parser, isClosed } = treeParser(new Map(Object.entries(take)), enter)
  let decoder: TextDecoder | undefined
  for await (const piece of pieces) {
    decoder ??= decoderOf(piece)
    parser.write(decoder.decode(piece, { stream: true }))
  }
  const isWhole = isClosed()
  parser.end()
  return isWhole
}

type Take = (element: XmlElement) => void

interface TreeParser {
  parser: Parser
  /** To be asked before the parser is ended, which closes what is open. */
  isClosed: () => boolean
}

/** Builds trees of the whole part, or of what stands in certain elements of it. */
function treeParser(take: Take | ReadonlyMap<string, Take>, enter: Take = () => undefined): TreeParser {
  const known = new Map<string, string>()
  const stack: XmlElement[] = []
  const outside: string[] = []
  let begun = false
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        begun = true
        learnPrefixes(known, attributes)
        const name = canonical(tag, known)
        if (stack.length + outside.length > MOST_DEPTH)
          throw new UnreadableFile('damaged', 'nested too deeply')
        const element: XmlElement = { name, attributes: plainAttributes(attributes, known), children: [] }
        const isTaken = typeof take === 'function' || (take.has(outside.at(-1) ?? '') && !take.has(name))
        if (stack.length === 0 && !isTaken) {
          outside.push(name)
          enter(element)
          return
        }
        stack.at(-1)?.children.push(element)
        stack.push(element)
      },
      ontext: (text) => {
        const element = stack.at(-1)
        if (element === undefined || (text.trim() === '' && !/(^|:)t$|^text:/.test(element.name))) return
        element.children.push(text)
      },
      onclosetag: () => {
        const element = stack.pop()
        if (element === undefined) outside.pop()
        else if (stack.length > 0) return
        else if (typeof take === 'function') take(element)
        else take.get(outside.at(-1) ?? '')?.(element)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return { parser, isClosed: () => begun && stack.length + outside.length === 0 }
}

function learnPrefixes(known: Map<string, string>, attributes: Record<string, string>): void {
  for (const [name, address] of Object.entries(attributes)) {
    const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined
    if (prefix === undefined) continue
    const found = prefixes.find(([pattern]) => pattern.test(address))
    if (found !== undefined) known.set(prefix, found[1])
  }
}

function canonical(tag: string, known: ReadonlyMap<string, string>): string {
  const at = tag.indexOf(':')
  const prefix = at === -1 ? '' : tag.slice(0, at)
  const own = known.get(prefix) ?? prefix
  return own === '' ? tag.slice(at + 1) : `${own}:${tag.slice(at + 1)}`
}

function plainAttributes(
  attributes: Record<string, string>,
  known: ReadonlyMap<string, string>,
): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const at = name.indexOf(':')
    if (at === -1) plain[name] = value
    else if ((known.get(name.slice(0, at)) ?? name.slice(0, at)) === RELATION) {
      plain[`${RELATION}:${name.slice(at + 1)}`] = value
    } else if (!name.startsWith('xmlns')) plain[name.slice(at + 1)] ??= value
  }
  return plain
}

function decoderOf(bytes: Buffer): TextDecoder {
  const mark = bytes.subarray(0, 2).toString('hex')
  const declared = /^[^>]*\bencoding=["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1]
  const label = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : (declared ?? 'utf-8')
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('utf-8')
  }
}

/** The element's child elements, all or those of one name. */
export function elements(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  )
}

/** The first child element at the end of a path of names. */
export function child(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let found = element
  for (const name of path) found = elements(found, name)[0]
  return found
}

/** The `val` attribute of the child at the end of a path. */
export function valueAt(element: XmlElement | undefined, ...path: string[]): string | undefined {
  return child(element, ...path)?.attributes.val
}

/** Whether a switch such as <w:vanish/> is there and not turned off. */
export function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && !/^(0|false|off|none)$/i.test(element.attributes.val ?? '1')
}

/** All descendants of a name, in order; a found element is not searched. */
export function descendants(element: XmlElement | undefined, name: string): XmlElement[] {
  return elements(element).flatMap((inner) => (inner.name === name ? [inner] : descendants(inner, name)))
}

/** All text inside. */
export function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((inner) => (typeof inner === 'string' ? inner : textOf(inner)))
    .join('')
}
