// Mammoth drops equations without a word, and a formula's line without its formula says the wrong thing. Before it reads
// the file, each <m:oMath> becomes a run of characters that people type: x=(-b±√(b^2-4ac))/(2a).

import { readFile } from 'node:fs/promises'
import { Parser } from 'htmlparser2'
import { escapeHtml } from '../blocks/table.ts'
import { readZipEntry } from '../identify/zip.ts'

const PART = 'word/document.xml'
// Larger parts are read as they are: rewriting holds them in memory three times.
const MOST_PART_BYTES = 32 * 2 ** 20

const equation = /<m:oMathPara\b[^>]*>[\s\S]*?<\/m:oMathPara>|<m:oMath\b[^>]*>[\s\S]*?<\/m:oMath>/g

/** The input for mammoth: the file itself, or a copy in memory whose equations are text. */
export async function withEquationText(path: string): Promise<{ path: string } | { buffer: Buffer }> {
  const part = await readZipEntry(path, PART, MOST_PART_BYTES).catch(() => undefined)
  if (part === undefined || !part.includes('<m:oMath')) return { path }
  const xml = part.toString('utf8').replace(equation, (math) => {
    return `<w:r><w:t xml:space="preserve">${escapeHtml(equationText(math))}</w:t></w:r>`
  })
  const { default: JSZip } = await import('jszip')
  const zip = await JSZip.loadAsync(await readFile(path))
  zip.file(PART, xml)
  return { buffer: await zip.generateAsync({ type: 'nodebuffer', compression: 'STORE' }) }
}

/** An equation's XML as one line of characters. */
export function equationText(xml: string): string {
  const parts: string[] = ['']
  let reading = false
  const add = (text: string): void => {
    parts[parts.length - 1] = (parts.at(-1) ?? '') + text
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (name === 'm:t') reading = true
        else if (name === 'm:chr') add(attributes['m:val'] ?? '')
        else if (name === 'm:oMath' && parts.length === 1 && parts[0] !== '') add(' ')
        else if (groups.has(name)) parts.push('')
      },
      ontext: (text) => {
        if (reading) add(text)
      },
      onclosetag: (name) => {
        if (name === 'm:t') reading = false
        else if (groups.has(name)) {
          const inner = parts.pop() ?? ''
          add(`${groups.get(name)}${[...inner].length > 1 ? `(${inner})` : inner}`)
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return parts.join('').replace(/√\(\)/g, '√')
}

/** Parts of a formula that stand apart on paper, and the character that parts them on a line. */
const groups = new Map([
  ['m:num', ''],
  ['m:den', '/'],
  ['m:sup', '^'],
  ['m:sub', '_'],
  ['m:rad', '√'],
  ['m:d', ''],
])
