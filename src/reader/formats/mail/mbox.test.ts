// Mailboxes.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

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
