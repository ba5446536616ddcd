// What a child that was taken over may say: nothing that ends this process, and no figure that is none.

import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { onMessage, share } from './messages.ts'

const schema = z.union([z.object({ share }), z.object({ done: z.literal(true) })])

const others = [5, 'x', null, true, [], {}, { share: 'x' }, { share: {} }, { done: 1 }]

test.each(others.map((message) => ({ message })))(
  '$message ends the child, and nothing is heard of it any more',
  ({ message }) => {
    const child = new EventEmitter()
    const heard: unknown[] = []
    let refused = 0
    onMessage(
      child as never,
      schema,
      (one) => heard.push(one),
      () => refused++,
    )
    child.emit('message', { share: 0.5 })
    child.emit('message', message)
    child.emit('message', { done: true })
    child.emit('message', message)
    expect([heard, refused]).toEqual([[{ share: 0.5 }], 1])
  },
)

test('a share is 0 to 1, whatever is said', () => {
  // JSON has no NaN and no infinity but 1e999.
  const said = ['-1', '0.25', '2', '1e308', JSON.stringify(Number.NaN)]
  expect(said.map((text) => share.parse(JSON.parse(text)))).toEqual([0, 0.25, 1, 1, 0])
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, JSON.parse('1e999')])
    expect(share.safeParse(value).success).toBe(false)
})
