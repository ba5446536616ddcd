// Long mails of plain text, which are decoded without the library (email.ts).

import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

test.each([
  [
    'a charset that the other decoder does not know',
    'iso-2022-jp',
    '\r\n',
    '\u001b$B$3$s$K$A$O\u001b(B',
    'こんにちは',
  ],
  [
    'a blank line that ends otherwise than the lines around it',
    'utf-8',
    '\n',
    'First.\r\n\r\nSecond.',
    'First.',
  ],
])('a long mail of one text reads as a short one does: %s', async (_, charset, end, body, first) => {
  const head = [
    'From: Keeper <k@example.org>',
    'Subject: Levels',
    `Content-Type: text/plain; charset=${charset}`,
  ]
  const mail = (words: number): string =>
    `${head.join(end)}${end}\r\n${body}\r\n\r\n${'level '.repeat(words)}\r\n`
  const shown = async (words: number): Promise<string[]> =>
    (await parseBytes('email', mail(words))).blocks.map(({ text }) => text.slice(0, 500))
  const short = await shown(100)
  expect(short).toContain(first)
  expect(await shown(700_000)).toEqual(short)
})

test('what mail programs add to the plain part is out, what is typed stays', async () => {
  const body =
    'See our site<https://eur02.example/?url=x%20y> or write to ann@x.example<mailto:ann@x.example>.\r\n' +
    '[cid:image001.png@01]\r\nKind regards [image: logo.png]\r\n\r\nTyped: <https://x.example> and a<b, c>d.\r\n'
  const mail = `From: ann@x.example\r\nSubject: Site\r\nContent-Type: text/plain\r\n\r\n${body}`
  expect((await parseBytes('email', mail)).blocks.slice(2).map(({ text }) => text)).toEqual([
    'See our site or write to ann@x.example.',
    'Kind regards',
    'Typed: <https://x.example> and a<b, c>d.',
  ])
})

test.each(['utf-16le', 'utf-16be'])(
  'a mail that an editor saved as %s, with and without a mark',
  async (encoding) => {
    const mail = 'From: Keeper <k@example.org>\r\nSubject: Levels\r\n\r\nHigh water at caf\u00e9 noon.\r\n'
    for (const addBOM of [true, false]) {
      const { blocks } = await parseBytes('email', iconv.encode(mail, encoding, { addBOM }))
      expect(blocks.map(({ text }) => text)).toEqual([
        'Levels',
        'From: Keeper <k@example.org>',
        'High water at caf\u00e9 noon.',
      ])
    }
  },
)

const foreignTexts = [
  ['windows-1252', 'Das Café Müller öffnet täglich um neun. Für Gäste gibt es Brötchen.'],
  ['windows-1251', 'Договор вступает в силу с момента подписания и действует до конца года.'],
  ['windows-1256', 'يبدأ الاجتماع في الساعة التاسعة صباحا ويحضره جميع الموظفين في المكتب الرئيسي.'],
] as const

test.each(foreignTexts)('a mail in %s that declares UTF-8 or nothing', async (encoding, text) => {
  const bytes = iconv.encode(text, encoding)
  const quoted = bytes
    .toString('latin1')
    .replace(/[=\x80-\xff]/g, (letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  const lines = quoted.match(/(?:=..|.){1,60}/g)?.join('=\r\n') ?? ''
  const head = 'From: k@example.org\r\nMIME-Version: 1.0\r\nSubject: '
  const page = ['<p>', bytes, '</p><table><tr><td>a<td>b<tr><td>c<td>d</table>'].map((part) =>
    Buffer.from(part),
  )
  for (const [type, body] of [
    ['', bytes],
    ['Content-Type: text/plain\r\n', bytes],
    ['Content-Type: text/plain;\r\n charset="utf-8"\r\n', bytes],
    ['Content-Type: text/html; charset=UTF-8\r\n', Buffer.concat(page)],
    [
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n',
      Buffer.from(lines),
    ],
    [
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n',
      Buffer.from(bytes.toString('base64')),
    ],
  ] as const) {
    const mail = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n${type}\r\n`), body])
    const { title, blocks } = await parseBytes('email', mail)
    expect([title, blocks[2]?.text], type).toEqual([text, text])
  }
})
