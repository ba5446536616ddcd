// Reads the XML parts of OOXML and OpenDocument files as trees. The parser has only XML's five predefined entities and ignores
// document types, so it opens nothing outside the file and expands no entities (BAD-23). Element names get the usual prefixes (w:,
// a:, p:), whatever prefixes the file uses. Only attributes of the relationships namespace have a prefix: r:id, r:embed.

import { TextDecoder } from 'node:util'
import { Parser } from 'htmlparser2'
import { UnreadableFile } from '../../block.ts'

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
}

export type XmlNode = XmlElement | string

// Office programs write far fewer levels.
const MAX_DEPTH = 1000

const RELATIONSHIP_PREFIX = 'r'
/**
 * The usual prefix of each namespace, with a pattern for the end of its URI. The main OOXML namespaces contain `2006` in
 * transitional files, not in strict ones.
 */
const prefixByNamespace: readonly [RegExp, string][] = [
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
  [/officeDocument\/(2006\/)?relationships$/, RELATIONSHIP_PREFIX],
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

/** The root element of a part, if any, and whether the part is complete. */
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
 * Reads a part piece by piece, so that only one child is in memory at a time. `onChildOf` has a function for each parent, by the
 * name of the parent. It is called with each complete child of that parent. `onOpen` gets every element outside these children when
 * it opens, without its content. Returns whether the part is complete.
 */
export async function eachChild(
  pieces: AsyncIterable<Buffer>,
  onChildOf: Record<string, OnElement>,
  onOpen: OnElement = () => undefined,
): Promise<boolean> {
  const { parser, isClosed } = treeParser(new Map(Object.entries(onChildOf)), onOpen)
  let decoder: TextDecoder | undefined
  for await (const piece of pieces) {
    decoder ??= decoderOf(piece)
    parser.write(decoder.decode(piece, { stream: true }))
  }
  const isWhole = isClosed()
  parser.end()
  return isWhole
}

type OnElement = (element: XmlElement) => void

interface TreeParser {
  parser: Parser
  /**
   * Whether there was an element and all elements are closed. Call this before the parser is ended, because the end closes open
   * elements.
   */
  isClosed: () => boolean
}

// Elements in which white space counts: all with the local name `t`, and all of OpenDocument's text namespace.
const WHITESPACE_MATTERS = /(^|:)t$|^text:/

/** Builds a tree of the whole part, or trees of the children of certain elements. */
function treeParser(
  onTree: OnElement | ReadonlyMap<string, OnElement>,
  onOpen: OnElement = () => undefined,
): TreeParser {
  const canonicalPrefixes = new Map<string, string>()
  const stack: XmlElement[] = []
  const outerElements: string[] = []
  let hasBegun = false
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        hasBegun = true
        addPrefixes(canonicalPrefixes, attributes)
        const name = canonicalName(tag, canonicalPrefixes)
        if (stack.length + outerElements.length > MAX_DEPTH)
          throw new UnreadableFile('damaged', 'elements are nested too deeply')
        const element: XmlElement = {
          name,
          attributes: attributesWithoutPrefixes(attributes, canonicalPrefixes),
          children: [],
        }
        // A parent inside a parent is not handed over as a child: its own children are.
        const mayBeginTree =
          typeof onTree === 'function' || (onTree.has(outerElements.at(-1) ?? '') && !onTree.has(name))
        if (stack.length === 0 && !mayBeginTree) {
          outerElements.push(name)
          onOpen(element)
          return
        }
        stack.at(-1)?.children.push(element)
        stack.push(element)
      },
      ontext: (text) => {
        const element = stack.at(-1)
        if (element === undefined || (text.trim() === '' && !WHITESPACE_MATTERS.test(element.name))) return
        element.children.push(text)
      },
      onclosetag: () => {
        const element = stack.pop()
        if (element === undefined) outerElements.pop()
        else if (stack.length > 0) return
        else if (typeof onTree === 'function') onTree(element)
        else onTree.get(outerElements.at(-1) ?? '')?.(element)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return { parser, isClosed: () => hasBegun && stack.length + outerElements.length === 0 }
}

/** Adds the prefixes that an element declares, each with the canonical prefix of its namespace. */
function addPrefixes(canonicalPrefixes: Map<string, string>, attributes: Record<string, string>): void {
  for (const [name, namespaceUri] of Object.entries(attributes)) {
    const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : undefined
    if (prefix === undefined) continue
    const match = prefixByNamespace.find(([pattern]) => pattern.test(namespaceUri))
    if (match !== undefined) canonicalPrefixes.set(prefix, match[1])
  }
}

function canonicalName(tag: string, canonicalPrefixes: ReadonlyMap<string, string>): string {
  const at = tag.indexOf(':')
  const prefix = at === -1 ? '' : tag.slice(0, at)
  const canonicalPrefix = canonicalPrefixes.get(prefix) ?? prefix
  return canonicalPrefix === '' ? tag.slice(at + 1) : `${canonicalPrefix}:${tag.slice(at + 1)}`
}

/**
 * The attributes without prefixes, except for those of the relationships namespace, and without declarations of prefixes. An
 * attribute without a prefix wins over one of the same name with a prefix.
 */
function attributesWithoutPrefixes(
  attributes: Record<string, string>,
  canonicalPrefixes: ReadonlyMap<string, string>,
): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const at = name.indexOf(':')
    if (at === -1) result[name] = value
    else if ((canonicalPrefixes.get(name.slice(0, at)) ?? name.slice(0, at)) === RELATIONSHIP_PREFIX) {
      result[`${RELATIONSHIP_PREFIX}:${name.slice(at + 1)}`] = value
    } else if (!name.startsWith('xmlns')) result[name.slice(at + 1)] ??= value
  }
  return result
}

