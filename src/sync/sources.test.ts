// Repositories and web pages as sources: a real repository of git, a real web server on this machine.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowAll } from '../ports/outbound/guard.ts'
import { gitSource } from './git.ts'
import type { Source } from './source.ts'
import { pathOf, webAddresses, webSource } from './web.ts'

const { signal } = new AbortController()
const WHO = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
}
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

  test('a tree that names ten thousand million paths is given up early', async () => {
    const bomb = join(folder, 'bomb')
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch', 'main', bomb])
    const run = (input: string, ...args: string[]): string =>
      execFileSync('git', ['--git-dir', bomb, ...args], {
        input,
        env: { ...process.env, ...WHO },
        encoding: 'utf8',
      }).trim()
    let entry = `100644 blob ${run('x', 'hash-object', '-w', '--stdin')}`
    for (let level = 0; level < 10; level++) {
      const names = Array.from({ length: 10 }, (_, no) => `${entry}\t${no}${level === 0 ? '.md' : ''}\n`)
      entry = `040000 tree ${run(names.join(''), 'mktree')}`
    }
    run('', 'update-ref', 'refs/heads/main', run('', 'commit-tree', '-m', 'x', entry.slice(12)))
    const source = gitSource(`file://${bomb}`, { cache: join(folder, 'cache') })
    await expect(source.list(signal)).rejects.toThrow('more than 100,000 files')
  })

  test('what cannot be fetched is an error, and no credentials are shown', async () => {
    const source = gitSource('https://me:secret@localhost:1/x.git', { cache: join(folder, 'cache') })
    expect(`${source.label} ${source.identity}`).not.toContain('secret')
    const error = await source.list(signal).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).not.toContain('secret')
  })
})

function* endless(origin: string): Generator<string> {
  yield '<urlset>'
  for (let no = 0; ; no += 100)
    yield Array.from({ length: 100 }, (_, i) => `<url><loc>${origin}/${no + i}</loc></url>`).join('')
}

describe('web pages', () => {
  let server: Server
  let origin = ''
  type Answer = {
    status?: number
    type?: string
    body: string
    location?: string
    etag?: string
    modified?: string
  }
  let pages: Record<string, Answer> = {}
  let asked: string[] = []
  let unchanged: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? ''
      asked.push(path)
      if (path === '/endless.xml') {
        response.writeHead(200, { 'content-type': 'application/xml' })
        Readable.from(endless(origin)).pipe(response)
        return
      }
      const page = pages[path] ?? { status: 404, body: 'no' }
      const { status = 200, type = 'text/html; charset=utf-8', body, location, etag, modified } = page
      const { 'if-none-match': tag, 'if-modified-since': since } = request.headers
      if ((etag && tag === etag) || (modified && since === modified)) {
        unchanged.push(path)
        response.writeHead(304).end()
        return
      }
      response
        .writeHead(status, {
          'content-type': type,
          ...(location ? { location } : {}),
          ...(etag ? { etag } : {}),
          ...(modified ? { 'last-modified': modified } : {}),
        })
        .end(body)
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

  test('a sitemap without end is given up, and so is a circle of them; a long robots.txt is read in part', async () => {
    pages = {
      '/robots.txt': { type: 'text/plain', body: `User-agent: *\nDisallow: /no\n${'#'.repeat(2e6)}` },
      '/index.xml': {
        type: 'application/xml',
        body: `<sitemapindex><sitemap><loc>${origin}/index.xml</loc></sitemap><sitemap><loc>${origin}/page.xml</loc></sitemap></sitemapindex>`,
      },
      '/page.xml': {
        type: 'text/xml',
        body: `<urlset><url><loc>${origin}/${'a'.repeat(3000)}</loc></url><url><loc>${origin}/a</loc></url></urlset>`,
      },
      '/other.xml': { type: 'text/xml', body: '<?xml version="1.0"?><note>text</note>' },
      '/no': { body: 'no' },
    }
    const open = (path: string): Source => webSource(`${origin}${path}`, { allowPrivate: true })
    await expect(open('/no').list(signal)).rejects.toThrow('does not allow')
    await expect(open('/endless.xml').list(signal)).rejects.toThrow('more than 50000 pages')
    expect((await open('/index.xml').list(signal)).files.map(({ path }) => path)).toEqual([
      `${site()}/a.html`,
    ])
    expect(await contents(open('/other.xml'))).toEqual({ [`${site()}/other.xml`]: pages['/other.xml']?.body })
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

  test('what has not changed since is not fetched again; what is needed after all is', async () => {
    const modified = 'Tue, 13 Jan 2026 10:00:00 GMT'
    pages = {
      '/tagged': { body: 'A', etag: '"a-1"' },
      '/dated': { body: 'B', modified },
      '/moved': { status: 302, location: '/tagged', body: '' },
      '/plain': { body: 'C' },
    }
    const addresses = ['/tagged', '/dated', '/moved', '/plain'].map((path) => new URL(path, origin))
    const source = webAddresses(addresses, { mayConnect: allowAll })
    const remembered = new Map<string, string | undefined>()
    const round = async () => {
      asked = []
      unchanged = []
      const listing = await source.list(signal, (path) => remembered.get(path))
      const found: Record<string, string> = {}
      for (const file of listing.files) {
        const fresh = await file.readSince?.(remembered.get(file.path))
        if (!fresh || fresh === 'unchanged') continue
        remembered.set(file.path, fresh.mark)
        found[file.path.slice(site().length)] = Buffer.from(fresh.bytes).toString()
      }
      return { listing, found }
    }
    const first = await round()
    expect(first.found).toEqual({
      '/tagged.html': 'A',
      '/dated.html': 'B',
      '/moved.html': 'A',
      '/plain.html': 'C',
    })
    await first.listing.close?.()
    // One request a page, although it was not known that none of them is a sitemap.
    expect(asked.filter((path) => path !== '/robots.txt').sort()).toEqual([
      '/dated',
      '/moved',
      '/plain',
      '/tagged',
      '/tagged',
    ])
    const second = await round()
    expect(second.found).toEqual({ '/plain.html': 'C' })
    expect(unchanged.sort()).toEqual(['/dated', '/tagged', '/tagged'])
    // Its document was deleted: the bytes are needed although they are the same.
    const [tagged] = second.listing.files
    expect(Buffer.from((await tagged?.read()) ?? []).toString()).toBe('A')
    await second.listing.close?.()
    // A date of one address says nothing of another: where it leads to now is asked for whole.
    pages = {
      ...pages,
      '/moved': { status: 302, location: '/dated', body: '' },
      '/tagged': { body: 'A2', etag: '"a-2"' },
    }
    remembered.set(`${site()}/moved.html`, `if-modified-since ${origin}/elsewhere ${modified}`)
    expect((await round()).found).toEqual({ '/tagged.html': 'A2', '/moved.html': 'B', '/plain.html': 'C' })
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
