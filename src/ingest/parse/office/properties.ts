// The title an Office Open XML file states in docProps/core.xml.

import { Parser } from 'htmlparser2'
import { readZipEntry } from '../identify/zip.ts'

const MOST_BYTES = 1 << 20

/** `dc:title` of the package's properties, or undefined. */
export async function packageTitle(path: string): Promise<string | undefined> {
  const xml = await readZipEntry(path, 'docProps/core.xml', MOST_BYTES).catch(() => undefined)
  if (xml === undefined) return undefined
  let open = false
  let title = ''
  const parser = new Parser(
    {
      onopentag: (name) => {
        open = name === 'dc:title'
      },
      ontext: (text) => {
        if (open) title += text
      },
      onclosetag: () => {
        open = false
      },
    },
    { xmlMode: true },
  )
  parser.end(xml.toString('utf8'))
  return title.trim() === '' ? undefined : title
}
