import { expect, test } from 'vitest'
import { originOf } from './credential.ts'

test.each([
  ['kenning.example.org', 'https://kenning.example.org'],
  ['localhost:8484', 'http://localhost:8484'],
  ['https://kenning.example.org/v1/', 'https://kenning.example.org'],
  ['intranet.example.org/kenning', 'https://intranet.example.org/kenning'],
  ['https://intranet.example.org/kenning/v1', 'https://intranet.example.org/kenning'],
])('%s is the service at %s', (address, expected) => {
  expect(originOf(address)).toBe(expected)
})

test.each(['https://kenning.example.org/?q=a', 'https://me@kenning.example.org', 'https://'])(
  '%s is no address of a service',
  (address) => {
    expect(() => originOf(address)).toThrow('is not the address of a service')
  },
)
