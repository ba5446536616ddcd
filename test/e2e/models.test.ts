// `kenning models`: an administrator lists, tries, sets and removes the language model from a shell.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ModelFinding, ModelSettings, ServerModels } from '../../src/contract/models.ts'
import { ollamaWithoutTools } from '../models/ollama.ts'
import { type ChatServer, chatServer } from '../support/chat-server.ts'
import { embeddingsServer } from '../support/embeddings-server.ts'
import { type Ended, type Home, makeHome } from '../support/kenning.ts'
import { quickService } from '../support/quick-service.ts'
import { ADMIN, type Service } from '../support/service.ts'

let service: Service
let home: Home
let chat: ChatServer
beforeAll(async () => {
  service = await quickService({ env: { KENNING_PRIVATE_NETWORKS: '127.0.0.1' } })
  home = makeHome(() => ({ KENNING_SERVER: service.origin }))
  chat = await chatServer({
    ...ollamaWithoutTools,
    refuse: (request, headers, query) =>
      request.model === 'nosuch'
        ? { status: 404, body: '{"error":{"message":"model not found"}}' }
        : ollamaWithoutTools.refuse?.(request, headers, query),
  })
  chat.answer = ({ messages, stream }) => {
    if (!stream) return { content: { first_day: 'Monday', days: 7 } }
    const isFound = messages.some(({ content }) => content?.includes('4711'))
    return isFound ? { text: '4711' } : { calls: [{ name: 'look_up', arguments: { word: 'harbour' } }] }
  }
})
afterAll(async () => {
  home?.remove()
  await chat?.close()
  await service?.remove()
})

const ASKED = ['--email', ADMIN.email, '--password-stdin']
const kenning = (...args: string[]): Promise<Ended> =>
  home.kenning([...args, ...ASKED], { input: `${ADMIN.password}\n` })
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await kenning(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

test('a model is listed, tried, set, shown and removed', async () => {
  expect((await kenning('models')).stdout).toContain('No language model')
  expect(await json<ServerModels>('models', 'list', '--url', chat.url)).toEqual({
    url: chat.url,
    data: [{ id: 'm' }],
    problem: null,
  })
  const tried = await kenning('models', 'try', 'm', '--url', chat.url)
  expect(tried.code, tried.stderr).toBe(0)
  expect(tried.stdout).toMatch(/^warning +tools +The server refuses tools/m)
  expect(tried.stdout).toContain('OLLAMA_CONTEXT_LENGTH')
  const key = join(home.folder, 'key.txt')
  writeFileSync(key, 'sk-granite-0815\n')
  const { language } = await json<ModelSettings>('models', 'set', 'm', '--url', chat.url, '--key-file', key)
  expect(language).toMatchObject({ source: 'settings', model: 'm', url: chat.url, has_key: true })
  const { data } = await json<{ data: ModelFinding[] }>('models', 'try')
  expect(data.map(({ check }) => check)).toEqual(['answer', 'tools', 'context', 'structure'])
  expect((await kenning('models')).stdout).toContain(`m at ${chat.url} answers questions.\n`)
  expect((await kenning('models', 'clear')).code).toBe(0)
  expect((await json<ModelSettings>('models')).language.source).toBe('none')
})

test('a model that its server does not have is refused unless it is wanted so', async () => {
  const refused = await kenning('models', 'set', 'nosuch', '--url', chat.url)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('The server has no model “nosuch”')
  expect(refused.stderr).toContain('--unchecked')
  expect((await kenning('models', 'set', 'nosuch', '--url', chat.url, '--unchecked')).code).toBe(0)
  expect((await kenning('models', 'clear')).code).toBe(0)
})

test('embeddings, reranker and budget are set and removed as well', async () => {
  const embeddings = await embeddingsServer()
  embeddings.models = ['m']
  try {
    const server = ['--for', 'embeddings', '--url', new URL(embeddings.url).host]
    expect((await kenning('models', 'try', 'm', ...server)).stdout).toContain('vectors of 16 numbers')
    const set = await json<ModelSettings>('models', 'set', 'm', ...server, '--yes')
    expect(set.embeddings).toMatchObject({ source: 'settings', url: embeddings.url, dimensions: 16 })
    expect((await kenning('models')).stdout).toContain('finds passages by their meaning')
    expect((await kenning('models', 'clear', '--for', 'embeddings', '--yes')).code).toBe(0)
    expect((await kenning('models', 'budget', '2000')).stdout).toContain('2000 tokens')
    expect((await json<ModelSettings>('models')).graph).toMatchObject({ source: 'settings', tokens: 2000 })
    expect((await kenning('models', 'set', '--for', 'embeddings')).code).toBe(2)
  } finally {
    await embeddings.close()
  }
})

test('what is wrong is said, with an exit code of its own', async () => {
  expect(await kenning('models', 'try', 'm', '--url', 'http://127.0.0.1:9/v1')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Check the address'),
  })
  expect(await kenning('models', 'set', 'm')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--provider'),
  })
  expect(await home.kenning(['models', ...ASKED], { input: 'wrong' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`choose the model at ${service.origin}/models`),
  })
})
