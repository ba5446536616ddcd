// Earlier messages that a mail quotes are read without their quote marks, under the line that says who wrote them. Without such a line
// the marks stay.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { chunksOf } from '../../../ingest/chunk/chunk.ts'
import { isMessageHeading } from '../../../language/attribution.ts'
import type { Block } from '../../block.ts'
import { textBlocks } from '../../shared/blocks/text-blocks.ts'

const mailOf = (body: string, type = 'text/plain; charset=utf-8'): string =>
  `From: k@example.org\r\nSubject: Levels\r\nContent-Type: ${type}\r\n\r\n${body.replaceAll('\n', '\r\n')}`

/** The blocks of a mail's body, headings with "# " before them. */
async function bodyOf(body: string, type?: string): Promise<string[]> {
  const { blocks } = await parseBytes('email', mailOf(body, type))
  return blocks.slice(2).map(shown)
}

const shown = ({ kind, level, text }: Block): string =>
  kind === 'heading' ? `${'#'.repeat(level ?? 0)} ${text}` : text

const DISPUTE = `Dear Ms Hartwell,

the corrected invoice comes to 231.40 euros.

On Tue, 20 Oct 2026 at 09:48, Sandra Hartwell <s.hartwell@postbox.example>
wrote:
> Hello Ms Vogt,
>
> thank you, but why two collars?
>
> On Fri, 16 Oct 2026 at 11:05, Hilde Vogt wrote:
>> Dear Ms Hartwell,
>>
>> your invoice 26-1187 amounts to 241.00 euros: spaying 189.00, blood
>> test 32.80.
`

test('quoted messages stand under their attributions, each of them on the same level', async () => {
  expect(await bodyOf(DISPUTE)).toEqual([
    'Dear Ms Hartwell,',
    'the corrected invoice comes to 231.40 euros.',
    '## On Tue, 20 Oct 2026 at 09:48, Sandra Hartwell <s.hartwell@postbox.example> wrote:',
    'Hello Ms Vogt,',
    'thank you, but why two collars?',
    '## On Fri, 16 Oct 2026 at 11:05, Hilde Vogt wrote:',
    'Dear Ms Hartwell,',
    'your invoice 26-1187 amounts to 241.00 euros: spaying 189.00, blood\ntest 32.80.',
  ])
})

test('passages of a quoted message have it as their heading, and no other', async () => {
  const chunks = [
    ...chunksOf('1b4e28ba-2fa1-4d2b-883f-0016d3cca427', await parseBytes('email', mailOf(DISPUTE))),
  ]
  expect(chunks.map(({ heading }) => heading)).toEqual([
    'Levels',
    'Levels > On Tue, 20 Oct 2026 at 09:48, Sandra Hartwell <s.hartwell@postbox.example> wrote:',
    'Levels > On Fri, 16 Oct 2026 at 11:05, Hilde Vogt wrote:',
  ])
})

test.each([
  'Am 04.11.2026 um 17:40 schrieb Ines Marquardt:',
  'Am Mi., 4. Nov. 2026 um 17:40 Uhr schrieb Ines Marquardt <i@x.example>:',
  'Le mer. 4 nov. 2026 à 17:40, Ines Marquardt <i@x.example> a écrit :',
  'El mié, 4 nov 2026 a las 17:40, Ines Marquardt (<i@x.example>) escribió:',
  '2026年11月4日(水) 17:40 Ines Marquardt <i@x.example>:',
  'Ines Marquardt <i@x.example> wrote:',
])('the attribution “%s” above or inside the quoted text', async (attribution) => {
  expect(await bodyOf(`Thank you.\n\n${attribution}\n> We need\n> water.\n`)).toEqual([
    'Thank you.',
    `## ${attribution}`,
    'We need\nwater.',
  ])
  if (/\d/.test(attribution))
    expect(await bodyOf(`Thank you.\n\n> ${attribution}\n>\n> We need\n> water.\n`)).toEqual([
      'Thank you.',
      `## ${attribution}`,
      'We need\nwater.',
    ])
})

const HEADER =
  'From: Ines Marquardt <i@x.example>\nSent: Wednesday, 4 November 2026 17:40\nTo: Regine Paulsen\nSubject: Water'

