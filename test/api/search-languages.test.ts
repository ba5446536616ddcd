// POST /search in several languages: compounds, and languages next to the main one of a workspace.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { termHash } from '../../src/index/weights.ts'
import { selectLanguagesOf } from '../../src/search/query/query.sql.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { pages, putDocument, settle } from '../support/put.sql.ts'

let app: TestApp
let owner: Person
let token: string
beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
})
afterAll(async () => {
  await app.close()
})

const search = (workspaceId: string, body: object) =>
  app.send('POST', `/v1/workspaces/${workspaceId}/search`, token, { body })

const texts = (answer: { body: unknown }): string[] =>
  (answer.body as { data: { text: string }[] }).data.map(({ text }) => text)

const put = (workspaceId: string, chunks: readonly string[], more: { language?: 'de' | 'fr' | 'es' } = {}) =>
  putDocument(app.deps.db, workspaceId, randomUUID(), pages(chunks), more)

describe('compounds', () => {
  let id: string
  beforeAll(async () => {
    id = await app.workspace(owner)
    await put(
      id,
      [
        'Die Kündigungsfrist für den Mietvertrag beträgt drei Monate zum Ende eines Quartals.',
        'Wer die Frist zur Kündigung versäumt, der zahlt die Miete für das nächste Jahr.',
        'Der Vertrag über die Wartung der Aufzüge ist schriftlich und wird jedes Jahr erneuert.',
        'Praktisch sind die Stühle, weil man sie nach der Sitzung stapeln kann.',
        'Am Tisch im Büro sitzen die Leute, die den Schlüssel haben.',
      ],
      { language: 'de' },
    )
    await settle(app.deps.db, id)
  })

  test.each([
    ['Frist', ['Wer die Frist', 'Die Kündigungsfrist']],
    ['Kündigungsfristen', ['Die Kündigungsfrist', 'Wer die Frist']],
    ['Verträge', ['Der Vertrag', 'Die Kündigungsfrist']],
    ['Wartungsvertrag', ['Der Vertrag']],
    ['Tisch', ['Am Tisch']],
  ])('%s', async (query, expected) => {
    const found = texts(await search(id, { query }))
    expect(found).toHaveLength(expected.length)
    for (const [at, start] of expected.entries()) expect(found[at]).toContain(start)
  })
})

describe('compounds that begin with a word of the query, and sentences in other languages', () => {
  let id: string
  beforeAll(async () => {
    id = await app.workspace(owner)
    await put(
      id,
      [
        'Waschmaschinenreparatur: Der Monteur kommt am Dienstag in den Keller.',
        'Die Feuerlöscherprüfung ist im Mai, und die Protokolle liegen im Büro.',
        'Für die Dachrinnensanierung gibt es drei Angebote, die bis Juni gelten.',
        'Die Tore sind ab acht Uhr offen.\nLes travaux du canal sont finis.',
        'Der Weg ist frei.\nThe geese are not fed by the guests.\nI ponti della città sono chiusi.',
        'Das Haus ist alt.\nLes chevaux sont dans le pré.\nLos autobuses no pasan por la noche.',
      ],
      { language: 'de' },
    )
    await settle(app.deps.db, id)
  })

  test.each([
    ['Waschmaschine', 'Waschmaschinenreparatur'],
    // The stemmer cuts more off the compound than off its head.
    ['Reparatur der Waschmaschine', 'Waschmaschinenreparatur'],
    ['Feuerlöscher', 'Die Feuerlöscherprüfung'],
    ['Prüfung', 'Die Feuerlöscherprüfung'],
    ['Sanierung der Dachrinne', 'Für die Dachrinnensanierung'],
    ['travail', 'Die Tore'],
    ['goose', 'Der Weg'],
    ['cheval', 'Das Haus'],
    ['autobús', 'Das Haus'],
  ])('%s', async (query, start) => {
    expect(texts(await search(id, { query }))).toEqual([expect.stringContaining(start)])
  })

  test('a short word finds its compounds among many words that only begin with the same letters', async () => {
    const crowded = await app.workspace(owner)
    const names = Array.from('bcdfghjklmnpqrstvwxz', (letter) => [
      `Olg${letter}unta`,
      `Oli${letter}onda`,
      `Ols${letter}erin`,
    ])
    const crowd = `Auf der Liste stehen ${names.flat().join(' und ')}.`
    await put(crowded, [crowd, `Wir grüßen: ${crowd}`, 'Der Ölwechsel steht im Juni an.'], { language: 'de' })
    await settle(app.deps.db, crowded)
    expect(texts(await search(crowded, { query: 'Öl' }))).toEqual([expect.stringContaining('Ölwechsel')])
  })

  // What is left of the longer word is no word.
  test.each(['Proto', 'Dien'])('nothing for %s', async (query) => {
    expect(texts(await search(id, { query }))).toEqual([])
  })
})

