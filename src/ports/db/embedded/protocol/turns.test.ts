import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { takeTurns } from './turns.ts'

interface Client {
  name: string
}

/** A session with PostgreSQL's transaction state and a history, but no data. */
function stage(idleLimitMs = 60_000) {
  const history: string[] = []
  let open = false
  let busy = 0
  let overlapped = false
  let wake = () => {}
  const turns = takeTurns<Client>(
    {
      async run(client, unit) {
        overlapped ||= busy > 0
        busy += 1
        await new Promise((resolve) => setImmediate(resolve))
        const text = unit.toString()
        if (text === 'begin') open = true
        if (text === 'commit') open = false
        history.push(`${client.name}:${text}`)
        busy -= 1
        wake()
      },
      inTransaction: () => open,
      async rollback() {
        open = false
        history.push('rollback')
        wake()
      },
      idleTooLong: (client) => {
        history.push(`idle ${client.name}`)
        turns.leave(client)
      },
      failed: (error) => {
        throw error
      },
    },
    idleLimitMs,
  )
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise<void>((resolve) => (wake = resolve))
  }
  const send = (client: Client, ...units: string[]) => {
    for (const unit of units) turns.enqueue(client, Buffer.from(unit))
  }
  return { turns, history, send, until, overlapped: () => overlapped }
}

const a = { name: 'a' }
const b = { name: 'b' }

describe('turns of the single session', () => {
  test('while a transaction is open only its owner runs, in whatever order units arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 30 }),
        async (order) => {
          const { send, history, until, overlapped } = stage()
          const clients = new Map(['a', 'b', 'c'].map((name) => [name, { name }]))
          for (const name of order) send(clients.get(name) ?? a, 'begin', 'work', 'commit')
          await until(() => history.length === order.length * 3)
          expect(overlapped()).toBe(false)
          for (let at = 0; at < history.length; at += 3) {
            const owner = history[at]?.split(':')[0]
            expect(history.slice(at, at + 3)).toEqual([`${owner}:begin`, `${owner}:work`, `${owner}:commit`])
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  test('an owner that disconnects is rolled back, and the others go on', async () => {
    const { turns, send, history, until } = stage()
    send(a, 'begin', 'work')
    send(b, 'select')
    await until(() => history.includes('a:work'))
    turns.leave(a)
    await until(() => history.includes('b:select'))
    expect(history).toEqual(['a:begin', 'a:work', 'rollback', 'b:select'])
  })

  test('a client that disconnects while its BEGIN runs is rolled back; its queued units never run', async () => {
    const { turns, send, history, until } = stage()
    send(a, 'begin', 'work', 'commit')
    send(b, 'select')
    turns.leave(a)
    await until(() => history.includes('b:select'))
    expect(history).toEqual(['a:begin', 'rollback', 'b:select'])
  })

  test('an idle owner is disconnected, and housekeeping waits for the end of a transaction', async () => {
    const { turns, send, history, until } = stage(30)
    send(a, 'begin')
    await until(() => history.includes('a:begin'))
    await turns.between(async () => {
      history.push('between')
    })
    expect(history).toEqual(['a:begin', 'idle a', 'rollback', 'between'])
  })
})
