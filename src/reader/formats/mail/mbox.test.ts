// Mailboxes.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder, parseBytes } from '../../../../test/support/files/parse.ts'
import { parseFile } from '../../child/parse-file.ts'

const message = (subject: string, body: string, type = 'text/plain'): string =>
  `From k@example.org Mon Jun  1 10:00:00 2026\nFrom: k@example.org\nSubject: ${subject}\nMIME-Version: 1.0\nContent-Type: ${type}\n\n${body}\n\n`

test('each message is a mail with its attachments, in order', async () => {
  const mixed =
    '--b\nContent-Type: text/plain\n\nSee the list.\n--b\nContent-Type: text/csv; name=list.csv\nContent-Disposition: attachment\n\nPier;Tons\nNorth;4\n--b--'
  const mailbox =
    message('Crane', 'From now on 18 tonnes.\n\n>From the board: at most 20.\nFrom Monday on.') +
    message('List', mixed, 'multipart/mixed; boundary=b') +
    message(
      'Cable',
      '<p>Costs 7=20200 =E2=82=AC.</p>',
      'text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable',
    )
  for (const text of [mailbox, mailbox.replaceAll('\n', '\r\n')]) {
    const { blocks, warnings } = await parseBytes('mbox', text)
    expect(warnings).toBeUndefined()
    expect(blocks.map((block) => [block.level, block.text])).toEqual([
      [1, 'Crane'],
      [undefined, 'From: k@example.org'],
      [undefined, 'From now on 18 tonnes.'],
      [undefined, 'From the board: at most 20.\nFrom Monday on.'],
      [1, 'List'],
      [undefined, 'From: k@example.org'],
      [undefined, 'See the list.'],
      [2, 'Attachment: list.csv'],
      [undefined, '| Pier | Tons |\n| --- | --- |\n| North | 4 |'],
      [1, 'Cable'],
      [undefined, 'From: k@example.org'],
      [undefined, 'Costs 7 200 €.'],
    ])
  }
})

test('no mailbox, and one with a message that is none', async () => {
  await expect(parseBytes('mbox', 'Nothing here.\n')).rejects.toMatchObject({ reason: 'damaged' })
  const { blocks, warnings } = await parseBytes(
    'mbox',
    `From a 10:00\nno header\n\n${message('Crane', 'Lifts.')}`,
  )
  expect(blocks.map(({ text }) => text)).toEqual(['Crane', 'From: k@example.org', 'Lifts.'])
  expect(warnings).toEqual(['message 1.eml: It could not be read.'])
})

test('messages that are lost are counted first, in words of their own', async () => {
  const none = 'From a 10:00\nno header\n\n'
  const { warnings } = await parseBytes(
    'mbox',
    `${none.repeat(30)}${message('Crane', 'Lifts.')}From a 10:00\nReceived: by pier\n\n\n`,
  )
  expect(warnings).toHaveLength(20)
  expect(warnings?.slice(0, 2)).toEqual([
    '31 of its 32 messages could not be read.',
    'message 1.eml: It could not be read.',
  ])
  const empty = await parseBytes('mbox', `${message('Crane', 'Lifts.')}From a 10:00\nReceived: by pier\n\n\n`)
  expect(empty.warnings).toEqual(['message 2.eml: No text was found in it.'])
})

test('neither messages nor files of unknown kinds count for what may be read of files inside', async () => {
  const attached = (name: string, content: string): string =>
    `--b\nContent-Type: application/octet-stream; name=${name}\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment\n\n${Buffer.from(content).toString('base64')}\n`
  const parts = (list: string): string =>
    `${attached('smime.p7s', '\0\x01\x02\0')}${attached('list.csv', list)}--b--`
  const text =
    message('Crane', parts('Pier;Tons\nNorth;4'), 'multipart/mixed; boundary=b') +
    message('Cable', parts('Pier;Tons\nSouth;7'), 'multipart/mixed; boundary=b')
  const { blocks, warnings } = await inFolder(async (folder) => {
    const path = join(folder, 'upload')
    await writeFile(path, text)
    const task = {
      id: 1,
      path,
      bytes: text.length,
      filename: 'upload.mbox',
      kind: 'mbox' as const,
      folder,
      resultPath: '',
      usesFallback: false,
    }
    return parseFile(task, () => undefined, { depth: 0, budget: { bytes: 2 ** 16, refused: 0 } })
  })
  expect(blocks.flatMap(({ kind, text: own }) => (kind === 'heading' ? [] : [own]))).toEqual([
    'From: k@example.org',
    '| Pier | Tons |\n| --- | --- |\n| North | 4 |',
    'From: k@example.org',
  ])
  expect(warnings?.[0]).toBe('1 file inside was not read: together the files inside are too large.')
})
