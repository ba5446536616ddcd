// `kenning doctor` as an operator runs it: before the first start, beside a running service, after it, and with
// everything configured, right and wrong.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkNode } from '../../src/operator/doctor/machine.ts'
import { ollama } from '../models/ollama.ts'
import { chatServer } from '../support/chat-server.ts'
import { migratedDirectory } from '../support/database.ts'
import { embeddingsServer } from '../support/embeddings-server.ts'
import { installedMain } from '../support/installed.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { mailServer } from '../support/mail-server.ts'
import { CLIENT, oidcProvider } from '../support/oidc-provider.ts'
import { otlpServer } from '../support/otlp-server.ts'
import { rerankingServer } from '../support/rerank-server.ts'
import { freePort } from '../support/service.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { testWeb } from '../support/web.ts'

interface Report {
  status: string
  checks: { check: string; status: string; message: string }[]
}
interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

const folder = mkdtempSync(join(tmpdir(), 'kenning-doctor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const doctor = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  kenning(env, 'doctor', ...args)

async function kenning(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [installedMain(), ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

/** The exit code, and each check by its name. */
async function examined(env: Record<string, string>) {
  const { code, stdout } = await doctor(env, '--json')
  const report = JSON.parse(stdout) as Report
  const found = Object.fromEntries(report.checks.map(({ check, ...rest }) => [check, rest]))
  return { code, status: report.status, found, stdout }
}

test('before the first start: a line for each check, nothing wrong, nothing created', async () => {
  const dataDir = join(folder, 'new')
  const { code, stdout } = await doctor({ KENNING_DATA_DIR: dataDir, KENNING_PORT: String(await freePort()) })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ok +Node\.js +\d+/m)
  expect(stdout).toMatch(/^ok +data directory +\S+new does not exist and will be created/m)
  expect(stdout).toMatch(/^ok +service +not running; port \d+ is free$/m)
  expect(stdout).toMatch(/^ok +database +the embedded one; it will be created/m)
  expect(stdout).toMatch(/^ok +scans +are read in eng; another language: npm install @tesseract\.js-data/m)
  expect(stdout).toMatch(/^ok +embedder +sentence-1: the model of the package/m)
  expect(stdout).toMatch(/Everything is all right\.\n$/)
  expect((await examined({ KENNING_DATA_DIR: dataDir })).found['data directory']?.message).toContain(
    'not exist',
  )
})

describe('beside a service', () => {
  let service: SharedService
  let env: Record<string, string>
  beforeAll(async () => {
    service = await sharedService()
    env = { KENNING_DATA_DIR: service.dataDir, KENNING_PORT: new URL(service.origin).port }
  })
  afterAll(() => service?.leave())

  test('that runs: which process, ready where, its database, the figures of both its processes', async () => {
    const { host, port } = service.metrics
    const { code, found } = await examined({
      ...env,
      KENNING_METRICS_HOST: host,
      KENNING_METRICS_PORT: String(port),
    })
    expect(code).toBe(0)
    expect(found.metrics).toEqual({
      status: 'ok',
      message: `are served by the api on port ${port}, the worker on port ${port + 1}`,
    })
    for (const [role, at] of [
      ['api', port],
      ['worker', port + 1],
    ]) {
      const text = await (await fetch(`http://${host}:${at}/metrics`)).text()
      expect(text).toContain(`kenning_database_up{role="${role}"} `)
    }
    expect(found.service).toEqual({
      status: 'ok',
      message: expect.stringMatching(
        new RegExp(`^process ${service.pid} .*ready on port ${env.KENNING_PORT}$`),
      ),
    })
    expect(found.database?.message).toMatch(
      /^the embedded one, PostgreSQL 18\.\d+, pgvector 0\.\d+\.\d+, \d+ MB$/,
    )
  })

  test('that runs, as an assistant meets it: everything but a public address', async () => {
    const { code, stdout } = await doctor({}, '--public', service.origin)
    expect(code).toBe(0)
    for (const check of ['service', 'challenge', 'resource', 'authorization', 'registration', 'consent page'])
      expect(stdout).toMatch(new RegExp(`^ok +${check} `, 'm'))
    expect(stdout).toMatch(/^warning +address .* is an address of this machine/m)
    expect(stdout).toMatch(/Some assistants cannot connect: see the warnings\.\n$/)
    const wrong = await doctor({}, '--public', service.origin.replace('127.0.0.1', 'localhost'), '--json')
    const { checks } = JSON.parse(wrong.stdout) as Report
    expect([wrong.code, checks.at(-1)?.message]).toEqual([1, expect.stringContaining('KENNING_BASE_URL')])
  })

  test('that runs without the figures that the settings ask for', async () => {
    const { host } = service.metrics
    const { code, found } = await examined({
      ...env,
      KENNING_METRICS_HOST: host,
      KENNING_METRICS_PORT: '4184',
    })
    expect(code).toBe(1)
    expect(found.metrics).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/^are not served by the api on port 4184, the worker on port 4185: /),
    })
  })

  test('that runs on another port than the settings say', async () => {
    const { code, found } = await examined({ ...env, KENNING_PORT: String(await freePort()) })
    expect(code).toBe(1)
    expect(found.service).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('does not listen on'),
    })
  })

  test('that has stopped: its database is opened for a moment', async () => {
    const dataDir = await migratedDirectory()
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const { code, found } = await examined({
      ...env,
      KENNING_DATA_DIR: dataDir,
      KENNING_PORT: String(await freePort()),
    })
    expect(code).toBe(0)
    expect(found.service?.message).toMatch(/^not running/)
    expect(found.database?.message).toMatch(/^the embedded one, PostgreSQL 18/)
    expect(found.queue).toMatchObject({ status: 'ok', message: 'empty' })
  })
})