/** The decoder of the encoding that the byte order mark or the XML declaration names, else of UTF-8. */
function decoderOf(bytes: Buffer): TextDecoder {
  const byteOrderMark = bytes.subarray(0, 2).toString('hex')
  const declaredEncoding = /^[^>]*\bencoding=["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1]
  const label =
    byteOrderMark === 'fffe'
      ? 'utf-16le'
      : byteOrderMark === 'feff'
        ? 'utf-16be'
        : (declaredEncoding ?? 'utf-8')
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('utf-8')
  }
}

/** The child elements of an element, all or those with one name. */
export function elements(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  )
}

/** The element that is reached by taking the first child of each name in turn. */
export function child(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let current = element
  for (const name of path) current = elements(current, name)[0]
  return current
}

/** The `val` attribute of the child at the end of a path. */
export function valueAt(element: XmlElement | undefined, ...path: string[]): string | undefined {
  return child(element, ...path)?.attributes.val
}

/** Whether a switch such as <w:vanish/> is present and not turned off. */
export const isOn = (element: XmlElement | undefined): boolean =>
  element !== undefined && isTrue(element.attributes.val ?? '1')

/** Whether an attribute is present and is none of `0`, `false`, `off` and `none`. */
export const isTrue = (value: string | undefined): boolean =>
  value !== undefined && !/^(0|false|off|none)$/i.test(value)

/** All descendants with a name, in order, except those inside another descendant with the name. */
export function descendants(element: XmlElement | undefined, name: string): XmlElement[] {
  return elements(element).flatMap((inner) => (inner.name === name ? [inner] : descendants(inner, name)))
}

/** The text of an element and of all its descendants. */
export function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((inner) => (typeof inner === 'string' ? inner : textOf(inner)))
    .join('')
}

/** The texts of DrawingML paragraphs inside an element, without empty ones. */
export const textLines = (element: XmlElement | undefined): string[] =>
  descendants(element, 'a:p')
    .map((paragraph) => descendants(paragraph, 'a:t').map(textOf).join(''))
    .filter((line) => line.trim() !== '')
