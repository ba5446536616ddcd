// Pages, books, mails and JSON: what readers see, in order, and nothing that only programs use.

import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { makeDocx, wordParagraph } from '../../../test/support/files/office.ts'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { makePdf, prose } from '../../../test/support/files/pdf.ts'
import { makeZip } from '../../../test/support/files/zip.ts'
import { htmlBlocks } from '../shared/html/html.ts'

test('a page: its main part, without menus, scripts and what is hidden', async () => {
  const html = `<!doctype html><html><head><title>House rules | Tidewick</title><style>p{}</style></head><body>
    <header><a href="/">Home</a></header><nav><ul><li>Menu</li></ul></nav>
    <main><h1>House rules</h1><p>No <b>smoking</b>.<span style="display: none">Buy gold.</span></p>
    <ol start="3"><li>three<ul><li>nested</li></ul></li><li>four</li></ol>
    <table><caption>Fees</caption><thead><tr><th>Item<th colspan=2>Fee</tr></thead><tr><td rowspan=2>Key<td>new<td>£5</tr><tr><td>lost<td>£9</tr></table>
    <pre>line one\n  line two</pre><p hidden>secret</p><footer>Sources: the board.</footer></main>
    <script>alert("x")</script><footer>Imprint</footer></body></html>`
  const document = await parseBytes('html', html)
  expect(document).toEqual({
    title: 'House rules | Tidewick',
    blocks: [
      { kind: 'heading', text: 'House rules', level: 1 },
      { kind: 'paragraph', text: 'No smoking.' },
      { kind: 'list', text: '3. three\n  - nested\n4. four' },
      { kind: 'paragraph', text: 'Fees' },
      {
        kind: 'table',
        text: '| Item | Fee | Fee |\n| --- | --- | --- |\n| Key | new | £5 |\n| Key | lost | £9 |',
        html: '<table><tr><td>Item</td><td colspan="2">Fee</td></tr><tr><td rowspan="2">Key</td><td>new</td><td>£5</td></tr><tr><td>lost</td><td>£9</td></tr></table>',
      },
      { kind: 'code', text: 'line one\n  line two' },
      { kind: 'paragraph', text: 'Sources: the board.' },
    ],
    hidden: [{ text: 'Buy gold.' }, { text: 'secret' }],
    warnings: ['2 passages of hidden text were left out: they are not visible in the document.'],
  })
})

test('a quotation in an item is a line of its own, a link to a note its mark', () => {
  const html =
    '<ol type="a"><li><p>Turn the key.</p><blockquote>Never take it out.</blockquote></li><li><div>Close it.</div> Done</li></ol>' +
    '<p>The mill stood here.<a epub:type="noteref" href="#n">1</a> It <a href="/">rained</a>.</p>'
  expect(htmlBlocks(html).map(({ text }) => text)).toEqual([
    'a. Turn the key.\nNever take it out.\nb. Close it.\nDone',
    'The mill stood here.[1] It rained.',
  ])
})

test('a page in an old encoding is read as it declares', async () => {
  const html = '<html><head><meta charset="windows-1251"></head><body><p>Срок договора</p></body></html>'
  const { blocks } = await parseBytes('html', iconv.encode(html, 'windows-1251'))
  expect(blocks[0]?.text).toBe('Срок договора')
})

test('broken and hostile HTML ends', () => {
  expect(htmlBlocks('<ul><li>one<table><tr><td>a<td>b</tr><tr><td>c<td>d').map(({ kind }) => kind)).toEqual([
    'list',
    'table',
  ])
  expect(htmlBlocks('<li>alone').map(({ text }) => text)).toEqual(['- alone'])
  expect(htmlBlocks(`${'<div>'.repeat(20_000)}deep`)[0]?.text).toBe('deep')
  expect(htmlBlocks(`${'<table><tr><td>'.repeat(2000)}deep`).some(({ text }) => text.includes('deep'))).toBe(
    true,
  )
  expect(
    htmlBlocks(`<ul>${'<li>item'.repeat(50_000)}</ul>`)
      .map(({ text }) => text)
      .join('\n')
      .split('\n'),
  ).toHaveLength(50_000)
  expect(htmlBlocks(`<pre>${' '.repeat(200_000)}x</pre>`)[0]?.text.trim()).toBe('x')
})