test('servers that answer', async () => {
  const [chat, embeddings, rerank, mail, company, collector] = await Promise.all([
    chatServer(),
    embeddingsServer(),
    rerankingServer(),
    mailServer(),
    oidcProvider(),
    otlpServer(),
  ])
  onTestFinished(async () => {
    await Promise.all([chat, embeddings, rerank, mail, company, collector].map((server) => server.close()))
  })
  chat.script.push({ content: { ok: true } })
  const { code, status, found } = await examined({
    KENNING_DATA_DIR: join(folder, 'new'),
    KENNING_PORT: String(await freePort()),
    KENNING_LLM_URL: chat.url,
    KENNING_LLM_MODEL: 'a-model',
    KENNING_EMBEDDINGS_URL: embeddings.url,
    KENNING_EMBEDDINGS_MODEL: 'an-embedder',
    KENNING_RERANK_URL: rerank.url,
    KENNING_SMTP_URL: mail.url,
    KENNING_MAIL_FROM: 'kenning@example.org',
    KENNING_OIDC_ISSUER: company.issuer,
    KENNING_OIDC_CLIENT_ID: CLIENT.id,
    KENNING_OIDC_CLIENT_SECRET: CLIENT.secret,
    KENNING_OCR_LANGUAGES: 'eng',
    KENNING_BASE_URL: 'https://kenning.example.org/v1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    KENNING_COLOUR: 'red',
  })
  expect(found).toMatchObject({
    'language model': {
      status: 'ok',
      message: expect.stringMatching(/^a-model at 127\.0\.0\.1:\d+ answers$/),
    },
    embedder: { status: 'ok', message: 'openai:an-embedder gives vectors of 16 numbers' },
    reranker: { status: 'ok' },
    mail: { status: 'ok' },
    'company sign-in': { status: 'ok' },
    traces: { status: 'ok' },
    scans: {
      status: 'ok',
      message: 'are read in eng; another language: npm install @tesseract.js-data/CODE',
    },
    settings: { status: 'warning', message: expect.stringContaining('KENNING_COLOUR') },
    'public address': { status: 'warning', message: expect.stringContaining('not running') },
  })
  expect([code, status, mail.received]).toEqual([0, 'warning', []])
  expect([collector.refused, collector.spans]).toEqual([[], []])
})

test('a language model whose context is short', async () => {
  const chat = await chatServer(ollama)
  onTestFinished(() => chat.close())
  chat.script.push({ content: { ok: true } })
  const { found } = await examined({
    KENNING_DATA_DIR: join(folder, 'new'),
    KENNING_PORT: String(await freePort()),
    KENNING_LLM_URL: chat.url,
    KENNING_LLM_MODEL: 'm',
  })
  expect(found['language model']).toEqual({
    status: 'warning',
    message: expect.stringMatching(
      / answers, with a context of 4096 tokens; with less than 12000 it reads few/,
    ),
  })
})

