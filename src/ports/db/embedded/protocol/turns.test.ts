import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createTurns } from './turns.ts'

interface Client {
  name: string
  isBackground?: true
}

/** A session with PostgreSQL's transaction state and a history, but no data. */
function stage(idleLimitMs = 60_000) {
  const history: string[] = []
  let open = false
  let busy = 0
  let overlapped = false
  let wake = () => {}
  let clockMs = 0
  const turns = createTurns<Client>(
    {
      isBackground: ({ isBackground }) => isBackground === true,
      async run(client, unit) {
        overlapped ||= busy > 0
        busy += 1
        await new Promise((resolve) => setImmediate(resolve))
        const text = unit.toString()
        if (text === 'begin') open = true
        if (text === 'commit') open = false
        clockMs += 10
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
      onBroken: (error) => {
        throw error
      },
    },
    idleLimitMs,
    () => clockMs,
  )
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise<void>((resolve) => (wake = resolve))
  }
  const send = (client: Client, ...units: string[]) => {
    for (const unit of units) turns.enqueue(client, Buffer.from(unit))
  }
  const pass = (ms: number) => {
    clockMs += ms
  }
  return { turns, history, send, until, pass, overlapped: () => overlapped }
}

/** Resolves when the last unit in the history has been counted. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

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
    await turns.runAlone(async () => {
      history.push('between')
    })
    expect(history).toEqual(['a:begin', 'idle a', 'rollback', 'between'])
  })

  test('a probe waits for no transaction, but for the unit that runs', async () => {
    const { turns, send, history, until } = stage()
    const probed: string[] = []
    const probe = (name: string, work = async () => {}) => turns.probe(work).then(() => probed.push(name))
    send(a, 'begin')
    await until(() => history.includes('a:begin'))
    await probe('while its owner is away')
    send(a, 'work')
    await probe('after a unit')
    expect(history).toEqual(['a:begin', 'a:work'])
    send(a, 'commit')
    await until(() => history.includes('a:commit'))
    await probe('between', async () => void history.push('asked'))
    expect(history.at(-1)).toBe('asked')
    const unanswered = turns.probe(() => new Promise(() => {}))
    const late = probe('behind one that hangs')
    expect(await Promise.race([unanswered, late, settled()])).toBeUndefined()
    expect(probed).toEqual(['while its owner is away', 'after a unit', 'between'])
  })

  test('requests go before background work, which gets a fifth of the time', async () => {
    const { send, history, until } = stage()
    const worker: Client = { name: 'w', isBackground: true }
    const units = (client: Client, count: number) => send(client, ...Array<string>(count).fill('work'))
    units(worker, 3)
    units(a, 20)
    units(worker, 5)
    await until(() => history.length === 28)
    // Each unit takes 10 ms. Nobody else waits when the first begins.
    const order = history.map((entry) => entry[0]).join('')
    expect(order).toBe('waaaawaaaawaaaawaaaawaaaawww')
  })

  test('what was done while nobody waited counts as a second at most', async () => {
    const { send, history, until } = stage()
    const worker: Client = { name: 'w', isBackground: true }
    send(worker, ...Array<string>(200).fill('work'))
    await until(() => history.length === 200)
    send(worker, ...Array<string>(2).fill('work'))
    send(a, ...Array<string>(200).fill('work'))
    await until(() => history.length === 402)
    const order = history
      .slice(200)
      .map((entry) => entry[0])
      .join('')
    expect(order).toBe(`${'a'.repeat(100)}waaaaw${'a'.repeat(96)}`)
  })

  test('time in which the next statement is expected counts for the request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { send, history, until, pass } = stage()
      const worker: Client = { name: 'w', isBackground: true }
      send(worker, 'work')
      await until(() => history.length === 1)
      send(worker, 'work')
      // The worker has had 10 ms. Each statement takes 10, and its sender 15 before it sends the next.
      for (let no = 0; no < 3; no++) {
        send(a, 'statement')
        await until(() => history.length === 2 + no)
        await settled()
        pass(15)
      }
      send(a, 'statement')
      await until(() => history.length === 6)
      expect(history.map((entry) => entry[0]).join('')).toBe('waaawa')
    } finally {
      vi.useRealTimers()
    }
  })

  test('a request sends its next statement before the worker begins a transaction, or the worker goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { send, history, until } = stage()
      const worker: Client = { name: 'w', isBackground: true }
      send(worker, 'begin', 'commit')
      await until(() => history.includes('w:commit'))
      send(a, 'first')
      send(worker, 'begin', 'work', 'commit')
      await until(() => history.includes('a:first'))
      await settled()
      vi.advanceTimersByTime(2)
      send(a, 'second')
      await until(() => history.includes('a:second'))
      await settled()
      expect(history.slice(2)).toEqual(['a:first', 'a:second'])
      vi.advanceTimersByTime(3)
      await until(() => history.length === 7)
      expect(history.slice(4)).toEqual(['w:begin', 'w:work', 'w:commit'])
    } finally {
      vi.useRealTimers()
    }
  })
})