describe('languages beside the main one', () => {
  let id: string
  beforeAll(async () => {
    id = await app.workspace(owner)
    await put(id, [
      'The service charge for energy is paid with the rent.',
      'The time at sea is noted by the mate.',
      'Overtime is paid with the next wage.',
      'Each pair of gloves has its pair of locks.',
      'Another pair is in the shed.',
      ...Array.from({ length: 30 }, (_, n) => `Berth ${n} of the harbour was dredged in spring.`),
    ])
    await put(id, ['Die Wärmepumpe wird einmal im Jahr gewartet.'], { language: 'de' })
    await put(id, ["Le préavis de la location est d'un mois."], { language: 'fr' })
    await put(id, ['El precio de la energía es de veinte céntimos.', 'Cada país tiene su norma.'], {
      language: 'es',
    })
    await put(id, ['Die Frist läuft über das Jahr.', 'Die Kündigungsfrist beträgt drei Monate.'], {
      language: 'de',
    })
    await settle(app.deps.db, id)
  })

  test.each([
    ['precio de la energía', ['El precio', 'The service charge']],
    ['Pumpe', ['Die Wärmepumpe']],
    // No typing error for pair: it stands in the workspace as it was typed.
    ['país', ['Cada país']],
    ['Wie lang ist die Frist?', ['Die Frist', 'Die Kündigungsfrist']],
    // It stands in German chunks alone.
    ['Frist', ['Die Frist', 'Die Kündigungsfrist']],
    // A word that the workspace knows is no head of English words that end alike.
    ['time', ['The time']],
  ])('%s', async (query, expected) => {
    const found = texts(await search(id, { query }))
    expect(found.map((text) => expected.findIndex((start) => text.startsWith(start)))).toEqual([
      ...expected.keys(),
    ])
  })

  test.each([
    // The index holds the chunks of all workspaces.
    ['through its few chunks', { chunks: 41, share: 0.001 }, false],
    ['through the index', { chunks: 100_000, share: 0.5 }, true],
  ])('the language of a word is told by those of its workspace: %s', async (_, size, byIndex) => {
    const sent: string[] = []
    const rows: typeof app.deps.db.rows = (statement) => {
      sent.push(statement.text)
      return app.deps.db.rows(statement)
    }
    const term = termHash('frist')
    const found = await selectLanguagesOf({ rows }, id, [term, termHash('nowhere')], size)
    expect(found).toEqual([{ term, language: 'de', chunks: 1 }])
    expect(sent.map((text) => text.includes('chunks_holding'))).toEqual([byIndex])
  })

  test('words of a second language of many chunks are no heads of English words', async () => {
    const mixed = await app.workspace(owner)
    await put(mixed, [
      'The port is deep.',
      'We support the quay.',
      'Sup, sup.',
      'The transport is late.',
      'Tea.',
    ])
    await put(mixed, ['Der Hafen ist tief.', 'Die Wärmepumpe läuft.'], { language: 'de' })
    await settle(app.deps.db, mixed)
    expect(texts(await search(mixed, { query: 'port' }))).toEqual(['The port is deep.'])
    expect(texts(await search(mixed, { query: 'Pumpe' }))).toEqual(['Die Wärmepumpe läuft.'])
  })

  test('short queries in English are asked whole, though a word of theirs is a stop word elsewhere', async () => {
    const english = await app.workspace(owner)
    const notes = [
      'The war is over.',
      'Crimes are tried here.',
      'Crimes of the war are tried.',
      'The sea is calm.',
    ]
    await put(english, [...notes, 'The level is low.', 'Watch the level of the sea.'])
    await settle(app.deps.db, english)
    const both = await app.workspace(owner)
    await put(both, notes)
    await put(both, ['Was war das für ein Tag?', 'Der Hafen ist tief.'], { language: 'de' })
    await settle(app.deps.db, both)
    for (const id of [english, both]) {
      expect(texts(await search(id, { query: 'war crimes' }))[0]).toBe('Crimes of the war are tried.')
      expect(texts(await search(id, { query: 'war' })).sort()).toEqual([
        'Crimes of the war are tried.',
        'The war is over.',
      ])
    }
    expect(texts(await search(english, { query: 'sea level' }))[0]).toBe('Watch the level of the sea.')
  })
})
