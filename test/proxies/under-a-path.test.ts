// The service under a path of another host, behind a real nginx and a real Caddy, which keep the path or take it away: the
// console's files, sign-in, the cookie, links, discovery, OAuth by the MCP client of the protocol's authors, MCP, and OpenAPI.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auth } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIRECT, useNetwork } from '../../src/ports/outbound/network.ts'
import { send } from '../../src/ports/outbound/send.ts'
import { hiddenOf } from '../support/oauth.ts'
import { keeper, REDIRECT } from '../support/oauth-client.ts'
import { quickService } from '../support/quick-service.ts'
import { ADMIN, freePort, type Service } from '../support/service.ts'
import { type ProxyName, privateAuthority, scratch, startProxy } from './programs.ts'

const PATH = '/kenning'
const folder = scratch()
let port: number
let origin: string
let site: string
let service: Service
let certificate: { cert: string; key: string }

beforeAll(async () => {
  port = await freePort()
  origin = `https://localhost:${port}`
  site = origin + PATH
  const authority = await privateAuthority(folder)
  certificate = await authority.issue(['localhost'])
  useNetwork({ ...DIRECT, authorities: authority.pem })
  service = await quickService({
    env: { KENNING_BASE_URL: `${site}/v1`, KENNING_TRUSTED_PROXIES: '127.0.0.1' },
  })
})
afterAll(async () => {
  useNetwork(DIRECT)
  await service?.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The lines of deploy/README.md, with what a program in the foreground needs around them. */
function nginxConfig(isStripped: boolean): string[] {
  const target = new URL(service.origin).host
  const pass = `proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_buffering off; proxy_request_buffering off;
      client_max_body_size 0; proxy_read_timeout 1h; proxy_send_timeout 1h; proxy_set_header X-Forwarded-For $remote_addr;`
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};
    location ${PATH}/ { proxy_pass http://${target}${isStripped ? '/' : ''}; ${pass} }
    location ~ ^/\\.well-known/oauth-[a-z-]+${PATH}(/|$) { proxy_pass http://${target}; ${pass} }
  }
}`,
  )
  return ['-c', file, '-p', folder]
}

function caddyConfig(isStripped: boolean): string[] {
  const target = new URL(service.origin).host
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{
	admin off
	auto_https off
}
https://localhost:${port} {
	bind 127.0.0.1
	tls ${certificate.cert} ${certificate.key}
	${isStripped ? 'handle_path' : 'handle'} ${PATH}/* {
		reverse_proxy ${target} {
			flush_interval -1
		}
	}
	@discovery path_regexp ^/\\.well-known/oauth-[a-z-]+${PATH}(/|$)
	handle @discovery {
		reverse_proxy ${target}
	}
}`,
  )
  return ['run', '--config', file, '--adapter', 'caddyfile']
}

