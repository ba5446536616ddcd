import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import { crane, lease, passage, price } from '../../../test/support/harbour-passages.ts'
import { safeMarkdown } from '../model/safe-markdown.ts'
import { findMarkers } from './markers.ts'
import { openProseVerification, type ProseOptions, verifyProse } from './prose.ts'

const passages = [lease, crane, price]
const verify = (reply: string, more: Partial<ProseOptions> = {}) => verifyProse(reply, { passages, ...more })

describe('a statement', () => {
  it('gets its passage before the full stop, and is left out where no passage supports it', () => {
    const { answer, citations, unsupported } = verify(
      'Either party may end this lease by six months written notice. Ines Okafor inspected the slipway crane on 4 May 2024! ' +
        'The harbour master is Jonas Brandt of Hamburg.\n\nIn short, the crane seems fine.',
    )
    expect(answer).toBe(
      'Either party may end this lease by six months written notice [1]. Ines Okafor inspected the slipway crane on 4 May 2024 [2]!' +
        '\n\nIn short, the crane seems fine.',
    )
    expect([citations.map((c) => c.chunk_id), unsupported]).toEqual([[lease.chunk_id, crane.chunk_id], 1])
  })

  it.each([
    'What follows is about the lease with Ines Okafor:',
    '# The slipway crane lifts 12 tonnes by Ines Okafor',
    '# Key points',
    '| The slipway crane | lifts 12 tonnes | Ines Okafor | inspected |',
    '`The slipway crane lifts 12 tonnes and was inspected by Ines Okafor`',
    'The slipway crane lifts 12 tonnes and was inspected by Ines Okafor. [2]',
    'The documents do not say it.',
    'I could not find information about penguins in the documents.',
  ])('stays as it is where it states nothing, consists of the passages, or is cited: %s', (text) => {
    const { answer, unsupported } = verify(text)
    expect([answer.replace('[1]', '[2]'), unsupported]).toEqual([text, 0])
  })

  it('about the search may name what was asked, and nothing that no source has', () => {
    const text = 'The documents do not say when Jonas Brandt signed the lease of Hamburg.'
    expect(verify(text, { otherSources: ['When did Jonas Brandt sign it in Hamburg?'] }).answer).toBe(text)
    expect(
      verify('According to the documents, the tower of Pisa was built by Bonanno Pisano.'),
    ).toMatchObject({
      answer: '',
      unsupported: 1,
    })
  })

  it.each([
    'The passages shown do not say when, where or by whom.',
    'Unfortunately, the documents do not contain any information about penguins.',
    'There is no information about penguins in the documents.',
    'The requested information is not in the documents.',
    'None of the passages mentions penguins.',
    'Die Dokumente enthalten dazu nichts.',
    'In den Dokumenten steht nichts über Pinguine.',
    'Dazu konnte ich in den Unterlagen keine Angaben finden.',
    'Les documents ne disent rien sur les pingouins.',
    'Ich konnte dazu in den Unterlagen nichts finden.',
    'Je n’ai trouvé aucune information sur les pingouins.',
    'Los documentos no mencionan los pingüinos.',
    'No he encontrado información sobre los pingüinos.',
  ])('about the search stays: %s', (text) => {
    expect(verify(text)).toMatchObject({ answer: text, unsupported: 0 })
  })

  it.each([
    'Customer information may be sold freely to third parties without asking them.',
    'The documents permit everybody to smoke and to set off fireworks on the roof.',
    'The documents permit everybody to smoke and to set off fireworks on the roof [2].',
    'The sources of funding are kept secret by everybody involved.',
    'The documents do not say it, but everybody is permitted to smoke upstairs.',
    'The documents do not mention penguins and everybody is permitted to smoke upstairs.',
    'The documents do not mention penguins, which everybody is permitted to hunt upstairs.',
    'No information about customers is ever passed on to third parties.',
    'I could not find penguins; everybody is permitted to smoke upstairs.',
    'The documents do not give visitors permission to smoke upstairs.',
    'Die Dokumente erlauben allen das Rauchen auf dem Dach.',
    'Les documents permettent à tous de fumer sur le toit.',
  ])('about other things than the search is left out, whatever words it has: %s', (text) => {
    const rules = [passage(1, 'Notice takes six months.'), passage(2, 'Tenants may not keep dogs.')]
    expect(verify(text, { passages: rules })).toMatchObject({ answer: '', unsupported: 1 })
  })

  it('of few words is left out where it lost its marker', () => {
    const otherSources = ['Is smoking tolerated upstairs?']
    expect(verify('Smoking is tolerated upstairs [1].', { otherSources }).answer).toBe('')
  })

  it.each([
    ['According to the documents, the slipway crane lifts 12 tonnes', 2],
    ['The documents say that the slipway crane lifts 12 tonnes', 2],
  ])('gets its passage for what it says that the documents say: %s', (text, number) => {
    const { answer, citations } = verify(`${text}.`)
    expect([answer, citations[0]?.chunk_id]).toEqual([`${text} [1].`, passages[number - 1]?.chunk_id])
  })

  const rules = [
    passage(1, 'Tenants may not keep dogs in the building. Cats may be kept in the building.'),
    passage(2, 'The lift carries eight persons, but it may not carry furniture. No fee is due for the lift.'),
    passage(
      3,
      'Balconies may not be painted without written consent. The deposit must not exceed two months of rent.',
    ),
    passage(4, 'Tenants may not:\n- store bicycles in the common corridor'),
  ]

  it.each([
    'Tenants may keep dogs in the building [1].',
    'Tenants may keep dogs in the building.',
    'Dogs may be kept in the building by tenants [3].',
    'Cats may not be kept in the building [1].',
    'According to the documents, tenants may keep dogs in the building [1].',
    'The house rules say that tenants may keep dogs in the building [1].',
    'The lift may carry furniture [2].',
    '1. Tenants may keep dogs in the building [1].',
    '## Tenants may keep dogs in the building',
    '`Tenants may keep dogs in the building.`',
    'A fee is due for the lift [2].',
    'Tenants may not keep cats [9], but may keep dogs in the building [1].',
  ])('is left out where its passage says the opposite: %s', (text) => {
    expect(verify(text, { passages: rules })).toMatchObject({ answer: '', citations: [], unsupported: 1 })
  })

  it.each([
    'Tenants may not keep dogs in the building [1].',
    'No, tenants may not keep dogs in the building [1].',
    'Dogs are not allowed in the building [1].',
    'Cats may be kept in the building [1].',
    'The lift carries eight persons [1].',
    'The lift carries eight persons but no furniture [1].',
    'No fee is due for the lift [1].',
    'Balconies may be painted with written consent [1].',
    'The deposit is at most two months of rent [1].',
    'Tenants may not store bicycles in the common corridor [1].',
  ])('keeps its passage where both deny or neither does: %s', (text) => {
    const numbered = (n: number): string => text.replace('[1]', `[${n}]`)
    const own = rules.findIndex((_, i) => verify(numbered(i + 1), { passages: rules }).answer === text)
    expect(own).toBeGreaterThanOrEqual(0)
    expect(verify(numbered(own + 1), { passages: rules })).toMatchObject({ answer: text, unsupported: 0 })
  })

  it('that one passage denies gets another that says it', () => {
    const both = [passage(1, 'Tenants may not keep dogs.'), passage(2, 'Since May, tenants may keep dogs.')]
    const { answer, citations } = verify('Tenants may keep dogs [1].', { passages: both })
    expect([answer, citations.map(({ text }) => text)]).toEqual([
      'Tenants may keep dogs [1].',
      [both[1]?.text],
    ])
  })

  it.each([
    ['a short one with a figure', 'The crane lifts 900 tons.'],
    ['a figure alone', 'It is 900.'],
    ['a name alone', 'It was Bonanno.'],
    ['one without a name', 'Penguins breed quietly along southern shores.'],
    ['a heading', '# The tower of Pisa was built in 1173 by Bonanno Pisano'],
    ['a code block', '```\nThe tower of Pisa was built in 1173\n```'],
    ['code in a sentence', '`The tower of Pisa was built by Bonanno. He died there.`'],
    ['a table', '| Tower | Built |\n| --- | --- |\n| Pisa | 1173 |'],
    ['an item', '- The tower of Pisa was built in 1173.'],
    ['a lead', 'In 1173 Bonanno Pisano built these towers:'],
  ])('is left out: %s', (_, text) => {
    const whole = verify(`The crane lifts 12 tonnes [2].\n\n${text}`)
    expect(whole.answer).toBe('The crane lifts 12 tonnes [1].')
    expect(whole.unsupported).toBe(1)
  })

  it('with a figure that no source has is left out though it is cited, unless it was calculated or asked', () => {
    const wrong = 'The slipway crane lifts 900 tonnes [2]. Ines Okafor inspected it in 2024 [2].'
    const { answer, citations, unsupported } = verify(wrong)
    expect(answer).toBe('Ines Okafor inspected it in 2024 [1].')
    expect([citations.map((c) => c.chunk_id), unsupported]).toEqual([[crane.chunk_id], 1])
    const known = verify(wrong, { otherSources: ['{"sum":"900"}'] })
    expect([known.answer.includes('900'), known.unsupported]).toEqual([true, 0])
  })

  it('is left out for what stands behind its marker', () => {
    const text =
      'The crane lifts 12 tonnes [2] and penguins breed quietly along southern shores. It is fine [2].'
    expect(verify(text).answer).toBe('It is fine [1].')
  })

  it('does not get a passage for a figure that the passage does not have', () => {
    const wrong = 'The slipway crane lifts 99 tonnes and was inspected by Ines Okafor in May.'
    expect(verify(wrong)).toMatchObject({ answer: '', citations: [], unsupported: 1 })
  })

  it('keeps the passage of a calculated figure without a shared word, and gets it when uncited', () => {
    const more = {
      otherSources: ['Result: 51.75'],
      calculations: [{ result: '51.75 2', sources: [price] }],
    }
    const cited = verify('On average they are worth roughly €51.75 apiece [3].', more)
    expect([cited.answer, cited.citations[0]?.chunk_id]).toEqual([
      'On average they are worth roughly €51.75 apiece [1].',
      price.chunk_id,
    ])
    expect(verify('On average they are worth roughly €51.75 apiece.', more).answer).toBe(cited.answer)
    // A figure calculated from one passage does not support another.
    const other = verify('On average they are worth roughly €51.75 apiece [1].', more)
    expect(other.citations[0]?.chunk_id).not.toBe(lease.chunk_id)
  })

  it.each([
    ['The notice period ends with the quarter', 'Die Kündigungsfrist endet zum Quartal.', 'de'],
    ['Everybody must put on a helmet there', 'In der Werkstatt ist ein Schutzhelm zu tragen.', 'de'],
    ['The lessor keeps all materials there', 'Le bailleur y garde tous les matériaux.', 'fr'],
    ['Der Vermieter zahlt jede Reparatur selbst', 'The landlord pays for each repair.', 'en'],
  ] as const)('keeps the passage in another language: %s [1]', (said, text, language) => {
    const { answer, unsupported } = verify(`${said} [1].`, { passages: [passage(1, text, { language })] })
    expect([answer, unsupported]).toEqual([`${said} [1].`, 0])
  })

  it('is covered by a passage cited later in the paragraph', () => {
    const text = 'The crane carries a good 12 tonnes with ease. It was inspected by Ines Okafor [2].'
    expect(verify(text).unsupported).toBe(0)
  })

  it('leaves its list, its row and its emphasis whole when it is left out', () => {
    const list =
      '- The crane lifts 12 tonnes [2].\n- Penguins breed along southern shores [2].\n- Notice takes six months [1].'
    expect(verify(list).answer).toBe('- The crane lifts 12 tonnes [1].\n- Notice takes six months [2].')
    const table =
      '| Part | Price |\n| --- | --- |\n| MF-204 | €14.50 [3] |\n| ZX-900 | €77.70 |\n| MF-310 | €89.00 |'
    expect(verify(table).answer).toBe(
      '| Part | Price |\n| --- | --- |\n| MF-204 | €14.50 [1] |\n| MF-310 | €89.00 |',
    )
    const strong = '**Penguins breed along southern shores. The crane lifts 12 tonnes [2].**'
    expect(verify(strong).answer).toBe('**The crane lifts 12 tonnes [1].**')
  })
})

