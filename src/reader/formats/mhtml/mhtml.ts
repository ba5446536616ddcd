// Reads a page that was saved with its pictures (.mht, .mhtml): a MIME message as in a mail, of which the page and the pictures
// are read ([RFC 2557]).

import { readFile } from 'node:fs/promises'
import type { Attachment } from 'postal-mime'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { readHtml } from '../../shared/html/html.ts'
import { countedPictures } from '../../shared/html/page.ts'
import { parseMime } from '../../shared/mime/mime.ts'

export const mhtml: Backend = {
  parse: async ({ path }) => {
    const { html, text, subject, attachments } = await parseMime(await readFile(path))
    const page = html ?? text
    if (page === undefined) throw new UnreadableFile('damaged', 'no page inside')
    const pictures = new Map(picturesOf(attachments))
    const nameDataPicture = countedPictures()
    const { title: ownTitle, blocks } = readHtml(page, (address) => {
      const id = /^cid:(.*)/is.exec(address)?.[1]
      if (id === undefined) return nameDataPicture(address)
      return [...pictures].find(([, { contentId }]) => contentId?.replace(/^<|>$/g, '') === id)?.[0]
    })
    const title = chooseTitle(ownTitle ?? subject, blocks)
    // Most pages refer to their pictures by addresses, which the library does not return. These pictures are added at the end.
    const placedNames = new Set(blocks.map(({ picture }) => picture))
    const unplacedNames = [...pictures.keys()].filter((name) => !placedNames.has(name))
    const figures = unplacedNames.map((picture): Block => ({ kind: 'figure', text: '', picture }))
    return { ...(title === undefined ? {} : { title }), blocks: [...blocks, ...figures] }
  },
  eachPicture: async ({ path }, names, onPicture) => {
    const { html = '', attachments } = await parseMime(await readFile(path))
    for (const [name, { content }] of picturesOf(attachments))
      if (names.has(name) && typeof content !== 'string') onPicture(name, Buffer.from(content as Uint8Array))
    readHtml(
      html,
      countedPictures((name, bytes) => {
        if (names.has(name)) onPicture(name, bytes())
      }),
    )
  },
}

const picturesOf = (attachments: readonly Attachment[]): (readonly [string, Attachment])[] =>
  attachments.flatMap((attachment, i) =>
    attachment.mimeType.startsWith('image/') ? [[`part ${i + 1}`, attachment] as const] : [],
  )
