// Addresses as people write them.

import { expect, test } from 'vitest'
import { ModelServer } from './models.ts'

test.each([
  ['localhost:11434', 'http://localhost:11434'],
  ['127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['[::1]:8000/v1', 'http://[::1]:8000/v1'],
  ['gpu:8000', 'http://gpu:8000'],
  ['host.docker.internal:11434/v1', 'http://host.docker.internal:11434/v1'],
  ['api.openai.com/v1', 'https://api.openai.com/v1'],
  [' https://api.openai.com/v1 ', 'https://api.openai.com/v1'],
  ['http://gpu.example.org:8000/v1', 'http://gpu.example.org:8000/v1'],
])('%s is %s', (entered, url) => {
  expect(ModelServer.parse({ url: entered }).url).toBe(url)
})

test.each([
  '',
  'my server',
  'ftp://example.org',
  'user:secret@example.org',
  'https://user:secret@example.org/v1',
  'javascript:alert(1)',
])('%s is no address', (url) => {
  expect(ModelServer.safeParse({ url }).success).toBe(false)
})
