import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import type { Language } from '../../language/language.ts'
import type { ExtractChunk, Extraction } from '../extraction.ts'
import { extractGraph } from './extract.ts'

const chunksOf = (...texts: string[]): ExtractChunk[] =>
  texts.map((text, chunk_no) => ({
    chunk_no,
    type: text.startsWith('|') ? 'table' : 'text',
    text,
    heading: '',
  }))
const read = (texts: string[], language: Language = 'en'): Extraction =>
  extractGraph({ title: 'Test', language }, chunksOf(...texts))
const names = ({ mentions }: Extraction): string[] => [
  ...new Set(mentions.map(({ key, type }) => `${key}: ${type}`)),
]
const triples = ({ relations }: Extraction): string[] => relations.map((r) => `${r.head} ${r.type} ${r.tail}`)

const LETTER =
  'This agreement is made between Brightwater Sensors GmbH ("Supplier") and Tidewick Instruments Limited on 3 May 2024. ' +
  'Brightwater Sensors supplies Tidewick Instruments with pressure cells. Tidewick Instruments is located in ' +
  'Aldermouth, Scotland. Ingrid Solheim, chair of Tidewick Instruments, signed the lease with Corrigan Estates Ltd.'
const PEOPLE =
  'Dr. Jane Roe works for Acme Inc. She was born in Leeds. Acme was founded by John Smith in 1990. Roe said that the ' +
  'World Health Organization (WHO) had asked. WHO answered in March. Its CEO Mary Major agreed.'