test.each([
  [HEADER, 'From: Ines Marquardt <i@x.example>, Sent: Wednesday, 4 November 2026 17:40'],
  [
    `________________________________\n${HEADER}`,
    'From: Ines Marquardt <i@x.example>, Sent: Wednesday, 4 November 2026 17:40',
  ],
  [
    '-----Ursprüngliche Nachricht-----\nVon: Ines Marquardt\nGesendet: 4. November 2026 17:40\nAn: Regine Paulsen\nBetreff: Wasser',
    'Ursprüngliche Nachricht, Von: Ines Marquardt, Gesendet: 4. November 2026 17:40',
  ],
  [
    '*De :* Ines Marquardt\n*Envoyé :* mercredi 4 novembre 2026 17:40\n*À :* Regine Paulsen\n*Objet :* Eau',
    'De : Ines Marquardt, Envoyé : mercredi 4 novembre 2026 17:40',
  ],
])('a header of Outlook above an earlier message: %#', async (header, heading) => {
  for (const marks of ['', '> ']) {
    const quoted = `${header}\n\nWe need water.`.replace(/^/gm, marks)
    const [text, head, receivers, message] = await bodyOf(
      `Thank you.\n${marks === '' ? '' : '\n'}${quoted}\n`,
    )
    expect([text, head, message]).toEqual(['Thank you.', `## ${heading}`, 'We need water.'])
    expect(receivers).toMatch(/Regine Paulsen\n.*: (?:Water|Wasser|Eau)$/)
  }
})

test('a journey is no header of a message, and a sign before a number no quote mark', async () => {
  const body = 'From: Hamburg\nTo: Bremen\nDate: 3 May 2026\n\nThresholds:\n> 30 °C: stop\n< 10 °C: heat\n'
  expect(await bodyOf(body)).toEqual([
    'From: Hamburg\nTo: Bremen\nDate: 3 May 2026',
    'Thresholds:\n> 30 °C: stop\n< 10 °C: heat',
  ])
})

test('quoted text without an attribution gets no heading, and its marks may have spaces between them', async () => {
  expect(await bodyOf('Yes.\n\n> > When do\n> > we meet?\n> \n> At noon?\n>Or later?\n')).toEqual([
    'Yes.',
    '>> When do\n>> we meet?',
    '> At noon?\n> Or later?',
  ])
})

test('text below a quoted message is not under its heading', async () => {
  const body = 'On 3 May 2026, Ann wrote:\n> When do we meet?\n\nAt noon, in the yard.\n'
  const document = await parseBytes('email', mailOf(body))
  expect(document.blocks.slice(2).map(shown)).toEqual([
    '## On 3 May 2026, Ann wrote:',
    'When do we meet?',
    'At noon, in the yard.',
  ])
  const chunks = [...chunksOf('1b4e28ba-2fa1-4d2b-883f-0016d3cca427', document)]
  expect(chunks.map(({ heading, text }) => [heading, text]).at(-1)).toEqual([
    'Levels',
    'At noon, in the yard.',
  ])
})

test('answers between quoted questions stay with them, under the mail itself', async () => {
  const body = 'On 3 May 2026, Ann wrote:\n> When do we meet?\nAt noon.\n> Where?\nIn the yard.\n'
  const document = await parseBytes('email', mailOf(body))
  const lines = ['On 3 May 2026, Ann wrote:', '> When do we meet?', 'At noon.', '> Where?', 'In the yard.']
  expect(document.blocks.slice(2).map(shown)).toEqual(lines)
  const [chunk, ...others] = [...chunksOf('1b4e28ba-2fa1-4d2b-883f-0016d3cca427', document)]
  expect([chunk?.heading, chunk?.text.endsWith(lines.join('\n\n')), others]).toEqual(['Levels', true, []])
})

