// The console under a path of another host, behind a proxy that keeps the path: a deep address first, its lazily loaded pages,
// links, and the token.

import { createServer, request, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeNow } from '../support/loopback.ts'
import { quickService } from '../support/quick-service.ts'
import { ADMIN, freePort, type Service } from '../support/service.ts'
import type { Account } from '../support/shared-service.ts'
import { closeWindows, openWindow, signIn } from './browser.ts'

let service: Service
let front: Server
let site: string
beforeAll(async () => {
  const port = await freePort()
  site = `http://localhost:${port}/kenning`
  service = await quickService({ env: { KENNING_BASE_URL: `${site}/v1` } })
  const to = new URL(service.origin)
  front = createServer((incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming
    // Another program has the rest of the host.
    if (!url.startsWith('/kenning')) return void response.writeHead(418).end()
    const sent = request({ host: to.hostname, port: to.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve))
})
afterAll(async () => {
  await closeWindows()
  if (front) await closeNow(front)
  await service?.remove()
})

test('sign in and go around: nothing is asked for outside the path', async () => {
  const { page, errors } = await openWindow(site)
  const outside: string[] = []
  page.on('request', (sent) => {
    const address = sent.url()
    if (!address.startsWith(`${site}/`) && /^https?:/.test(address)) outside.push(address)
  })
  await page.goto(`${site}/settings`)
  expect(page.url()).toContain(`${site}/sign-in?next=`)
  await signIn(page, ADMIN as Account)
  await page.waitForURL(`${site}/settings`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.goto(`${site}/keys`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.goto(`${site}/`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  const links = await page
    .locator('a[href^="/"]')
    .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(links.filter((href) => !href?.startsWith('/kenning'))).toEqual([])
  expect([outside, errors]).toEqual([[], []])
})