/** What is shown while a reply comes in pieces, and the whole. */
function written(pieces: readonly string[], options: ProseOptions) {
  const verification = openProseVerification(options)
  let reply = ''
  const shown = pieces.map((piece) => {
    reply += piece
    expect(verification.continues(reply)).toBe(true)
    return verification.advance(reply).text
  })
  return { shown, verified: verification.finish(reply) }
}

describe('while a reply is written', () => {
  it('a sentence is shown when it ends, before the next one begins', () => {
    const { shown, verified } = written(
      [
        'The crane lifts 12 ton',
        'nes [2].',
        ' Six months',
        ' written notice ends the lease',
        ' [1]',
        '.',
        ' Fine',
      ],
      { passages },
    )
    const first = 'The crane lifts 12 tonnes [1].'
    const both = `${first} Six months written notice ends the lease [2].`
    expect(shown).toEqual(['', first, first, first, first, both, both])
    expect(verified.answer).toBe(`${both} Fine`)
  })

  it('a sentence without its marker waits for what follows', () => {
    const { shown, verified } = written(
      [
        'The slipway crane lifts 12 tonnes.',
        ' [',
        '2] ',
        'It was inspected',
        ' by Ines Okafor in 2024.',
        '\n\n',
        'Six ',
      ],
      { passages },
    )
    expect(shown.slice(0, 2)).toEqual(['', ''])
    // A model that pauses here need not be waited for.
    expect(shown[2]).toBe('The slipway crane lifts 12 tonnes. [1]')
    expect(verified.answer).toContain('It was inspected by Ines Okafor in 2024 [1].')
  })

  it('a marker behind a sentence that was shown is added to it', () => {
    const { shown, verified } = written(['The crane lifts 12 tonnes. [2]', '[2', '] [1] Six'], { passages })
    expect(shown[0]).toBe('The crane lifts 12 tonnes. [1]')
    for (const text of [...shown, verified.answer]) expect(text.startsWith(shown[0] ?? '')).toBe(true)
  })

  it('an abbreviation before a marker ends no sentence', () => {
    const { shown } = written(['The slipway crane of Ines Okafor lifts approx. [2]', ' 12 tonnes [2].'], {
      passages,
    })
    expect(shown[0]).toBe('')
  })

  it('one that a later citation may cover waits for the end of its paragraph', () => {
    const sentence = 'The crane carries a good 12 tonnes with ease.'
    const { shown, verified } = written([`${sentence} It was`, ' inspected by Ines Okafor [2].'], {
      passages,
    })
    expect(shown).toEqual(['', `${sentence} It was inspected by Ines Okafor [1].`])
    expect(verified.answer).toBe(shown[1])
  })

  it('another reply needs another verification', () => {
    const verification = openProseVerification({ passages })
    verification.advance('The crane lifts 12 tonnes [2]. And')
    expect(verification.continues('The crane lifts 12 tonnes [2]. Now')).toBe(true)
    expect(verification.continues('The crane')).toBe(false)
    expect(verification.continues('Six months')).toBe(false)
  })

  it('composed replies: no unverified sentence is shown, and each verified one is', () => {
    fc.assert(fc.property(composedReply, cuts, holds), { numRuns: runs(2000, 20) })
  })
})

