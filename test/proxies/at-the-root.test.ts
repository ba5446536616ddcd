// The service behind a real nginx with the very file that deploy/nginx has: uploads beyond nginx's own limit, an answer with its
// steps, the way from http to https, and the addresses that the service names.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DIRECT, useNetwork } from '../../src/ports/outbound/network.ts'
import { send } from '../../src/ports/outbound/send.ts'
import { quickService } from '../support/quick-service.ts'
import { ADMIN, freePort, type Service, signIn } from '../support/service.ts'
import { privateAuthority, scratch, startProxy } from './programs.ts'

const folder = scratch()
let origin: string
let service: Service
let authorization: string
let plainOrigin: string
let stopProxy: () => Promise<void>

beforeAll(async () => {
  const [port, plainPort] = [await freePort(), await freePort()]
  origin = `https://localhost:${port}`
  plainOrigin = `http://localhost:${plainPort}`
  const authority = await privateAuthority(folder)
  const certificate = await authority.issue(['localhost'])
  useNetwork({ ...DIRECT, authorities: authority.pem })
  service = await quickService({
    env: { KENNING_BASE_URL: `${origin}/v1`, KENNING_TRUSTED_PROXIES: '127.0.0.1' },
  })
  // Ports, name, certificate and address are put in, as its first lines say. Nothing else is changed.
  const server = readFileSync('deploy/nginx/kenning.conf', 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate.cert};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certificate.key};`)
    .replaceAll('kenning.example.org', 'localhost')
    .replaceAll('127.0.0.1:8484', new URL(service.origin).host)
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
${server}
}`,
  )
  stopProxy = await startProxy('nginx', ['-c', file, '-p', folder], port)
  authorization = `Bearer ${await signIn(service.origin, ADMIN, origin)}`
})
afterAll(async () => {
  await stopProxy?.()
  useNetwork(DIRECT)
  await service?.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  // Encodes a form, and says its content type with the boundary.
  const encoded =
    body === undefined ? undefined : body instanceof FormData ? new Response(body) : Response.json(body)
  const answer = await send(`${origin}/v1${path}`, {
    method,
    headers: { authorization, ...Object.fromEntries(encoded?.headers ?? []) },
    ...(encoded ? { body: await encoded.arrayBuffer() } : {}),
  })
  const text = await answer.text()
  expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
  return JSON.parse(text) as T
}

test('a file larger than nginx takes by itself is uploaded, read and found', async () => {
  const { id } = await call<{ id: string }>('POST', '/workspaces', { name: 'Behind nginx' })
  const sentence = 'The ferry to Holm leaves at seven. '
  const form = new FormData()
  form.append('files', new Blob([sentence.repeat(60_000)]), 'ferry.txt')
  const job = await call<{ id: string }>('POST', `/workspaces/${id}/files`, form)
  await expect
    .poll(async () => (await call<{ status: string }>('GET', `/jobs/${job.id}`)).status)
    .toBe('done')
  const answer = await send(`${origin}/v1/workspaces/${id}/ask`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'When does the ferry to Holm leave?', stream: true }),
  })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  expect(await answer.text()).toContain('seven')
})

test('http leads to https, and the service names its address there', async () => {
  const answer = await fetch(`${plainOrigin}/w/some?q=a`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://localhost/w/some?q=a'])
  const metadata = await send(`${origin}/.well-known/oauth-authorization-server`, {})
  expect(await metadata.json()).toMatchObject({ issuer: origin })
})