const container =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
const chapter = (title: string, text: string): string =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><h2>${title}</h2><p>${text}</p></body></html>`
const book = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': container,
  'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tides and gauges</dc:title></metadata><manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="b" href="text/two%20b.xhtml"/><item id="a" href="text/one.xhtml"/></manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
  'OEBPS/nav.xhtml': chapter('Contents', 'one, two'),
  'OEBPS/text/one.xhtml': chapter('Springs', 'At full moon.'),
  'OEBPS/text/two b.xhtml': chapter('Neaps', 'At half moon.'),
}

test('a book: chapters in the order of the spine; a locked one says so', async () => {
  const document = await parseBytes('epub', await makeZip(book))
  expect(document.title).toBe('Tides and gauges')
  expect(document.blocks.map(({ text }) => text)).toEqual([
    'Springs',
    'At full moon.',
    'Neaps',
    'At half moon.',
  ])
  const lock =
    '<encryption><enc:EncryptedData xmlns:enc="e"><enc:CipherData><enc:CipherReference URI="OEBPS/text/one.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>'
  await expect(
    parseBytes('epub', await makeZip({ ...book, 'META-INF/encryption.xml': lock })),
  ).rejects.toMatchObject({ reason: 'encrypted' })
})

const crlf = (lines: readonly string[]): string => lines.join('\r\n')

test('a mail: subject, people and date, text, attachments by their own parsers', async () => {
  const attached = (await makeDocx(wordParagraph('Clause 12.1', 'Heading1'))).toString('base64')
  const mail = crlf([
    'From: =?utf-8?q?Rafael_Quintero?= <rafael@tidewick.example>',
    'To: Jonas Weidner <jonas@tidewick.example>, office@tidewick.example',
    'Date: Wed, 29 Apr 2026 17:42:00 +0100',
    'Subject: =?iso-8859-1?q?Umzug_n=E4chste_Woche?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: multipart/alternative; boundary=y',
    '',
    '--y',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Jonas,=20',
    '',
    'der Plan f=FCr den Umzug.',
    '--y',
    'Content-Type: text/html',
    '',
    '<p>Jonas,</p><p>der Plan</p>',
    '--y--',
    '--x',
    'Content-Type: application/octet-stream; name="lease.docx"',
    'Content-Disposition: attachment; filename="../../lease.docx"',
    'Content-Transfer-Encoding: base64',
    '',
    attached,
    '--x',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename="program.exe"',
    '',
    '\u0001\u0002',
    '--x--',
    '',
  ])
  const document = await parseBytes('email', mail)
  expect(document).toEqual({
    title: 'Umzug nächste Woche',
    blocks: [
      { kind: 'heading', text: 'Umzug nächste Woche', level: 1 },
      {
        kind: 'paragraph',
        text: 'From: Rafael Quintero <rafael@tidewick.example>\nTo: Jonas Weidner <jonas@tidewick.example>, office@tidewick.example\nDate: Wed, 29 Apr 2026 17:42:00 +0100',
      },
      { kind: 'paragraph', text: 'Jonas,' },
      { kind: 'paragraph', text: 'der Plan für den Umzug.' },
      { kind: 'heading', text: 'Attachment: ../../lease.docx', level: 2 },
      { kind: 'heading', text: 'Clause 12.1', level: 3 },
      { kind: 'heading', text: 'Attachment: program.exe', level: 2 },
    ],
    warnings: ['program.exe: This kind of attachment is not read.'],
  })
})

test('a mail in a mail in a mail ends; HTML is read where it holds a table', async () => {
  let inner =
    'Subject: Prices\r\nFrom: a@b.example\r\nContent-Type: text/html\r\n\r\n<table><tr><td>a<td>b<tr><td>1<td>2</table>'
  for (let i = 0; i < 6; i++) {
    inner = `Subject: Fwd ${i}\r\nFrom: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--b${i}--\r\n`
  }
  const { blocks, warnings } = await parseBytes('email', inner)
  expect(blocks.filter(({ text }) => text.startsWith('Fwd'))).toHaveLength(4)
  expect(warnings).toEqual([
    expect.stringMatching(/^(message\.eml: ){4}This kind of attachment is not read\.$/),
  ])
  const plain = await parseBytes(
    'email',
    'Subject: Prices\r\nFrom: a@b.example\r\nContent-Type: text/html\r\n\r\n<table><tr><td>a<td>b<tr><td>1<td>2</table>',
  )
  expect(plain.blocks.at(-1)).toEqual({ kind: 'table', text: '| a | b |\n| --- | --- |\n| 1 | 2 |' })
  await expect(parseBytes('email', 'no header, no mail')).rejects.toMatchObject({ reason: 'damaged' })
})

test('what is attached to a mail that is attached does not take the place of what stands beside it', async () => {
  const file = (name: string, text: string): string =>
    `Content-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${text}`
  const mailOf = (subject: string, parts: readonly string[]): string =>
    `Subject: ${subject}\r\nFrom: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=${subject}\r\n\r\n${parts.map((part) => `--${subject}\r\n${part}\r\n`).join('')}--${subject}--\r\n`
  const inner = mailOf('Inner', [file('one.txt', 'First.'), file('two.txt', 'Second.')])
  const outer = mailOf('Outer', [`Content-Type: message/rfc822\r\n\r\n${inner}`, file('three.txt', 'Third.')])
  const { blocks, warnings } = await parseBytes('email', outer)
  expect(blocks.map(({ text }) => text).filter((text) => !text.startsWith('From'))).toEqual([
    'Outer',
    'Attachment: message.eml',
    'Inner',
    'Attachment: one.txt',
    'First.',
    'Attachment: two.txt',
    'Second.',
    'Attachment: three.txt',
    'Third.',
  ])
  expect(warnings).toBeUndefined()
})

test('the pages of what is attached are reported: the deadline of a mail with a scan follows them', async () => {
  const part = `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${makePdf([prose(Array(12).fill('A page that says enough not to be looked at.'), 700)]).toString('base64')}\r\n`
  const mail = `From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n${part}--x\r\n${part}--x--\r\n`
  const reports: object[] = []
  await parseBytes('email', mail, false, (progress) => reports.push(progress))
  expect(reports).toEqual([
    { share: 0.5, pages: 1 },
    { share: 1, pages: 1 },
  ])
})

test('a mail whose attachments took the parser down is read without them, and says so', async () => {
  const part = 'Content-Disposition: attachment; filename=a.pdf\r\n\r\n%PDF-1.7\r\n'
  const mail = `Subject: Lock\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nText.\r\n--x\r\n${part}--x--\r\n`
  expect(await parseBytes('email', mail, true)).toEqual({
    title: 'Lock',
    blocks: [
      { kind: 'heading', text: 'Lock', level: 1 },
      { kind: 'paragraph', text: 'Text.' },
      { kind: 'heading', text: 'Attachment: a.pdf', level: 2 },
    ],
    warnings: ['Its attachments were not read: one of them cannot be.'],
  })
})

test('JSON: flat records as a table, others field by field, JSON Lines a record a line', async () => {
  const flat = [
    { code: 'A-1', price: 1480, stock: true },
    { code: 'A-2', price: -3.5, stock: null },
  ]
  const table = '| code | price | stock |\n| --- | --- | --- |\n| A-1 | 1480 | true |\n| A-2 | -3.5 |  |'
  expect((await parseBytes('json', JSON.stringify(flat))).blocks).toEqual([{ kind: 'table', text: table }])
  const lines = flat.map((record) => JSON.stringify(record)).join('\n')
  expect((await parseBytes('json', lines)).blocks).toEqual([{ kind: 'table', text: table }])
  const nested = { name: 'Port', address: { city: 'Aldermouth', tags: ['a', 'b'] } }
  expect((await parseBytes('json', JSON.stringify(nested))).blocks).toEqual([
    { kind: 'paragraph', text: 'name: Port\naddress.city: Aldermouth\naddress.tags: a, b' },
  ])
  await expect(parseBytes('json', '{"a": 1,')).rejects.toMatchObject({ reason: 'damaged' })
  await expect(parseBytes('json', `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).rejects.toMatchObject({
    reason: 'damaged',
  })
})