describe('extractGraph', () => {
  test('names with their types, without legal forms, months, roles and pronouns', () => {
    expect(names(read([LETTER]))).toEqual([
      'brightwater sensors: organization',
      'tidewick instruments: organization',
      'aldermouth: location',
      'scotland: location',
      'ingrid solheim: person',
      'corrigan estates: organization',
    ])
  })

  test('a statute is a law, also one that is called a code', () => {
    const text =
      'Under the Uniform Commercial Code and the Harbour Pilots Act the buyer may reject the goods.'
    expect(names(read([text]))).toEqual(['uniform commercial code: law', 'harbour pilots act: law'])
    const program =
      '```sh\nnpm install\n```\nWe write with Claude Code, tests in Tern Code. Lydia Marsh helps.'
    expect(names(read([program]))).toEqual([
      'claude code: technology',
      'tern code: technology',
      'lydia marsh: person',
    ])
  })

  // The list of places does not have Jordan, and the list of first names has neither Georgia nor Paris.
  test.each([
    [
      'Jordan Vanek flew to Jordan. Jordan will report on Friday.',
      ['jordan vanek: person', 'jordan: location'],
    ],
    ['Georgia Holm lives in Georgia.', ['georgia holm: person', 'georgia: location']],
    ['Paris Oduya has never been to Paris.', ['paris oduya: person', 'paris: location']],
    ['Chad Morel fled from Chad. A letter from Chad came in May.', ['chad morel: person', 'chad: location']],
    [
      'The trip of Florence Adey to Florence was short. Florence paid for it.',
      ['florence adey: person', 'florence: location'],
    ],
    [
      'Jordan Vanek wrote a book. The government of Jordan bought it.',
      ['jordan vanek: person', 'jordan: location'],
    ],
    [
      'The Houston Rockets beat the Phoenix Suns.',
      ['houston rockets: organization', 'phoenix suns: organization'],
    ],
    ['China Mobile opened a shop.', ['china mobile: organization']],
    ["Jordan Vanek left. In Jordan's absence nobody signs.", ['jordan vanek: person']],
    ['Jordan Vanek left. We gave it to Jordan.', ['jordan vanek: person']],
  ])('a given name that is also a place: %s', (text, expected) => {
    expect(names(read([text]))).toEqual(expected)
  })

  test('each mention of such a name is decided by the words around it', () => {
    const { mentions } = read(['Jordan Vanek flew to Jordan. Jordan reports on Friday. It rains in Jordan.'])
    expect(mentions.map(({ key }) => key)).toEqual(['jordan vanek', 'jordan', 'jordan vanek', 'jordan'])
  })

  test('relations by patterns, also over a pronoun', () => {
    expect(triples(read([LETTER]))).toEqual([
      'brightwater sensors supplies tidewick instruments',
      'tidewick instruments located_in aldermouth',
      'aldermouth located_in scotland',
      'tidewick instruments located_in scotland',
      'ingrid solheim leads tidewick instruments',
      'ingrid solheim signed_with corrigan estates',
    ])
    expect(triples(read([PEOPLE]))).toEqual(
      expect.arrayContaining([
        'jane roe works_for acme',
        'jane roe born_in leeds',
        'acme founded_by john smith',
      ]),
    )
  })

  test.each([
    [
      'a chain of places',
      'Acme Corporation is based in Detroit, Michigan, United States.',
      [
        'acme located_in detroit',
        'acme located_in michigan',
        'acme located_in united states',
        'detroit located_in michigan',
        'detroit located_in united states',
        'michigan located_in united states',
      ],
      ['michigan located_in detroit'],
    ],
    [
      'what a definition says, and not what follows it',
      'They live in Westerham. Westerham is a village in Kent County, which trades with the city of Paris and is near Dover in France.',
      ['westerham located_in kent county'],
      ['westerham located_in paris', 'westerham located_in france'],
    ],
    [
      'an adjective before what a person is',
      'The prize went to the British actor and singer Mary Smith, and not to the German press.',
      ['mary smith citizen_of united kingdom'],
      ['mary smith citizen_of germany'],
    ],
    [
      'a place in a name, where the document speaks of the place',
      'The University of Alberta grew. It is the largest school of Alberta. The Bank of Ireland grew as well.',
      ['university of alberta located_in alberta'],
      ['bank of ireland located_in ireland'],
    ],
  ])('%s says where and whose', (_, text, said, unsaid) => {
    const found = triples(read([text]))
    expect(found).toEqual(expect.arrayContaining(said))
    for (const wrong of unsaid) expect(found).not.toContain(wrong)
  })

  test('a surname, an acronym and a demonym refer to the same entity', () => {
    const { mentions } = read([`${PEOPLE} The German branch is in Germany.`])
    const surfaces = (key: string): string[] =>
      mentions.filter((m) => m.key === key).map((m) => `${m.surface} ${m.own}`)
    expect(surfaces('jane roe')).toEqual(['Jane Roe true', 'Roe false'])
    expect(surfaces('world health organization')).toEqual([
      'World Health Organization true',
      'WHO false',
      'WHO false',
    ])
    expect(surfaces('germany')).toEqual(['German false', 'Germany true'])
  })

  test('sentence openers, weekdays and running headers are no entities', () => {
    const page = (text: string): string => `Quarterly Review Bulletin\n${text}`
    const found = names(
      read([
        page('Passwords stay secret. Tell Hannah Birch by Monday.'),
        page('Backups run nightly. Use the safe.'),
        page('However, nobody came in March 2024.'),
        page('Everything else is fine.'),
      ]),
    )
    expect(found).toEqual(['hannah birch: person'])
  })

  test('parts of reports, defined terms, legal forms and post codes are no names', () => {
    const report =
      'See Note 4 in our Annual Report on the Risk Factors. These risk factors matter to the Issuer and to Best Buy. ' +
      'We wrote to the Securities and Exchange Commission from Aldermouth AM2 6QT. Acme, Inc. and Johnson & Johnson answered; ' +
      'Best Buy Co. did not. The Board and the Trustee agreed. Details stand in the MD&A.'
    expect(names(read([report])).sort()).toEqual([
      'acme: organization',
      'aldermouth: other',
      'best buy: other',
      'johnson and johnson: organization',
      'securities and exchange commission: organization',
    ])
  })

  test('code, keywords, addresses, names of files, keys, versions and quantities are no names', () => {
    const text = [
      'Acme Cloud keeps its rows in PostgreSQL. We configure Acme Cloud with Deploy.yaml and see https://acme.example/LU6D5cNeHks for more.',
      'SELECT Name, Total FROM Orders WHERE (Region = 4);',
      '```go',
      'func Marshal(Writer *Buffer) Result {',
      '```',
      'The server MUST NOT stop. Call Reader.Next or compression.EncodeBuffer at 14.2 °C. The licence is ABCD1-EFGH2-IJKL3-MNOP4.',
      'PostgreSQL runs on Acme Cloud since version 3.5.',
    ].join('\n')
    expect(names(read([text]))).toEqual(['acme cloud: other', 'postgresql: technology'])
  })

  test('in a document with code, a word of unusual shape is rather a technology than an organization', () => {
    const prose = 'We met WidgetHub and the team of WidgetHub. The QRZ team of QRZ came with Karla Wieringa.'
    expect(names(read([prose]))).toEqual([
      'widgethub: organization',
      'qrz: organization',
      'karla wieringa: person',
    ])
    const code = '```sh\nnpm install\n```\nWidgetHub reads QRZ. We use WidgetHub and install QRZ.'
    expect(names(read([code]))).toEqual(['widgethub: technology', 'qrz: technology'])
  })

  test('a short form of words in lower case is a concept', () => {
    const text = 'The ATO took a year. They asked for an authority to operate (ATO), and the ATO came.'
    expect(names(read([text]))).toEqual(['authority to operate: concept'])
  })

  test('function words in capitals end a name, and a dictionary word opens none', () => {
    const text =
      'Use Grafwise for charts. You may use it. Is Grafwise For Your Team? For Tidewick Instruments Co-operative Limited: signed.'
    expect(names(read([text]))).toEqual(['grafwise: other', 'tidewick instruments: organization'])
  })

  test('a term that the text defines is no work, a quoted title is', () => {
    const text =
      '“Listed Product” means any program. Karla Wieringa (each, a "Partner Sponsor") read “The Tale of Two Terns” to us. ' +
      'The Listed Product and the Partner Sponsor stay.'
    expect(names(read([text]))).toEqual([
      'listed product: other',
      'karla wieringa: person',
      'partner sponsor: other',
      'tale of two terns: work',
    ])
  })

  test('a dash behind what a sentence begins with divides', () => {
    const text =
      'FOA - The Tidewick Act lets people ask for records of the council at any time. The FOA is old.'
    expect(names(read([text]))).toEqual(['foa: other', 'tidewick act: law'])
  })

  test('what is done with a thing at the beginning of a sentence is no part of its name', () => {
    const text =
      'Open Grafwise first. You need Grafwise and Grafwise Cloud. Tap Grafwise Cloud, then wait. Enable Grafwise Cloud again, or leave Grafwise Cloud.'
    expect(names(read([text]))).toEqual(['grafwise: other', 'grafwise cloud: other'])
    const kept = 'Paid Harbour Leave is new. Paid Harbour Leave helps. They ask for Harbour Leave.'
    expect(names(read([kept]))).toContain('paid harbour leave: other')
  })

  test('what somebody does is no concept', () => {
    const chunk =
      'You may request a pressure cell. We retain ownership. You retain ownership. They may request it. To retain ownership, ask.'
    const found = names(read([chunk, `The pressure cell is new. A pressure cell is there. ${chunk}`]))
    expect(found).toEqual(['pressure cell: concept'])
  })

  test('tables give entities by header, but not for the labels of a balance sheet', () => {
    const parts = read([
      '| Part | Supplier | Price |\n|---|---|---:|\n| PX-100 | Kestrel Enclosures Ltd | 3.50 |',
    ])
    expect(names(parts)).toEqual(['px 100: product', 'kestrel enclosures: organization'])
    expect(triples(parts)).toEqual(['kestrel enclosures supplies px 100'])
    expect(names(read(['| | 2023 |\n|---|---|\n| Net income | 100 |\n| Total Assets | 5,000 |']))).toEqual([])
  })

  test('dates and amounts are no names, in a column of names and behind a name', () => {
    const rows = [
      '24 December 2026 | closed',
      '25 and 26 December 2026 | closed',
      '132 Euro | Anna Berg',
      'ab 50 Euro | no',
    ]
    const table = read([`| Day | Kestrel Day |\n|---|---|\n${rows.map((row) => `| ${row} |`).join('\n')}`])
    expect(names(table).filter((name) => /\d/.test(name))).toEqual([])
    const text =
      'We sold Kestrelin 12 units. Tidewick 18 euros. Brightfuse 12 ml/h. Apollo 11 landed. Quintero 3 Oct.'
    expect(names(read([text])).filter((name) => /\d/.test(name))).toEqual(['apollo 11: other'])
  })

  test('phrases that a document keeps using are concepts', () => {
    const chunk = 'The pressure cell is small. A new pressure cell costs more. Pressure cells last.'
    expect(names(read([chunk, `Each gauge has pressure cells. ${chunk}`]))).toContain(
      'pressure cell: concept',
    )
    expect(names(read([chunk]))).toEqual([])
  })

  test.each<[Language, string, string[]]>([
    [
      'en',
      'Dear Ms Quarry,\nThank you. Hello Mr Rook, we met. Ms Quarry will call.',
      ['quarry: person', 'rook: person'],
    ],
    [
      'en',
      'Hi Peter,\nplease see the plan. Dear Anna Berg, thank you.',
      ['peter: person', 'anna berg: person'],
    ],
    ['en', 'Dear Customer,\nthank you. Dear Sir or Madam, please pay. Hello World!', []],
    [
      'en',
      'In Early March Ms Hale left. In Late May, Tom Hale met Dr Lind.',
      ['hale: person', 'tom hale: person', 'lind: person'],
    ],
    [
      'en',
      'John M Smith studied at Notre Dame University.',
      ['john m smith: person', 'notre dame university: organization'],
    ],
    [
      'de',
      'Sehr geehrte Frau Birke,\nvielen Dank. Lieber Herr Stein, bis bald.',
      ['birke: person', 'stein: person'],
    ],
    [
      'fr',
      'Chère Madame Blanc,\nmerci. Bonjour Monsieur Roux, à bientôt.',
      ['blanc: person', 'roux: person'],
    ],
  ])('%s: a salutation is no part of a name: %s', (language, text, expected) => {
    expect(names(read([text], language)).toSorted()).toEqual(expected.toSorted())
  })

  test.each([
    ['The Order Management System, or OMS, holds orders. The OMS is old.', 'order management system'],
    ['PMO is short for Project Management Office. The PMO meets in May.', 'project management office'],
    ['The service level agreement (SLA) covers pumps. The SLA is signed in May.', 'service level agreement'],
    ['**SLA**: service level agreement, a promise. The SLA is signed.', 'service level agreement'],
    ['The SLA is signed: a new service level is agreed.', 'sla'],
    ['The Halden Marine Company and the HMC are two. IT: in time for tea.', 'halden marine'],
  ])('an acronym that a text spells out is that name there: %s', (text, key) => {
    const acronyms = read([text]).mentions.filter(({ surface }) => /^[A-Z]{2,3}$/.test(surface))
    expect(acronyms.length).toBeGreaterThan(0)
    expect(new Set(acronyms.map((mention) => mention.key))).toEqual(new Set([key]))
  })

  test('German nouns are no names', () => {
    const text =
      'Der Vertrag zwischen der Müller Werke GmbH und Frau Anna Schmidt gilt ab Montag. Die Kündigung braucht einen Brief nach Berlin.'
    expect(names(read([text], 'de'))).toEqual([
      'müller werke: organization',
      'anna schmidt: person',
      'berlin: location',
    ])
  })

  test('the same document gives the same rows, and offsets point at the surface, whatever the text', () => {
    const word = fc.constantFrom(
      ...'Acme Ltd Jane Roe of the and "The River" PX-100 Dr. in (WHO) is a founded by | , . ; 東京 Москва قلعة 12 🙂 \n'.split(
        ' ',
      ),
    )
    const text = fc.oneof(
      fc.array(word, { maxLength: 60 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 5 }),
        fc.constantFrom<Language>('en', 'de', 'fr', 'xx'),
        (texts, language) => {
          const chunks = chunksOf(...texts)
          const found = extractGraph({ title: '', language }, chunks)
          expect(extractGraph({ title: 'x', language }, chunks)).toEqual(found)
          const keys = new Set(found.mentions.map(({ key }) => key))
          for (const { chunk_no, start, end, surface, key } of found.mentions) {
            expect(
              (texts[chunk_no] ?? '').slice(start, end).replace(/\s+/g, ' ').replaceAll('\\|', '|'),
            ).toBe(surface)
            expect(key).not.toBe('')
          }
          for (const { head, tail, start, end } of found.relations) {
            expect(keys.has(head) && keys.has(tail) && head !== tail && start < end).toBe(true)
          }
        },
      ),
      { numRuns: runs(1500) },
    )
  })
})