test('a language model with a certificate of a private authority', async () => {
  const web = await testWeb({ localhost: () => ['127.0.0.1'] })
  onTestFinished(() => web.close())
  web.answer((request, response) => {
    const isChat = request.url === '/v1/chat/completions'
    response.writeHead(isChat ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isChat ? { choices: [{ message: { content: '{"ok":true}' } }] } : {}))
  })
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, web.internet.ca ?? '')
  const settings = {
    KENNING_DATA_DIR: join(folder, 'new'),
    KENNING_PORT: String(await freePort()),
    KENNING_LLM_URL: `https://localhost:${web.at.split(':')[1]}/v1`,
    KENNING_LLM_MODEL: 'm',
  }
  const [stranger, member, other] = await Promise.all([
    examined(settings),
    examined({ ...settings, KENNING_CA_FILE: authority }),
    examined({ ...settings, NODE_EXTRA_CA_CERTS: authority }),
  ])
  expect(stranger.found['language model']).toMatchObject({
    status: 'problem',
    message: expect.stringMatching(/KENNING_CA_FILE/),
  })
  expect(member.found['language model']).toMatchObject({ status: 'ok' })
  expect(other.found['language model']).toMatchObject({ status: 'ok' })
})

test('what does not work, each with what to do; no secret is printed', async () => {
  const other = createServer((_, response) => response.end('another program'))
  const port = new URL(await listenOnLoopback(other)).port
  onTestFinished(() => closeNow(other))
  const nobody = await freePort()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const { code, status, found, stdout } = await examined({
    KENNING_DATA_DIR: file,
    KENNING_PORT: port,
    DATABASE_URL: `postgres://kenning:a-secret@127.0.0.1:${nobody}/kenning`,
    KENNING_OCR_LANGUAGES: 'eng,kor',
    KENNING_LLM_URL: `http://127.0.0.1:${nobody}/v1`,
    KENNING_LLM_MODEL: 'a-model',
    KENNING_LLM_KEY: 'a-secret',
    KENNING_EMBEDDER: 'onnx',
    KENNING_RERANK_URL: `http://127.0.0.1:${nobody}`,
    KENNING_SMTP_URL: `smtp://kenning:a-secret@127.0.0.1:${nobody}`,
    KENNING_MAIL_FROM: 'kenning@example.org',
    KENNING_OIDC_ISSUER: `http://127.0.0.1:${nobody}`,
    KENNING_OIDC_CLIENT_ID: CLIENT.id,
    KENNING_OIDC_CLIENT_SECRET: 'a-secret',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${nobody}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=a-secret',
  })
  const problem = (message: RegExp) => ({ status: 'problem', message: expect.stringMatching(message) })
  expect(found).toMatchObject({
    'data directory': problem(/is a file, not a folder; choose another one with KENNING_DATA_DIR/),
    service: problem(/Port \d+ .*is in use\..*KENNING_PORT/),
    database: problem(/refused.*Check DATABASE_URL/),
    scans: problem(/no data for kor .*npm install @tesseract\.js-data\/kor$/),
    'language model': problem(/ECONNREFUSED.*check KENNING_LLM_URL/),
    embedder: problem(/KENNING_ONNX_MODEL/),
    reranker: problem(/ECONNREFUSED.*check KENNING_RERANK_URL/),
    mail: problem(/ECONNREFUSED.*check KENNING_SMTP_URL/),
    'company sign-in': problem(/does not answer as an OpenID provider.*check KENNING_OIDC_ISSUER/),
    traces: problem(/ECONNREFUSED.*check OTEL_EXPORTER_OTLP_ENDPOINT/),
  })
  expect([code, status]).toEqual([1, 'problem'])
  expect(stdout).not.toContain('a-secret')
})

test('settings that are wrong are each a problem, a wrong option is wrong use, and help names the command', async () => {
  const { code, found } = await examined({ KENNING_PORT: 'x' })
  expect([code, found.settings]).toEqual([
    1,
    { status: 'problem', message: 'KENNING_PORT: must be a port number' },
  ])
  expect(await doctor({}, '--quick')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('[--public URL]'),
  })
  expect(await kenning({}, '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ {2}doctor /m),
  })
})

test.each([
  ['18.20.4', 'problem'],
  ['20.18.9', 'problem'],
  ['20.19.0', 'ok'],
  ['24.1.0', 'ok'],
])('Node.js %s', (version, status) => {
  expect(checkNode(version, '>=20.19').status).toBe(status)
})
