// Tests that need a raw socket: framing, oversized headers, two credentials, 100-continue, disconnecting early.

import { randomUUID } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAllowedError } from '../../src/errors.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { damagedBodies } from '../support/files/bodies.ts'
import { insertJob } from '../support/rows.sql.ts'
import { openWire, statusOf } from '../support/socket.ts'
import { type Contents, furnish } from '../support/world.ts'

let app: TestApp
let port: number
let owner: Person
let token: string
let here: Contents

beforeAll(async () => {
  app = await testApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(app.server.listeningOrigin).port)
  owner = await app.person()
  token = await app.token(owner)
  here = await furnish(app, owner)
})
afterAll(() => app.close())

const head = (start: string, lines: string[] = []): string =>
  `${[`${start} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`
const auth = () => `Authorization: Bearer ${token}`

/** Sends bytes, reads until the whole answer is there, and holds it against the error table. */
async function exchange(bytes: string | Buffer): Promise<{ status: number; text: string }> {
  const wire = await openWire(port)
  wire.write(bytes)
  const text = await wire.read((got) => got.endsWith('}') || /^HTTP\/1\.1 204/.test(got))
  wire.close()
  const status = statusOf(text)
  if (status >= 400) {
    const { error } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { error: { type: string } }
    expect(isAllowedError(status, error.type), text).toBe(true)
  }
  return { status, text }
}

const alive = async () => expect((await exchange(head('GET /v1/me', [auth()]))).status).toBe(200)

describe('messages', () => {
  const bad: [name: string, bytes: () => string, status: number[]][] = [
    ['no HTTP', () => 'hello\r\n\r\n', [400]],
    ['TLS', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', [400]],
    [
      'length and chunks',
      () => head('POST /v1/workspaces', [auth(), 'Content-Length: 3', 'Transfer-Encoding: chunked']),
      [400],
    ],
    [
      'two lengths',
      () => head('POST /v1/workspaces', [auth(), 'Content-Length: 3', 'Content-Length: 4']),
      [400],
    ],
    ['a length that is no number', () => head('POST /v1/workspaces', [auth(), 'Content-Length: 3x']), [400]],
    ['a folded header', () => head('GET /v1/me', ['X: a', ' b', auth()]), [400]],
    ['a space before the colon', () => head('GET /v1/me', ['X : a', auth()]), [400]],
    ['NUL in a header', () => head('GET /v1/me', ['X: a\u0000b']), [400]],
    ['no host', () => `GET /v1/me HTTP/1.1\r\n${auth()}\r\n\r\n`, [400]],
    ['a header of 17 KiB', () => head('GET /v1/me', [`X: ${'y'.repeat(17_000)}`, auth()]), [431]],
    ['a header of 100 KiB', () => head('GET /v1/me', [`X: ${'y'.repeat(100_000)}`]), [431]],
    [
      '2,000 headers',
      () =>
        head(
          'GET /v1/me',
          Array.from({ length: 2000 }, (_, i) => `X${i}: yyyy`),
        ),
      [431],
    ],
    ['an address of 40 KB', () => head(`GET /v1/me?x=${'y'.repeat(40_000)}`), [414]],
    ['an address of 100 KB', () => head(`GET /v1/me?x=${'y'.repeat(100_000)}`), [414, 431]],
    [
      'a chunk size that is none',
      () =>
        `${head('POST /v1/workspaces', [auth(), 'Content-Type: application/json', 'Transfer-Encoding: chunked'])}zz\r\n{}\r\n0\r\n\r\n`,
      [400],
    ],
  ]
  test.each(bad)('%s', async (_name, bytes, statuses) => {
    expect(statuses).toContain((await exchange(bytes())).status)
    await alive()
  })

  test('two Authorization headers are 401, even if one is valid', async () => {
    for (const lines of [
      [auth(), auth()],
      [auth(), 'Authorization: Bearer x'],
      ['authorization: x', auth()],
    ]) {
      expect((await exchange(head('GET /v1/me', lines))).status).toBe(401)
    }
  })

  test('absolute URLs and pipelined requests are served', async () => {
    expect((await exchange(head('GET http://x/v1/me', [auth()]))).status).toBe(200)
    const wire = await openWire(port)
    wire.write(head('GET /v1/me', [auth()]) + head('GET /v1/nothing') + head('GET /healthz'))
    const text = await wire.read((got) => got.includes('"status":"ok"'))
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '404', '200'])
    wire.close()
  })

  test('a body shorter than its Content-Length is a client error', async () => {
    const wire = await openWire(port)
    const lines = [auth(), 'Content-Type: application/json', 'Content-Length: 100']
    wire.write(`${head('POST /v1/workspaces', lines)}{"name":`)
    await sleep(50)
    wire.close()
    await alive()
  })
})

describe('a body of a rejected request', () => {
  const upload = (lines: string[]) =>
    head(`POST /v1/workspaces/${here.workspace_id}/files`, [
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 1000000000',
      ...lines,
    ])

  test('is not waited for, and the connection is closed when the rest does not arrive', async () => {
    const wire = await openWire(port)
    wire.write(upload([]))
    const text = await wire.read((got) => got.endsWith('}'))
    expect(statusOf(text)).toBe(401)
    await wire.read(() => wire.socket.destroyed, 60_000)
    expect(wire.socket.destroyed).toBe(true)
  })

  test('is not requested: 100 Continue comes after the checks', async () => {
    for (const lines of [[], ['Authorization: Bearer x']]) {
      const wire = await openWire(port)
      wire.write(upload(['Expect: 100-continue', ...lines]))
      const text = await wire.read()
      expect(text).toMatch(/^HTTP\/1\.1 401 /)
      expect(text).not.toContain('100 Continue')
    }
    const viewer = await app.person()
    await app.member(here.workspace_id, viewer, 'viewer')
    const wire = await openWire(port)
    wire.write(upload(['Expect: 100-continue', `Authorization: Bearer ${await app.token(viewer)}`]))
    expect(await wire.read()).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('of an accepted request is requested with 100 Continue', async () => {
    const wire = await openWire(port)
    const body = '{"name":"Awaited"}'
    const lines = [
      auth(),
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ]
    wire.write(head('POST /v1/workspaces', lines))
    expect(await wire.read((got) => got.includes('\r\n\r\n'))).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    wire.write(body)
    expect(await wire.read((got) => got.endsWith('}'))).toContain('HTTP/1.1 201 ')
    wire.close()
  })

  test('over the maximum upload size is 413 by its Content-Length', async () => {
    const lines = [auth(), 'Content-Type: multipart/form-data; boundary=b', `Content-Length: ${21 * 2 ** 30}`]
    const { status, text } = await exchange(head(`POST /v1/workspaces/${here.workspace_id}/files`, lines))
    expect(status).toBe(413)
    expect(text).toContain('file_too_large')
  })
})

describe('multipart', () => {
  const staged = () => readdirSync(join(app.deps.settings.dataDir, 'staging'))
  const part = (name: string, text = 'Some text.', more = 'Content-Type: text/plain\r\n') =>
    `--b\r\nContent-Disposition: form-data; name="files"; ${name}\r\n${more}\r\n${text}\r\n`
  const send = (body: string | Buffer, type = 'multipart/form-data; boundary=b') =>
    app.send('POST', `/v1/workspaces/${here.workspace_id}/files`, token, {
      payload: body,
      headers: { 'content-type': type },
    })
  const nameOf = (answer: { body: unknown }) =>
    (answer.body as { files: { filename: string }[] }).files.map(({ filename }) => filename)

  test('BAD-11: damaged bodies are 422 and leave nothing behind', async () => {
    for (const [body, type] of damagedBodies()) {
      const answer = await send(body, type)
      expect(answer.status, `${String(body).slice(0, 120)}: ${answer.text.slice(0, 200)}`).toBe(422)
      expect(staged()).toEqual([])
    }
  })

  test('BAD-20: file names are kept as sent: folders, spaces, other scripts, percent signs', async () => {
    const names = [
      'a/b c.md',
      'Übersicht – 2026.md',
      '資料/一覧.md',
      'x%20y.md',
      'quo’te.md',
      "o'neil; v2.md",
      '<b>.md',
    ]
    for (const name of names) {
      const answer = await send(`${part(`filename="${name}"`, `Text ${randomUUID()}`)}--b--\r\n`)
      expect([answer.status, nameOf(answer)]).toEqual([202, [name]])
    }
    const extended = await send(
      `${part("filename*=UTF-8''%C3%9Cber%20uns.md", `Text ${randomUUID()}`)}--b--\r\n`,
    )
    expect(nameOf(extended)).toEqual(['Über uns.md'])
  })

  test('fields other than files are ignored', async () => {
    const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n'
    const other = '--b\r\nContent-Disposition: form-data; name="thumbnail"; filename="x.bin"\r\n\r\nxx\r\n'
    const answer = await send(
      `${field}${other}${part('filename="only.md"', `Text ${randomUUID()}`)}${field}--b--\r\n`,
    )
    expect([answer.status, nameOf(answer)]).toEqual([202, ['only.md']])
  })

  test('of eight uploads with one Idempotency-Key one creates the job, the others return it', async () => {
    const upload = (text: string) =>
      app.send('POST', `/v1/workspaces/${here.workspace_id}/files`, token, {
        payload: `${part('filename="once.md"', text)}--b--\r\n`,
        headers: { 'content-type': 'multipart/form-data; boundary=b', 'idempotency-key': 'a-key' },
      })
    // At most four uploads run at a time.
    const four = () => Promise.all(Array.from({ length: 4 }, () => upload('The same text.')))
    const answers = [...(await four()), ...(await four())]
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202))
    expect(new Set(answers.map(({ body }) => (body as { id: string }).id)).size).toBe(1)
    expect((await upload('Another text.')).status).toBe(422)
  })

  test('F-13: clients that disconnect at any point of an upload, 25 times: a complete job or none, and nothing staged', async () => {
    const jobs = async () =>
      (await app.send('GET', `/v1/workspaces/${here.workspace_id}/jobs?limit=200`, token)).body as {
        data: { id: string; file_count: number }[]
      }
    const before = (await jobs()).data.length
    const files = openFiles()
    let whole = 0
    let unheard = 0
    for (let round = 0; round < 5; round++) {
      const body = `${part('filename="left.md"', `${randomUUID()} `.repeat(20_000))}--b--\r\n`
      const lines = [
        auth(),
        'Content-Type: multipart/form-data; boundary=b',
        `Content-Length: ${body.length}`,
      ]
      const start = head(`POST /v1/workspaces/${here.workspace_id}/files`, lines)
      for (const share of [0, 0.01, 0.5, 0.999, 1]) {
        const wire = await openWire(port)
        wire.write(start + body.slice(0, Math.floor(body.length * share)))
        if (share === 1 && round % 2 === 0) {
          await wire.read((got) => got.includes('"id"'))
          whole++
        } else await sleep(20)
        // Gone with the last byte: nobody hears whether it is a job.
        if (share === 1 && round % 2 === 1) unheard++
        wire.socket.resetAndDestroy()
      }
      await until(() => staged().length === 0)
    }
    const after = (await jobs()).data
    expect(after.length - before).toBeGreaterThanOrEqual(whole)
    expect(after.length - before).toBeLessThanOrEqual(whole + unheard)
    await until(() => openFiles() <= files)
    expect(after.every(({ file_count }) => file_count === 1)).toBe(true)
    await alive()
    expect(app.errors).toEqual([])
  })

  test('BAD-12: a body without end is 413 while it is still being sent, and nothing of it is kept', async () => {
    const wire = await openWire(port)
    const lines = [auth(), 'Content-Type: multipart/form-data; boundary=b', 'Transfer-Encoding: chunked']
    wire.write(head(`POST /v1/workspaces/${here.workspace_id}/files`, lines))
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    const megabyte = chunk(Buffer.alloc(2 ** 20, 'tide '))
    wire.write(chunk(Buffer.from(part('filename="endless.txt"', '').slice(0, -2))))
    const answer = wire.read((got) => got.endsWith('}'), 60_000)
    const isAnswered = answer.then(() => true)
    let sent = 0
    while (sent < 400 && !(await Promise.race([isAnswered, sleep(0)]))) {
      if (wire.socket.writableNeedDrain) continue
      wire.write(megabyte)
      sent++
    }
    expect(sent).toBeLessThan(400)
    expect(statusOf(await answer)).toBe(413)
    expect(sent).toBeGreaterThan(100)
    await until(() => staged().length === 0)
    await alive()
  })

  test('BAD-12: a wrong Content-Length: bytes beyond it are not part of the body, and too few are an error', async () => {
    const body = `${part('filename="lies.md"')}--b--\r\n`
    const start = (length: number) =>
      head(`POST /v1/workspaces/${here.workspace_id}/files`, [
        auth(),
        'Content-Type: multipart/form-data; boundary=b',
        `Content-Length: ${length}`,
      ])
    // 400 where the parser of HTTP meets the rest before the upload is through.
    const { status } = await exchange(start(body.length - 30) + body)
    expect([400, 422]).toContain(status)
    const wire = await openWire(port)
    wire.write(start(body.length + 1000) + body)
    await sleep(50)
    wire.close()
    await until(() => staged().length === 0)
    await alive()
  })

  test('BAD-11: a boundary of a megabyte is rejected with the headers', async () => {
    const lines = [auth(), `Content-Type: multipart/form-data; boundary=${'b'.repeat(2 ** 20)}`]
    const wire = await openWire(port)
    wire.write(head(`POST /v1/workspaces/${here.workspace_id}/files`, [...lines, 'Content-Length: 10']))
    expect(statusOf(await wire.read((got) => got.includes('\r\n\r\n')))).toBe(431)
    await alive()
  })

  test('F-13: a client that disconnects in the middle of a file leaves nothing behind', async () => {
    const wire = await openWire(port)
    const lines = [auth(), 'Content-Type: multipart/form-data; boundary=b', 'Content-Length: 50000000']
    wire.write(head(`POST /v1/workspaces/${here.workspace_id}/files`, lines))
    wire.write(part('filename="big.md"', 'x'.repeat(2_000_000)))
    await until(() => staged().length === 1)
    wire.close()
    await until(() => staged().length === 0)
    await alive()
    expect(app.errors).toEqual([])
  })
})

describe('event streams', () => {
  test('the stream of a complete job has two last events and ends', async () => {
    const answer = await app.send('GET', `/v1/jobs/${here.job_id}/events`, token)
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(answer.text).toMatch(
      /^event: progress\ndata: \{"status":"done",.*\}\n\nevent: complete\ndata: \{"status":"done",.*\}\n\n$/,
    )
  })

  test('an error before the first event is a normal error response', async () => {
    const ask = (body: object) =>
      app.send('POST', `/v1/workspaces/${here.workspace_id}/ask`, token, { body: { stream: true, ...body } })
    expect((await ask({})).status).toBe(422)
    const unknown = await ask({ question: 'Who?', thread_id: randomUUID() })
    expect([unknown.status, unknown.headers['content-type']]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
    const streamed = await ask({ question: 'What are the harbour rules?' })
    expect(streamed.text).toMatch(/^event: step\ndata: /)
    expect(streamed.text.match(/^event: (answer|error)$/gm)).toEqual(['event: answer'])
    expect(streamed.text).toMatch(/event: answer\ndata: [^\n]+\n\n$/)
  })

  test('F-14: a client that disconnects stops the work behind the stream', async () => {
    let statements = 0
    const { db } = app.deps
    const count = (own: Db): Db => ({
      ...own,
      as: (actor) => count(own.as(actor)),
      rows: <T extends object>(statement: Sql) => {
        statements++
        return own.rows<T>(statement)
      },
    })
    const counting = count(db)
    const server = await buildServer({ ...app.deps, db: counting })
    await server.listen({ host: '127.0.0.1', port: 0 })
    const workspaceId = await app.workspace(owner)
    const jobId = randomUUID()
    await insertJob(db, {
      workspaceId,
      id: jobId,
      createdBy: owner.id,
      documentId: randomUUID(),
      status: 'running',
    })
    const wire = await openWire(Number(new URL(server.listeningOrigin).port))
    wire.write(head(`GET /v1/jobs/${jobId}/events`, [auth()]))
    await wire.read((got) => got.includes('event: progress'))
    const before = statements
    await until(() => statements > before + 3)
    wire.close()
    // Several polls long nobody asks; a stream that went on would keep this from ever ending.
    for (let after = -1; after !== statements; await sleep(1500)) after = statements
    await server.close()
  })

  test('losing access in the middle is one error event', async () => {
    const reader = await app.person()
    const jobId = randomUUID()
    const workspaceId = await app.workspace(owner)
    await app.member(workspaceId, reader, 'viewer')
    const job = { workspaceId, id: jobId, createdBy: owner.id, documentId: randomUUID(), status: 'running' }
    await insertJob(app.deps.db, job)
    const wire = await openWire(port)
    wire.write(head(`GET /v1/jobs/${jobId}/events`, [`Authorization: Bearer ${await app.token(reader)}`]))
    await wire.read((got) => got.includes('event: progress'))
    expect((await app.send('DELETE', `/v1/workspaces/${workspaceId}`, token)).status).toBe(204)
    const text = await wire.read((got) => got.includes('0\r\n\r\n'))
    expect(text.match(/event: \w+/g)).toEqual(['event: progress', 'event: error'])
    expect(text).toContain('data: {"error":{"type":"not_found","message":"Not found."}}')
    wire.close()
  })
})

/** Files this process has open, without its sockets; none where the system does not tell. */
function openFiles(): number {
  if (process.platform !== 'linux') return 0
  const names = readdirSync('/proc/self/fd').map((no) => {
    try {
      return readlinkSync(`/proc/self/fd/${no}`)
    } catch {
      return ''
    }
  })
  return names.filter((name) => name.startsWith(app.deps.settings.dataDir)).length
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !holds(); i++) await sleep(10)
  expect(holds()).toBe(true)
}
