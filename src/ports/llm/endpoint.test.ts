import { expect, test } from 'vitest'
import { endpointOf } from './endpoint.ts'

test.each([
  ['http://localhost:11434/v1', 'http://localhost:11434/v1/chat/completions', 'http://localhost:11434/props'],
  [
    'http://localhost:11434/v1/',
    'http://localhost:11434/v1/chat/completions',
    'http://localhost:11434/props',
  ],
  ['http://h/v1/chat/completions', 'http://h/v1/chat/completions', 'http://h/props'],
  ['http://h', 'http://h/chat/completions', 'http://h/props'],
  ['http://h/llama/v1', 'http://h/llama/v1/chat/completions', 'http://h/llama/props'],
  [
    'https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21',
    'https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21',
    'https://r.openai.azure.com/openai/deployments/d/props',
  ],
])('%s', (url, chatUrl, props) => {
  const endpoint = endpointOf(url, 'k')
  expect(endpoint.chatUrl).toBe(chatUrl)
  expect(endpoint.atRoot('props')).toBe(props)
})

test('the key goes into the header that the server reads', () => {
  expect(endpointOf('https://h/v1', 'k').headers).toEqual({ authorization: 'Bearer k' })
  expect(endpointOf('https://h/d?api-version=1', 'k').headers).toEqual({ 'api-key': 'k' })
  expect(endpointOf('https://h/v1', undefined).headers).toEqual({})
})