// Sentences that the passages support, with and without markers, and what they look like when they are shown.
const supported = fc.constantFrom(
  'The slipway crane lifts 12 tonnes [2].',
  'The slipway crane lifts 12 tonnes.',
  'Ines Okafor inspected the slipway crane on 4 May 2024 [2].',
  'Ines Okafor inspected the slipway crane on 4 May 2024. [2]',
  'Either party may end this lease by six months written notice [1].',
  'Either party may end the lease by **six months** written notice [7].',
  'The part MF-204 costs €14.50 [3].',
  'The other party gets written notice of six months 【1】.',
  'MF-310 has a price of €89.00 [3][2].',
)
// Each has a word beginning with "zz", so that it is known wherever it comes out.
const NONSENSE = /zz/i
const unsupported = fc.constantFrom(
  'The zzpier of Zzborg was built in 1173 by Zzonanno.',
  'The zzpier of Zzborg was built in 1173 by Zzonanno [2].',
  'The zzpier of Zzborg was built in 1173 [99].',
  'Zzenguins breed quietly zzalong southern shores.',
  'Zzenguins breed quietly zzalong southern shores [1].',
  'The slipway crane lifts 900 zztonnes [2].',
  'The slipway crane lifts 12 tonnes [2], and zzenguins breed quietly zzalong southern shores.',
  'According to the documents, the zzpier was built by Zzonanno.',
  'Was it not in 1173 that Zzonanno built it?',
  '`The zzpier of Zzborg was built. In 1173 it fell.`',
  '**The zzpier of Zzborg** was built in 1173.',
  '“The zzpier of Zzborg was built in 1173.” [2]',
  'Zzonanno built e.g. the zzpier of approx. 88 m at Zzborg.',
  'See [the zzpier of 1173](https://zzevil.example/a. b).',
  '![The zzpier of Zzborg. 1173](https://zzevil.example).',
  'In 1173 Zzonanno built these:',
  '1173 (Zzborg).',
  'Customer information may be zzsold freely without asking anybody.',
  'The documents permit everybody to zzsmoke and to set off fireworks upstairs [2].',
  'The sources of zzfunding are kept secret by everybody involved.',
  'The documents do not say it, but everybody is permitted to zzsmoke upstairs.',
)
// What the passages say, denied. Each has "never", which no other sentence has.
const DENIED = /never/i
const opposite = fc.constantFrom(
  'Either party may never end this lease by giving six months notice to the other party [1].',
  'Either party may never end this lease by giving six months notice [7].',
  'The slipway crane never lifts 12 tonnes.',
  'The slipway crane never lifts 12 tonnes [2].',
  'The slipway crane was never inspected by Ines [2].',
  '**The slipway crane never lifts 12 tonnes** [2].',
)
const remark = fc.constantFrom('In short:', 'Yes.', 'The documents do not say more.', 'Note this.')
const sentence = fc.oneof(
  { weight: 5, arbitrary: supported },
  { weight: 5, arbitrary: unsupported },
  { weight: 2, arbitrary: opposite },
  { weight: 1, arbitrary: remark },
)
const paragraph = fc
  .tuple(fc.array(sentence, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', '- ', '> ', '1. ', '**'))
  .map(([parts, mark]) => (mark === '**' ? `**${parts.join(' ')}**` : mark + parts.join(' ')))
const blockOfReply = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  fc
    .array(sentence, { minLength: 1, maxLength: 4 })
    .map((items) => items.map((item) => `- ${item}`).join('\n')),
  unsupported.map((text) => `## ${text}`),
  unsupported.map((text) => `\`\`\`\n${text}\n\n${text}\n\`\`\``),
  fc
    .array(fc.constantFrom('| MF-204 | €14.50 [3] |', '| Zzborg | 1173 |', '| zzpier | €77.70 |'), {
      maxLength: 4,
    })
    .map((rows) => ['| Part | Price |', '| --- | --- |', ...rows].join('\n')),
)
const composedReply = fc
  .tuple(
    fc.array(blockOfReply, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('\n\n', '\n\n', '\n', '\r\n\r\n'),
  )
  .map(([blocks, gap]) => blocks.join(gap))
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })

function piecesOf(reply: string, lengths: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0; at < reply.length; ) {
    const length = lengths[pieces.length % lengths.length] ?? 1
    pieces.push(reply.slice(at, at + length))
    at += length
  }
  return pieces
}

function holds(reply: string, lengths: readonly number[]): void {
  const clean = (markdown: string): string => safeMarkdown(markdown, () => false)
  const { shown, verified } = written(piecesOf(reply, lengths), {
    passages,
    clean,
    otherSources: ['What about the crane?'],
  })
  for (const [i, text] of shown.entries()) {
    expect(text).not.toMatch(NONSENSE)
    expect(text).not.toMatch(DENIED)
    expect(text.startsWith(shown[i - 1] ?? '')).toBe(true)
  }
  const { answer, citations } = verified
  expect(answer).not.toMatch(NONSENSE)
  expect(answer).not.toMatch(DENIED)
  expect(answer.startsWith(shown.at(-1) ?? '')).toBe(true)
  // Numbered alike in what is shown and in the answer: 1 to k by first appearance, each marker a citation.
  const numbers = findMarkers(answer).flatMap((group) => group.numbers)
  expect([...new Set(numbers)]).toEqual(citations.map(({ number }) => number))
  // What is supported is there, once for each time that it was written.
  if (COMBINES.test(reply)) return
  for (const text of ['Okafor', 'written notice', 'MF-204 costs', 'MF-310 has'])
    expect([text, answer.split(text).length]).toEqual([text, reply.split(text).length])
}

// Code, tables and headings, and what joins two sentences to one.
const COMBINES = /[`|#“!]|\]\(|e\.g\.|:\s/