test.each([
  [
    'Gmail',
    '<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">On 3 May 2026, Ann &lt;<a href="mailto:a@x.example">a@x.example</a>&gt; wrote:<br></div>' +
      '<blockquote class="gmail_quote"><div>When do we meet?</div></blockquote></div>',
    '## On 3 May 2026, Ann <a@x.example> wrote:',
  ],
  [
    'Apple Mail',
    '<div>Yes.</div><blockquote type="cite"><div>On 3 May 2026, at 11:05, Ann wrote:</div><br><div>When do we meet?</div></blockquote>',
    '## On 3 May 2026, at 11:05, Ann wrote:',
  ],
  [
    'Outlook',
    '<p>Yes.</p><div><p><b>From:</b> Ann &lt;a@x.example&gt;<br><b>Sent:</b> 3 May 2026 11:05<br></p></div><p>When do we meet?</p>',
    '## From: Ann <a@x.example>, Sent: 3 May 2026 11:05',
  ],
])('the same in HTML of %s', async (_, html, heading) => {
  expect(await bodyOf(html, 'text/html; charset=utf-8')).toEqual(['Yes.', heading, 'When do we meet?'])
})

test('lines of flowed text are joined within the message that they belong to', async () => {
  const body =
    'Hello \nAnn.\n\nOn 3 May 2026, Ann wrote:\n> your invoice \n> is > 241 \n> euros. \n>> Older \n>> text.\n\n >no mark\n-- \nBea\n'
  expect(await bodyOf(body, 'text/plain; charset=utf-8; format=flowed')).toEqual([
    'Hello Ann.',
    '## On 3 May 2026, Ann wrote:',
    'your invoice is > 241 euros.',
    '> Older text.',
    '>no mark\n--\nBea',
  ])
  const parted = 'Donau\u00ad \n> dampf \n> schiff\n'
  expect(await bodyOf(parted, 'text/plain; charset=utf-8; format=flowed; delsp=yes')).toEqual([
    'Donau',
    '> dampfschiff',
  ])
})

test('a line of ten thousand quote marks', async () => {
  const body = Array.from({ length: 200 }, (_, i) => `${'> '.repeat(5000 + i)}${'>'.repeat(5000)}word ${i}`)
  expect(await bodyOf(`Text.\n${body.join('\n')}\n`)).toEqual([
    'Text.',
    ...body.map((_, i) => `>>>>>>>>> word ${i}`),
  ])
})

test('a quote without a line that says who wrote it keeps its marks', async () => {
  expect(
    await bodyOf('> The pump is safe\n>above 40 °C.\nNo, that is wrong.\n> > The valve is new.\nYes.\n'),
  ).toEqual(['> The pump is safe\n> above 40 °C.', 'No, that is wrong.', '>> The valve is new.', 'Yes.'])
})

test('a deeper quote without an attribution stays under the heading above it', async () => {
  const body =
    'Thanks.\n\nOn 3 May 2026, Ann wrote:\n> The rent is 950 euros.\n>\n> Bob, 1 May:\n>> The rent is 900 euros.\n> Is it?\n\nBea\n'
  const document = await parseBytes('email', mailOf(body))
  expect(document.blocks.slice(2).map(shown)).toEqual([
    'Thanks.',
    '## On 3 May 2026, Ann wrote:',
    'The rent is 950 euros.',
    'Bob, 1 May:',
    '> The rent is 900 euros.',
    'Is it?',
    'Bea',
  ])
  expect(document.blocks.filter(({ kind, level }) => kind !== 'heading' && level).map(shown)).toEqual(['Bea'])
})

test('text of a message below one that it quotes has the heading of its message again', async () => {
  const body =
    'On 3 May 2026, Ann wrote:\n> On 1 May 2026, Bob wrote:\n>> The rent is 900 euros.\n>\n> It is 950 euros.\n'
  expect(await bodyOf(body)).toEqual([
    '## On 3 May 2026, Ann wrote:',
    '## On 1 May 2026, Bob wrote:',
    'The rent is 900 euros.',
    '## On 3 May 2026, Ann wrote:',
    'It is 950 euros.',
  ])
  const forwarded = `Thanks.\n\n${HEADER}\n\nHello.\n\nOn 1 May 2026, Bob wrote:\n> The rent is 900 euros.\n\nIt is 950 euros.\n`
  const heading = '## From: Ines Marquardt <i@x.example>, Sent: Wednesday, 4 November 2026 17:40'
  expect((await bodyOf(forwarded)).slice(-4)).toEqual([
    '## On 1 May 2026, Bob wrote:',
    'The rent is 900 euros.',
    heading,
    'It is 950 euros.',
  ])
})

