import { expect, test } from 'vitest'
import { readAhead } from './open-pdf.ts'

async function* numbers(upto: number, log: string[]): AsyncGenerator<number> {
  try {
    for (let no = 0; no < upto; no++) {
      log.push(`make ${no}`)
      yield no
    }
    throw new Error('no more')
  } finally {
    log.push('closed')
  }
}

test('asks for one more before the last is worked on, and throws in its place', async () => {
  const log: string[] = []
  const read = async (): Promise<void> => {
    for await (const no of readAhead(numbers(3, log))) log.push(`use ${no}`)
  }
  await expect(read()).rejects.toThrow('no more')
  expect(log).toEqual(['make 0', 'make 1', 'use 0', 'make 2', 'use 1', 'closed', 'use 2'])
})

test('closes its source when its reader stops', async () => {
  const log: string[] = []
  for await (const no of readAhead(numbers(9, log))) if (no === 1) break
  expect(log).toEqual(['make 0', 'make 1', 'make 2', 'closed'])
})
