// Pages saved with their pictures in one file.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`
const archive = (...parts: string[]): string =>
  `From: <Saved by Blink>\r\nSubject: Canteen\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html"; boundary="b"\r\n\r\n${parts.join('')}--b--\r\n`

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('the page, without its style sheets, with its pictures', async () => {
  const page =
    '<!doctype html><head><title>Canteen rules</title><link rel=3D"stylesheet" href=3D"cid:css"></head>' +
    '<h1>Canteen</h1><p>The soup costs 3.20 =E2=82=AC and the ca=\r\nsserole 6.90 =E2=82=AC.</p><img src=3D"cid:one"><p>Monday: stew.</p>'
  const text = archive(
    part('Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable', page),
    part('Content-Type: text/css\r\nContent-Location: cid:css', '.a { color: red }'),
    part('Content-Type: image/png\r\nContent-ID: <one>\r\nContent-Transfer-Encoding: base64', png),
    part(
      'Content-Type: image/png\r\nContent-Location: https://x.example/two.png\r\nContent-Transfer-Encoding: base64',
      png,
    ),
  )
  const { title, blocks, pictures } = await parseBytes('mhtml', text)
  expect(title).toBe('Canteen rules')
  expect(blocks.map(({ text: own }) => own)).toEqual([
    'Canteen',
    'The soup costs 3.20 € and the casserole 6.90 €.',
    'Monday: stew.',
  ])
  expect(pictures).toEqual([
    { name: 'part 2', at: 2 },
    { name: 'part 3', at: 3 },
  ])
})

test('no page inside', async () => {
  await expect(parseBytes('mhtml', 'nothing')).rejects.toThrow()
})