test('headings of a quoted message stand below the line that says who wrote it', async () => {
  const html =
    '<p>Yes.</p><blockquote><p>On 3 May 2026, Ann wrote:</p><h1>Rent</h1><p>It is 900 euros.</p></blockquote><h3>My view</h3><p>It is 950 euros.</p>'
  const document = await parseBytes('email', mailOf(html, 'text/html; charset=utf-8'))
  expect(document.blocks.slice(2).map(shown)).toEqual([
    'Yes.',
    '## On 3 May 2026, Ann wrote:',
    '### Rent',
    'It is 900 euros.',
    '## My view',
    'It is 950 euros.',
  ])
})

test.each(['> 100 kg: 40 euros\n> 200 kg: 80 euros', '> 30 °C: stop\n> 50 °C: alarm\n>70 °C: off'])(
  'several lines with a sign before a number',
  async (limits) => {
    expect(await bodyOf(`Limits:\n${limits}\n`)).toEqual([`Limits:\n${limits}`])
    const quoted = limits.replace(/^/gm, '> ')
    expect(await bodyOf(`On 3 May 2026, Ann wrote:\n> Limits:\n${quoted}\n`)).toEqual([
      '## On 3 May 2026, Ann wrote:',
      'Limits:',
      limits.replace(/^> ?/gm, '> '),
    ])
    expect(await bodyOf(`On 3 May 2026, Ann wrote:\n\n${limits}\n\nThanks.\n`)).toEqual([
      '## On 3 May 2026, Ann wrote:',
      limits.replace(/^> ?/gm, ''),
      'Thanks.',
    ])
  },
)

test.each([
  [
    '-------- Forwarded Message --------\nSubject: Water\nDate: Wed, 4 Nov 2026 17:40\nFrom: Ines Marquardt <i@x.example>\nTo: Regine Paulsen',
    'Forwarded Message, From: Ines Marquardt <i@x.example>, Date: Wed, 4 Nov 2026 17:40',
    'Subject: Water\nTo: Regine Paulsen',
  ],
  [
    '发件人: Ines Marquardt <i@x.example>\n发送时间: 2026年11月4日 17:40\n收件人: Regine Paulsen\n主题: Water',
    '发件人: Ines Marquardt <i@x.example>, 发送时间: 2026年11月4日 17:40',
    '收件人: Regine Paulsen\n主题: Water',
  ],
  [
    '보낸 사람: Ines Marquardt <i@x.example>\n보낸 날짜: 2026년 11월 4일 17:40\n받는 사람: Regine Paulsen',
    '보낸 사람: Ines Marquardt <i@x.example>, 보낸 날짜: 2026년 11월 4일 17:40',
    '받는 사람: Regine Paulsen',
  ],
])('a header with the sender below the subject, or in other scripts: %#', async (header, heading, others) => {
  expect(await bodyOf(`Thank you.\n\n${header}\n\nWe need water.\n`)).toEqual([
    'Thank you.',
    `## ${heading}`,
    others,
    'We need water.',
  ])
  expect(isMessageHeading(heading)).toBe(true)
})

test('the rule above a forwarded message without a header is a heading of a message', async () => {
  const [heading = ''] = await bodyOf('-----Original Message-----\nWe need water.\n')
  expect(heading).toBe('## Original Message')
  expect(isMessageHeading(heading.replace('## ', ''))).toBe(true)
  expect(isMessageHeading('Original Messages of 1912')).toBe(false)
})

