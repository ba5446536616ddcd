import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ConfigError, childEnvironment, readConfig, settings } from './config.ts'

const problems = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('readConfig', () => {
  test('defaults', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8484,
      baseUrl: 'http://127.0.0.1:8484/v1',
      origin: 'http://127.0.0.1:8484',
      askPerHour: 60,
      signup: 'closed',
      role: 'all',
    })
  })

  test('two workers started by themselves have different names, a supervised one keeps its own', () => {
    const alone = { KENNING_ROLE: 'worker', DATABASE_URL: 'postgres://x/x' }
    expect(readConfig(alone).workerName).not.toBe(readConfig(alone).workerName)
    const env = childEnvironment('worker', undefined)
    expect(readConfig(env).workerName).toBe(env.KENNING_WORKER_NAME)
    expect(childEnvironment('worker', undefined).KENNING_WORKER_NAME).not.toBe(env.KENNING_WORKER_NAME)
  })

  test('an embeddings server has an address and a model', () => {
    const url = 'http://localhost:11434/v1'
    expect(readConfig({}).embedder).toEqual({ choice: 'auto', server: undefined, onnxModel: undefined })
    expect(
      readConfig({ KENNING_EMBEDDINGS_URL: url, KENNING_EMBEDDINGS_MODEL: 'm', KENNING_EMBEDDINGS_KEY: 'k' })
        .embedder,
    ).toMatchObject({ server: { url, model: 'm', key: 'k' } })
    expect(problems({ KENNING_EMBEDDINGS_URL: url })[0]).toMatch(/^KENNING_EMBEDDINGS_MODEL: /)
    expect(problems({ KENNING_EMBEDDINGS_MODEL: 'm' })[0]).toMatch(/^KENNING_EMBEDDINGS_URL: /)
    expect(problems({ KENNING_EMBEDDER: 'openai' })[0]).toMatch(/^KENNING_EMBEDDINGS_URL: /)
    expect(problems({ KENNING_EMBEDDER: 'best' })[0]).toMatch(/^KENNING_EMBEDDER: /)
    expect(problems({ KENNING_EMBEDDINGS_URL: 'ftp://x', KENNING_EMBEDDINGS_MODEL: 'm' })[0]).toMatch(/URL: /)
  })

  test('a server that reranks needs its address alone', () => {
    const url = 'http://localhost:8080'
    expect(readConfig({}).rerank).toBeUndefined()
    expect(readConfig({ KENNING_RERANK_URL: url }).rerank).toEqual({ url, model: undefined, key: undefined })
    expect(problems({ KENNING_RERANK_MODEL: 'm' })[0]).toMatch(/^KENNING_RERANK_URL: /)
    expect(problems({ KENNING_RERANK_URL: 'ftp://x' })[0]).toMatch(/^KENNING_RERANK_URL: /)
  })

  test('names every setting that is wrong', () => {
    const found = problems({
      KENNING_PORT: 'x',
      KENNING_ASK_PER_HOUR: '0',
      KENNING_SIGNUP: 'maybe',
      KENNING_ROLE: 'x',
    })
    expect(found.map((line) => line.split(':')[0])).toEqual(
      expect.arrayContaining(['KENNING_PORT', 'KENNING_ASK_PER_HOUR', 'KENNING_SIGNUP', 'KENNING_ROLE']),
    )
  })

  test.each([
    'http://kenning.example.org/v1',
    'https://kenning.example.org',
    'https://kenning.example.org/v1/x',
    'https://kenning.example.org/v1/',
    'https://kenning.example.org//v1',
    'https://kenning.example.org/v1?x=1',
    'https://user@kenning.example.org/v1',
    'ftp://localhost/v1',
    'nonsense',
  ])('refuses the base address %s', (address) => {
    expect(problems({ KENNING_BASE_URL: address })[0]).toMatch(/^KENNING_BASE_URL: /)
  })

  test.each([
    ['https://kenning.example.org/v1', 'https://kenning.example.org'],
    ['HTTPS://Kenning.Example.org:443/v1', 'https://kenning.example.org'],
    ['https://kenning.example.org:8443/v1', 'https://kenning.example.org:8443'],
    ['http://LOCALHOST:80/v1', 'http://localhost'],
  ])('the base address %s has one spelling', (given, origin) => {
    const config = readConfig({ KENNING_BASE_URL: given })
    expect([config.baseUrl, config.origin]).toEqual([`${origin}/v1`, origin])
  })

  test.each(['0.0.0.0', '::'])('on %s without a base address it warns once of plain http', (host) => {
    const config = readConfig({ KENNING_HOST: host, KENNING_PORT: '8080' })
    expect(config.baseUrl).toBe('http://localhost:8080/v1')
    expect(config.warnings).toEqual([expect.stringMatching(/plain http.*TLS proxy.*KENNING_BASE_URL/)])
    const proxied = readConfig({ KENNING_HOST: host, KENNING_BASE_URL: 'https://kenning.example.org/v1' })
    expect([proxied.warnings, readConfig({}).warnings]).toEqual([[], []])
  })

  test('a role alone needs a database that others reach too; admin settings come in pairs', () => {
    expect(problems({ KENNING_ROLE: 'worker' })[0]).toMatch(/^KENNING_ROLE: /)
    expect(problems({ KENNING_ADMIN_EMAIL: 'a@b.org' })[0]).toMatch(/^KENNING_ADMIN_PASSWORD: /)
    expect(problems({ KENNING_HOST: '192.0.2.7' })[0]).toMatch(/^KENNING_BASE_URL: /)
  })
})

test('.env.example names every setting, and no other', () => {
  const named = [...readFileSync('.env.example', 'utf8').matchAll(/^#?\s?([A-Z][A-Z_]+)=/gm)].map(
    (match) => match[1],
  )
  expect(named.sort()).toEqual(Object.keys(settings).sort())
})

test('settings that nobody reads are told in one sentence, with the name that was probably meant', () => {
  const given = { KENNING_PROT: '80', KENNING_ASK_PER_HUOR: '5', KENNING_COLOUR: 'red', KENNING_PORT: '8080' }
  expect(readConfig(given).warnings).toEqual([
    'These settings are unknown and change nothing: KENNING_ASK_PER_HUOR (did you mean KENNING_ASK_PER_HOUR?), ' +
      'KENNING_COLOUR, KENNING_PROT (did you mean KENNING_PORT?).',
  ])
  expect(readConfig({}).warnings).toEqual([])
})
