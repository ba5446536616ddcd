// Reads a mailbox (.mbox). It is a sequence of messages, each after a line "From sender date" ([RFC 4155]). Each message is read
// as a mail.

import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backend, EachPicture } from '../../backend.ts'
import { UnreadableFile } from '../../block.ts'
import type { Parser } from '../../task.ts'

const MAX_MESSAGES = 20_000

const parseMailbox: Parser = async (task) => {
  const file = await readFile(task.path)
  const messages = [...messagesOf(file)]
  if (messages.length === 0) throw new UnreadableFile('damaged', 'no message inside')
  const unreadCount = messages.length - MAX_MESSAGES
  return {
    blocks: [],
    enclosed: messages.slice(0, MAX_MESSAGES).map((message, i) => ({
      name: fileName(i + 1),
      part: partName(i + 1),
      isPartOfContainer: true,
      bytes: () => unquote(message),
    })),
    ...(unreadCount > 0 && {
      warnings: [`${unreadCount} of its ${messages.length} messages were not read.`],
    }),
  }
}

/** Reads pictures of the messages, by names such as "message 3/part 2". */
const eachPicture: EachPicture = async ({ id, path, folder }, names, onPicture, readEnclosed) => {
  const namesByMessage = new Map<string, Set<string>>()
  for (const name of names) {
    const [message = '', ...rest] = name.split('/')
    namesByMessage.set(message, (namesByMessage.get(message) ?? new Set()).add(rest.join('/')))
  }
  let messageNumber = 0
  for (const message of messagesOf(await readFile(path))) {
    messageNumber++
    const innerNames = namesByMessage.get(partName(messageNumber))
    if (innerNames === undefined) continue
    const messagePath = join(folder, `${id}.${randomUUID()}`)
    await writeFile(messagePath, unquote(message), { mode: 0o600 })
    try {
      await readEnclosed(
        { id, path: messagePath, folder, filename: fileName(messageNumber) },
        innerNames,
        (enclosed, picture) => onPicture(`${partName(messageNumber)}/${enclosed}`, picture),
      )
    } finally {
      await rm(messagePath, { force: true })
    }
  }
}

export const mailbox: Backend = { parse: parseMailbox, eachPicture }

const fileName = (messageNumber: number): string => `message ${messageNumber}.eml`

const partName = (messageNumber: number): string => `message ${messageNumber}`

// The maximum length of the line before a message.
const MAX_LINE_BYTES = 500
const SEPARATOR = /^From \S.*\d\d:\d\d/
const LINE_END = 10

/** The messages without the lines before them. */
function* messagesOf(file: Buffer): Generator<Buffer> {
  let from = -1
  for (let at = 0; at >= 0 && at < file.length; ) {
    const end = file.indexOf(LINE_END, at)
    const line = file.toString('latin1', at, Math.min(end < 0 ? file.length : end, at + MAX_LINE_BYTES))
    if (SEPARATOR.test(line)) {
      if (from >= 0) yield file.subarray(from, at)
      from = end < 0 ? file.length : end + 1
    }
    at = nextStart(file, at)
  }
  if (from >= 0 && from < file.length) yield file.subarray(from)
}

const CARRIAGE_RETURN = 13

/** The position of the next line that begins with "From " after a blank line. -1 if there is none. */
function nextStart(file: Buffer, from: number): number {
  for (let at = file.indexOf('\nFrom ', from); at >= 0; at = file.indexOf('\nFrom ', at + 1)) {
    const isBlank =
      file[at - 1] === LINE_END || (file[at - 1] === CARRIAGE_RETURN && file[at - 2] === LINE_END)
    if (isBlank) return at + 1
  }
  return -1
}

/** Removes the sign ">" that was put before lines of the text that begin with "From ". */
function unquote(message: Buffer): Buffer {
  if (!message.includes('\n>From ')) return message
  return Buffer.from(message.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1')
}