test('a mail in Windows-1252 keeps its quotes, dashes and euros, in its subject too', async () => {
  const head = 'From: a@b.example\r\nSubject: =?windows-1252?Q?It=92s_=80_5?=\r\nMIME-Version: 1.0\r\n'
  const body = 'Don=92t pay =80 500 =96 =93never=94.'
  for (const charset of ['windows-1252', 'iso-8859-1']) {
    const mail = `${head}Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}\r\n`
    const { title, blocks } = await parseBytes('email', mail)
    expect([title, blocks.at(-1)?.text]).toEqual(['It’s € 5', 'Don’t pay € 500 – “never”.'])
  }
})

test('superscripts of a page: exponents, marks of notes, one that nobody closes', async () => {
  const page =
    '<p>10<sup>3</sup> kg on 5 <i>m</i><sup>2</sup>, says the contract<sup><a>1</a></sup>.</p><table><tr><td>km<sup>2</sup><td>a<tr><td>1<sup>2<td>4<sup>th</sup></table><p>open<sup>7<p>End'
  const { blocks } = await parseBytes('html', page)
  expect(blocks.map(({ text }) => text)).toEqual([
    '10³ kg on 5 m², says the contract[1].',
    '| km² | a |\n| --- | --- |\n| 1² | 4th |',
    'open[7]',
    'End',
  ])
})