/** As a browser would: by absolute addresses only, with the cookie where its path says. */
function browser() {
  let cookie = ''
  const visit = async (address: string, form?: Record<string, string>): Promise<Response> => {
    expect(address.startsWith(`${site}/`), address).toBe(true)
    const answer = await send(address, {
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'text/html',
        ...(cookie ? { cookie } : {}),
        ...(form ? { origin, 'sec-fetch-site': 'same-origin' } : {}),
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    const [set] = answer.headers.getSetCookie()
    if (set !== undefined) {
      expect(set).toMatch(new RegExp(`^__Secure-ken_\\w+=.*; Path=${PATH}; HttpOnly; SameSite=Lax; Secure$`))
      cookie = set.split(';')[0] ?? ''
    }
    return answer
  }
  const next = (answer: Response, from: string): string =>
    new URL(answer.headers.get('location') ?? '', from).href
  return { visit, next, cookie: () => cookie }
}

/** The addresses that a page names, as a browser resolves them. */
const addressesIn = (markup: string, from: string): string[] =>
  [...markup.matchAll(/ (?:href|src|action)="([^"#]+)"/g)].map(
    ([, address = '']) => new URL(address, from).href,
  )

const fetchBySend = ((url: string | URL, init: Parameters<typeof send>[1] = {}) =>
  send(url, init)) as typeof fetch

const WAYS: [ProxyName, string, (isStripped: boolean) => string[], boolean][] = [
  ['nginx', 'keeps the path', nginxConfig, false],
  ['nginx', 'takes the path away', nginxConfig, true],
  ['caddy', 'keeps the path', caddyConfig, false],
  ['caddy', 'takes the path away', caddyConfig, true],
]

describe.each(WAYS)('%s that %s', (name, _, configure, isStripped) => {
  let stop: () => Promise<void>
  beforeAll(async () => {
    stop = await startProxy(name, configure(isStripped), port)
  })
  afterAll(() => stop())

  test('sign-in, the console and its files, and the token', async () => {
    const { visit, next, cookie } = browser()
    const page = `${site}/w/3f2504e0-4f89-41d3-9a0c-0305e82c3301/search?q=a`
    const toSignIn = next(await visit(page), page)
    const form = await (await visit(toSignIn)).text()
    const [action = ''] = addressesIn(form, toSignIn).filter((address) => address.endsWith('/sign-in'))
    const signedIn = await visit(action, { ...hiddenOf(form), ...ADMIN })
    // Back to where the person was going.
    expect(next(signedIn, action)).toBe(page)
    const console = await (await visit(page)).text()
    const files = addressesIn(console, page)
    expect(files.length).toBeGreaterThan(2)
    const scripts: string[] = []
    for (const file of files) {
      const answer = await visit(file)
      expect([file, answer.status]).toEqual([file, 200])
      if (file.endsWith('.js')) scripts.push(await answer.text())
    }
    // What scripts load later is named relative to them.
    expect(scripts.join('\n')).not.toMatch(/["'`]\/assets\//)
    const session = await send(`${site}/session/token`, {
      method: 'POST',
      headers: { origin, cookie: cookie() },
    })
    const { access_token } = (await session.json()) as { access_token: string }
    const authorization = `Bearer ${access_token}`
    expect((await send(`${site}/v1/me`, { headers: { authorization } })).status).toBe(200)
    const invited = await send(`${site}/account/invitations`, {
      method: 'POST',
      headers: { origin, cookie: cookie(), 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${name}-${isStripped}@example.org` }),
    })
    const { link } = (await invited.json()) as { link: string }
    expect(link).toMatch(`${site}/invitation?token=`)
    expect((await visit(link)).status).toBe(200)
    const description = (await (await send(`${site}/v1/openapi.json`, {})).json()) as {
      servers: { url: string }[]
    }
    expect(description.servers[0]?.url).toBe(`${site}/v1`)
  })

  test('an assistant finds everything out from the address of MCP alone', async () => {
    const serverUrl = `${site}/v1/mcp`
    const challenge = (await send(serverUrl, { method: 'POST' })).headers.get('www-authenticate')
    expect(challenge).toContain(`${origin}/.well-known/oauth-protected-resource${PATH}/v1/mcp`)
    const { kept, provider } = keeper()
    expect(await auth(provider, { serverUrl, fetchFn: fetchBySend })).toBe('REDIRECT')
    const { visit, next } = browser()
    let address = kept.sentTo?.href ?? ''
    let markup = ''
    for (let steps = 0; steps < 6 && address.startsWith(site); steps++) {
      const isForm = markup.includes('<form')
      const isSignIn = markup.includes('name="password"')
      const answer = isForm
        ? await visit(
            addressesIn(markup, address).find((one) => /\/(sign-in|oauth\/consent)$/.test(one)) ?? '',
            { ...hiddenOf(markup), ...(isSignIn ? ADMIN : { write: 'yes', decision: 'allow' }) },
          )
        : await visit(address)
      markup = answer.status === 303 || answer.status === 302 ? '' : await answer.text()
      if (markup === '') address = next(answer, address)
    }
    const back = new URL(address)
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT)
    expect(back.searchParams.get('iss')).toBe(site)
    const authorizationCode = back.searchParams.get('code') ?? ''
    const answer = { authorizationCode, iss: back.searchParams.get('iss') ?? '' }
    expect(await auth(provider, { serverUrl, fetchFn: fetchBySend, ...answer })).toBe('AUTHORIZED')
    const listed = await send(serverUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${kept.tokens?.access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    })
    expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('search_passages')])
  })
})
