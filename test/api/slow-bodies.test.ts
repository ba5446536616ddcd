// Slow bodies and bodies of rejected requests: they do not occupy slots or sockets for long, do not shut out others, and even
// simple clients can read the response.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { registerUploads, toUploadError, uploadParts } from '../../src/http/request/upload.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { openWire, statusOf, type Wire } from '../support/socket.ts'

let app: TestApp
let port: number
beforeAll(async () => {
  app = await testApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(app.server.listeningOrigin).port)
})
afterAll(() => app.close())

const MIB = 2 ** 20
const MULTIPART = 'Content-Type: multipart/form-data; boundary=b'
const OPENING = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.md"\r\n\r\n'
const CLOSING = '\r\n--b--\r\n'

interface Sender {
  workspace: string
  token: string
}

async function sender(): Promise<Sender> {
  const person = await app.person()
  return { workspace: await app.workspace(person), token: await app.token(person) }
}

const headOf = ({ workspace, token }: Sender, lines: string[]): string =>
  `${[`POST /v1/workspaces/${workspace}/files HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, MULTIPART, ...lines].join('\r\n')}\r\n\r\n`

const staged = () => readdirSync(join(app.deps.settings.dataDir, 'staging')).length

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !holds(); turn++) await sleep(5)
  expect(holds()).toBe(true)
}

describe('slots', () => {
  /** Begins an upload of so many bytes and lets it stand. */
  async function hold(who: Sender, bytes: number): Promise<Wire> {
    const before = staged()
    const wire = await openWire(port)
    wire.write(`${headOf(who, [`Content-Length: ${bytes}`])}${OPENING}It stands.\r\n`)
    await until(() => staged() > before)
    return wire
  }

  async function ask(who: Sender, text: string): Promise<{ status: number; text: string }> {
    const body = OPENING + text + CLOSING
    const wire = await openWire(port)
    wire.write(headOf(who, [`Content-Length: ${body.length}`]) + body)
    const answer = await wire.read((got) => got.endsWith('}'))
    wire.close()
    return { status: statusOf(answer), text: answer }
  }

  test('with two senders at their limit a third gets a slot, and so does any small upload', async () => {
    const [one, two, three] = [await sender(), await sender(), await sender()]
    const held = []
    for (const who of [one, one, one, one, two, two]) held.push(await hold(who, 1e9))
    const big = 'a tide of words '.repeat(MIB / 8)
    const refused = await ask(two, big)
    expect(refused.status, refused.text).toBe(503)
    expect(Number(/retry-after: (\d+)/i.exec(refused.text)?.[1])).toBeGreaterThan(10)
    expect((await ask(three, big)).status).toBe(202)
    for (const who of [one, two, three]) expect((await ask(who, 'A small one.')).status).toBe(202)
    for (const wire of held) wire.close()
    await until(() => staged() === 0)
    expect((await ask(two, big)).status).toBe(202)
  })
})

test('an upload that is too slow ends with 408, in the middle of a file or between two', async () => {
  const server = Fastify()
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  await registerUploads(server)
  let bytes = 0
  server.post('/', async (request, reply) => {
    try {
      const parts = uploadParts(request, { bytesPerSecond: 1e6, graceMs: 1000 })
      for await (const part of parts)
        if ('stream' in part) for await (const piece of part.stream) bytes += (piece as Buffer).length
      return 'whole'
    } catch (error) {
      const told = toUploadError(error)
      return reply.code(told instanceof ApiError ? told.status : 500).send('refused')
    }
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const at = Number(new URL(server.listeningOrigin).port)
  const start = `POST / HTTP/1.1\r\nHost: x\r\n${MULTIPART}\r\nContent-Length: 5000000\r\n\r\n`
  for (const body of ['', OPENING, `${OPENING}some text`, `${OPENING}some text\r\n--b\r\n`]) {
    const wire = await openWire(at)
    wire.write(start + body)
    expect(statusOf(await wire.read((got) => got.endsWith('refused'))), body).toBe(408)
    wire.close()
  }
  expect(bytes).toBeGreaterThan(0)
  await server.close()
})

describe('a simple client, which sends the whole body before it reads, gets its response:', () => {
  /** Writes all of it, reading nothing before the last byte is out; the answer, or why there is none. */
  async function blocking(head: string, pieces: Iterable<Buffer>): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    await once(socket, 'connect')
    const lost = once(socket, 'error').then(([error]) => {
      throw error
    })
    lost.catch(() => undefined)
    const write = (bytes: string | Buffer): Promise<unknown> =>
      Promise.race([lost, new Promise<void>((resolve) => socket.write(bytes, () => resolve()))])
    await write(head)
    for (const piece of pieces) await write(piece)
    let text = ''
    socket.on('data', (piece) => {
      text += piece.toString('latin1')
    })
    socket.resume()
    await Promise.race([lost, once(socket, 'end')])
    socket.destroy()
    return text
  }

  function* bodyOf(bytes: number): Generator<Buffer> {
    yield Buffer.from(OPENING)
    const piece = Buffer.alloc(MIB, 'tide ')
    for (let sent = 0; sent < bytes; sent += MIB) yield piece
    yield Buffer.from(CLOSING)
  }
  const lengthOf = (bytes: number) => `Content-Length: ${bytes + OPENING.length + CLOSING.length}`
  const SIZE = 130 * MIB

  test.each([
    ['413, a file of 130 MB', MULTIPART, 413],
    ['422, no multipart', 'Content-Type: text/plain', 422],
    ['401, nobody it knows', 'Authorization: Bearer x', 401],
  ])('%s', async (_name, line, status) => {
    const head = headOf(await sender(), [lengthOf(SIZE), 'Connection: close'])
    const name = line.split(':')[0]
    const changed = head.replace(new RegExp(`^${name}: .*$`, 'm'), line)
    const text = await blocking(changed, bodyOf(SIZE))
    expect(statusOf(text)).toBe(status)
    expect(text.endsWith('}')).toBe(true)
  })

  test('503, all slots are taken', async () => {
    const who = await sender()
    const held = []
    for (let no = 0; no < 4; no++) {
      const wire = await openWire(port)
      wire.write(`${headOf(who, ['Content-Length: 1000000000'])}${OPENING}It stands.\r\n`)
      held.push(wire)
      await until(() => staged() === no + 1)
    }
    const text = await blocking(headOf(who, [lengthOf(SIZE), 'Connection: close']), bodyOf(SIZE))
    expect(statusOf(text)).toBe(503)
    for (const wire of held) wire.close()
    await until(() => staged() === 0)
  })

  test('and can keep using its connection', async () => {
    const who = await sender()
    const wire = await openWire(port)
    wire.write(headOf(who, [lengthOf(4 * MIB)]).replace(MULTIPART, 'Content-Type: text/plain'))
    for (const piece of bodyOf(4 * MIB)) wire.write(piece)
    wire.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const text = await wire.read((got) => got.includes('"status":"ok"'))
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['422', '200'])
    wire.close()
  })
})

test('an unknown Expect header is 417 with the error body', async () => {
  const wire = await openWire(port)
  wire.write('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n')
  const text = await wire.read((got) => got.endsWith('}'))
  expect(statusOf(text)).toBe(417)
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({
    error: { type: 'invalid_request' },
  })
  wire.close()
})
