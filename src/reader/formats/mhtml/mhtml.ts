// A page saved with its pictures (.mht, .mhtml): a MIME message as in a mail, of which only the page is read ([RFC 2557]).

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
    const ofData = countedPictures()
    const { title: ownTitle, blocks } = readHtml(page, (address) => {
      const id = /^cid:(.*)/is.exec(address)?.[1]
      if (id === undefined) return ofData(address)
      return [...pictures].find(([, { contentId }]) => contentId?.replace(/^<|>$/g, '') === id)?.[0]
    })
    const title = chooseTitle(ownTitle ?? subject, blocks)
    // The library does not return the addresses of parts, by which most pages refer to their pictures.
    const placedNames = new Set(blocks.map(({ picture }) => picture))
    const rest = [...pictures.keys()].filter((name) => !placedNames.has(name))
    const figures = rest.map((picture): Block => ({ kind: 'figure', text: '', picture }))
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
