// Reads plain text in any encoding: paragraphs between blank lines. A whole HTML page that was uploaded as text is read as HTML.

import { readFile } from 'node:fs/promises'
import type { Backend } from '../../backend.ts'
import { textBlocks } from '../../shared/blocks/text-blocks.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { decodeText } from '../../shared/encodings/encoding.ts'
import { pageDocument } from '../../shared/html/page.ts'
import { isHtmlPage } from '../../shared/html/tags.ts'
import type { Parser } from '../../task.ts'

const MAX_TITLE_CHARACTERS = 120

/** The paragraphs of a text file. The title is the first line if it looks like one. */
const parseText: Parser = async (task) => {
  const text = decodeText(await readFile(task.path))
  if (isHtmlPage(text)) return pageDocument(text)
  const normalized = text.replace(/\r\n?/g, '\n')
  const title = titleLine(normalized)
  return { ...(title === undefined ? {} : { title }), blocks: [...textBlocks(normalized)] }
}

export const text: Backend = { parse: parseText }

// Matches a salutation, "Page 1 of 3", "key: value" and a sentence, which are no titles.
const NO_TITLE =
  /[.,:;!]$|[.!?] \p{Lu}|^(dear|hello|hi|page|sehr geehrte|liebe|chère?|estimad[oa])\b|^\S+: /iu

/**
 * The title of a text: the subject of a mail, or a short first line that is underlined or alone, begins like a name and does not
 * end like a sentence.
 */
export function titleLine(text: string): string | undefined {
  const start = text.slice(0, 4000).trimStart()
  const subject = /^(?:(?:from|to|cc|bcc|date|sent|reply-to): .*\n){1,6}subject: (.+)/i.exec(start)?.[1]
  if (subject !== undefined) return chooseTitle(subject.replace(/^((re|fwd?|aw|wg|tr): *)+/i, ''), [])
  const [line = '', second, third = ''] = start.split('\n', 3).map((part) => part.trim())
  // In plain text a title is underlined or followed by a blank line.
  const isUnderlined = second !== undefined && /^([=\-*~_])\1{2,}$/.test(second)
  const isAlone = second === '' && third !== ''
  if (!(isUnderlined || isAlone) || line.length > MAX_TITLE_CHARACTERS) return undefined
  const undecorated = line.replace(/^#+\s+|^[=*_~]+|[=*_~]+$/g, '').trim()
  const looksLikeTitle = /^[\p{Lu}\p{Lo}\d"'“‘«„(]/u.test(undecorated) && /\p{L}{2}/u.test(undecorated)
  return looksLikeTitle && !NO_TITLE.test(undecorated) ? chooseTitle(undecorated, []) : undefined
}
