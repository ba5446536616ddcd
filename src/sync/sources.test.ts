// Repositories and web pages as sources: a real repository of git, a real web server on this machine.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gitSource } from './git.ts'
import type { Source } from './source.ts'
import { pathOf, webSource } from './web.ts'

const { signal } = new AbortController()
const folder = mkdtempSync(join(tmpdir(), 'kenning-sources-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Path and text of each file; undefined where it cannot be read now, empty where it is gone. */
async function contents(source: Source): Promise<Record<string, string | undefined>> {
  const listing = await source.list(signal)
  const found: Record<string, string | undefined> = {}
  for (const { path, read } of listing.files)
    found[path] = await read().then(
      (bytes) => Buffer.from(bytes).toString(),
      () => undefined,
    )
  await listing.close?.()
  return found
}

describe('git', () => {
  const repository = join(folder, 'handbook')
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
    execFileSync('git', ['-C', repository, ...who, ...args], { stdio: 'pipe' })
  }
  const commit = (): void => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'x')
  }

  test('the newest commit of a branch, without links and hidden files; what is the same keeps its mark', async () => {
    mkdirSync(join(repository, 'docs'), { recursive: true })
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', repository])
    writeFileSync(join(repository, 'docs/a.md'), 'anchors')
    writeFileSync(join(repository, 'docs/b.md'), 'buoys')
    writeFileSync(join(repository, '.hidden.md'), 'hidden')
    symlinkSync('/etc/hostname', join(repository, 'docs/link.md'))
    commit()
    const address = `file://${repository}`
    const source = gitSource(address, { cache: join(folder, 'cache') })
    expect(await contents(source)).toEqual({ 'docs/a.md': 'anchors', 'docs/b.md': 'buoys' })
    git('checkout', '--quiet', '-b', 'next')
    rmSync(join(repository, 'docs/b.md'))
    writeFileSync(join(repository, 'docs/a.md'), 'anchors and chains')
    commit()
    git('checkout', '--quiet', 'main')
    expect(await contents(source)).toEqual({ 'docs/a.md': 'anchors', 'docs/b.md': 'buoys' })
    const next = gitSource(address, { cache: join(folder, 'cache'), branch: 'next', include: ['docs'] })
    expect(await contents(next)).toEqual({ 'docs/a.md': 'anchors and chains' })
    expect(next.identity).not.toBe(source.identity)
  })

  test('what cannot be fetched is an error, and no credentials are shown', async () => {
    const source = gitSource('https://me:secret@localhost:1/x.git', { cache: join(folder, 'cache') })
    expect(`${source.label} ${source.identity}`).not.toContain('secret')
    const error = await source.list(signal).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).not.toContain('secret')
  })
})

describe('web pages', () => {
  let server: Server
  let origin = ''
  let pages: Record<string, { status?: number; type?: string; body: string; location?: string }> = {}
  let asked: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? ''
      asked.push(path)
      const page = pages[path] ?? { status: 404, body: 'no' }
      const { status = 200, type = 'text/html; charset=utf-8', body, location } = page
      response.writeHead(status, { 'content-type': type, ...(location ? { location } : {}) }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const site = (): string => new URL(origin).host

  test('a sitemap with an index: own host only, robots.txt obeyed, each page asked once', async () => {
    const url = (path: string): string =>
      `<url><loc>${origin}${path}</loc><lastmod>2026-01-0${path.length % 9}</lastmod></url>`
    const xml = 'application/xml'
    pages = {
      '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/\n' },
      '/sitemap.xml': {
        type: xml,
        body: `<sitemapindex><sitemap><loc>${origin}/one.xml</loc></sitemap><sitemap><loc>http://other.example/x.xml</loc></sitemap></sitemapindex>`,
      },
      '/one.xml': {
        type: xml,
        body: `<urlset>${url('/')}${url('/docs/berths')}${url('/private/x')}${url('/gone')}${url('/broken')}<url><loc>http://other.example/</loc></url></urlset>`,
      },
      '/': { body: '<h1>Harbour</h1>' },
      '/docs/berths': { status: 302, location: '/docs/berths/', body: '' },
      '/docs/berths/': { body: '<h1>Berths</h1>' },
      '/private/x': { body: 'secret' },
      '/broken': { status: 503, body: 'busy' },
    }
    asked = []
    const source = webSource(`${origin}/sitemap.xml`, { allowPrivate: true })
    expect(await contents(source)).toEqual({
      [`${site()}/index.html`]: '<h1>Harbour</h1>',
      [`${site()}/docs/berths.html`]: '<h1>Berths</h1>',
      [`${site()}/private/x.html`]: '',
      [`${site()}/gone.html`]: '',
      [`${site()}/broken.html`]: undefined,
    })
    expect(asked.filter((path) => path === '/robots.txt')).toHaveLength(1)
    expect(asked).not.toContain('/private/x')
    const { files } = await source.list(signal)
    expect(files.map(({ mark }) => mark)).toContain('2026-01-01')
  })

  test('a list of addresses, and one page', async () => {
    pages = { '/a': { body: 'A' }, '/b?x=1': { body: 'B' } }
    const list = join(folder, 'list.txt')
    writeFileSync(list, `# pages\n${origin}/a\n\n${origin}/b?x=1\n`)
    const found = await contents(webSource(`@${list}`, { allowPrivate: true }))
    expect(found).toEqual({ [`${site()}/a.html`]: 'A', [`${site()}/b x=1.html`]: 'B' })
    expect(await contents(webSource(`${origin}/a`, { allowPrivate: true }))).toEqual({
      [`${site()}/a.html`]: 'A',
    })
    writeFileSync(list, 'not an address\n')
    await expect(webSource(`@${list}`, { allowPrivate: true }).list(signal)).rejects.toThrow('Line 1')
  })

  test('no address inside the network, whoever names it; nor a site in trouble', async () => {
    asked = []
    await expect(webSource(`${origin}/a`, {}).list(signal)).rejects.toThrow('not on the public internet')
    await expect(webSource('http://localhost/a', {}).list(signal)).rejects.toThrow(
      'not on the public internet',
    )
    await expect(webSource('http://[::1]/a', {}).list(signal)).rejects.toThrow('not on the public internet')
    expect(asked).toEqual([])
    pages = { '/robots.txt': { status: 500, body: '' }, '/a': { body: 'A' } }
    await expect(webSource(`${origin}/a`, { allowPrivate: true }).list(signal)).rejects.toThrow('robots.txt')
    expect(asked).not.toContain('/a')
  })

  test.each([
    ['https://example.org', 'example.org/index.html'],
    ['https://example.org/docs/', 'example.org/docs/index.html'],
    ['https://example.org/a%20b.PDF', 'example.org/a b.PDF'],
    ['https://example.org/page.php?id=3', 'example.org/page id=3.html'],
    ['https://example.org/a/..%2f..%2fetc/x.txt', 'example.org/a/.._.._etc/x.txt'],
  ])('%s lies at %s', (url, path) => expect(pathOf(new URL(url))).toBe(path))
})