test('an attachment of a mail without a subject is under no quoted message, nor is the next mail', async () => {
  const bodyWithout = (text: string): string =>
    `From: k@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n${text}\n--b\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment; filename=a.txt\n\nThe rent is 900 euros.\n--b--\n`
  const quote = 'On 3 May 2026, Ann wrote:\n> When do we meet?'
  const headingsOf = async (kind: 'email' | 'mbox', file: string): Promise<[string, string][]> =>
    [...chunksOf('1b4e28ba-2fa1-4d2b-883f-0016d3cca427', await parseBytes(kind, file))].map(
      ({ heading, text }) => [heading, text.split('\n').at(-1) ?? ''],
    )
  expect(await headingsOf('email', bodyWithout(quote))).toEqual([
    ['', 'From: k@example.org'],
    ['On 3 May 2026, Ann wrote:', 'When do we meet?'],
    ['Attachment: a.txt', 'The rent is 900 euros.'],
  ])
  const mailbox = [`Hello.\n\n${quote}`, 'At noon.'].map(
    (text) => `From k@example.org Sun May  3 11:05:00 2026\nFrom: k@example.org\n\n${text}\n\n`,
  )
  expect((await headingsOf('mbox', mailbox.join(''))).at(-1)).toEqual(['', 'At noon.'])
})

const words = fc.array(
  fc.constantFrom('Ann', 'invoice', '241.00', '(a > b)', '-----', '%', '“Größe”;', '会議'),
  {
    maxLength: 6,
  },
)
const attributions = fc.constantFrom(
  'On 3 May 2026, Ann wrote:',
  'Am 04.11.2026 um 17:40 schrieb\nIda:',
  HEADER,
  '-----Original Message-----',
)
const texts = fc.oneof({ weight: 4, arbitrary: words.map((list) => list.join(' ')) }, attributions)
/**
 * Every character but white space, quote marks at the beginning of a line, rules such as "-----", and the commas that join the lines
 * of a header.
 */
const charactersOf = (text: string): string =>
  text
    .replace(/^[#> ]+/gm, '')
    .replace(/-{3,}|_{5,}/g, '')
    .replace(/\s+/g, '')
    .replace(/,(?=(?:From|Sent):)/g, '')

// The attribution at the end of the first paragraph, which begins with a number as an attribution may.
const TWO_BEGINNINGS: [string, string][] = [
  ['>', '241.00'],
  ['> ', 'On 3 May 2026, Ann wrote:'],
  ['>> ', 'Ann'],
]

/** Whether all characters are in the text in this order. */
function isSubsequence(characters: string, text: string): boolean {
  let at = 0
  for (const character of text) if (character === characters[at]) at++
  return at === characters.length
}

test('no character of a mail is lost or moved', async () => {
  const lines = fc.array(fc.tuple(fc.constantFrom('', '> ', '>', '>> ', '> > > '), texts), { maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(lines, async (parts) => {
      const body = parts.map(([marks, text]) => text.replace(/^/gm, marks)).join('\n')
      const blocks = await bodyOf(body)
      const headings = blocks.filter((text) => text.startsWith('#'))
      // A heading may be there again. Without headings that are equal, no character is added either.
      if (new Set(headings).size === headings.length)
        expect(charactersOf(blocks.join('\n'))).toBe(charactersOf(body))
      else
        expect(blocks.join('\n')).toSatisfy((text: string) =>
          isSubsequence(charactersOf(body), charactersOf(text)),
        )
    }),
    {
      numRuns: 60,
      examples: [
        [TWO_BEGINNINGS],
        [
          [
            ['', HEADER],
            ['', HEADER],
          ],
        ],
      ],
    },
  )
})

test('a mail without quotes is read as any plain text', async () => {
  const bodies = fc.array(
    fc.oneof(
      words.map((list) => list.join(' ')),
      fc.constantFrom('On 3 May 2026, Ann wrote:', ' > x', 'From: Rome'),
    ),
    {
      maxLength: 25,
    },
  )
  await fc.assert(
    fc.asyncProperty(bodies, async (lines) => {
      const body = lines.join('\n')
      const { blocks } = await parseBytes('email', mailOf(body))
      const expected = [...textBlocks(body)].map(({ text }) =>
        text
          .split('\n')
          .map((line) => line.trimEnd())
          .join('\n')
          .trim(),
      )
      expect(blocks.slice(2)).toEqual(expected.filter(Boolean).map((text) => ({ kind: 'paragraph', text })))
    }),
    { numRuns: 60 },
  )
})