test('a table of a page that is too long to be held whole goes on below its first row, no span cut', async () => {
  const row = (no: number): string =>
    no === 66_666
      ? `<tr><td rowspan="3">${no}</td><td>K${no}</td><td>day</td></tr>`
      : no === 66_667 || no === 66_668
        ? `<tr><td>K${no}</td><td>day</td></tr>`
        : `<tr><td>${no}</td><td>K${no}</td><td>day</td></tr>`
  const rows = Array.from({ length: 70_000 }, (_, i) => row(i + 1)).join('')
  const html = `<table><caption>Readings</caption><tr><th rowspan="1">no</th><th>keeper</th><th>when</th></tr>${rows}</table><p>End.</p>`
  const { blocks } = await parseBytes('html', html)
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'table', 'table', 'paragraph'])
  const parts = blocks.slice(1, 3).map(({ text }) => text.split('\n'))
  for (const lines of parts) expect(lines[0]).toBe('| no | keeper | when |')
  const keepers = parts.flatMap((lines) => lines.slice(2).map((line) => line.split(' | ')[1]))
  expect(keepers).toEqual(Array.from({ length: 70_000 }, (_, i) => `K${i + 1}`))
  expect(blocks[1]?.html?.match(/rowspan="3"/g)?.length).toBe(1)
})

test('a long mail of one text reads as a short one does', async () => {
  const mail = (words: number): Buffer =>
    Buffer.from(
      `From: Keeper <k@example.org>\r\nSubject: =?utf-8?q?Pegelst=C3=A4nde?=\r\nContent-Type: text/plain; charset="iso-8859-1"\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGr\u00fc\u00dfe\r\nvom Hafen.\r\n\r\n${'Pegel '.repeat(words)}\r\n\r\nSch\u00f6nen Tag.\r\n`,
      'latin1',
    )
  const [short, long] = [await parseBytes('email', mail(100)), await parseBytes('email', mail(700_000))]
  const shown = ({ blocks }: typeof short): string[] => blocks.map(({ text }) => text.slice(0, 500))
  expect(shown(long)).toEqual(shown(short))
  expect(long.blocks.at(-2)?.text.length).toBe(700_000 * 6 - 1)
  expect(long.blocks.at(-1)?.text).toBe('Schönen Tag.')
  expect(long.title).toBe('Pegelstände')
})

test('a page in another encoding than the one that it declares', async () => {
  for (const [encoding, text] of [
    ['windows-1252', 'Das Café Müller öffnet täglich um neun.'],
    ['windows-1251', 'Договор вступает в силу с момента подписания.'],
    ['windows-1256', 'يبدأ الاجتماع في الساعة التاسعة صباحا في المكتب.'],
  ] as const) {
    const html = `<meta charset="utf-8"><title>${text}</title><p>${text}</p>`
    const { title, blocks } = await parseBytes('html', iconv.encode(html, encoding))
    expect([title, blocks[0]?.text]).toEqual([text, text])
  }
  // Browsers read what declares Latin-1 as Windows-1252.
  const quoted = '<meta charset="iso-8859-1"><p>“Größe” – 5 €</p>'
  expect((await parseBytes('html', iconv.encode(quoted, 'windows-1252'))).blocks[0]?.text).toBe(
    '“Größe” – 5 €',
  )
})
