// Web pages as a source: those of a sitemap, of a list of addresses, or one page. Sites are asked one page at a time, and only
// for what their robots.txt allows.

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { anywhere, type MayConnect, publicAnd } from '../ports/outbound/guard.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { type Page, type PageHead, wholeBody, withPage } from '../ports/outbound/untrusted-page.ts'
import { type CollectOptions, isWanted } from './collect.ts'
import { nothingThere, SyncFailed } from './failure.ts'
import { MAX_ROBOTS_BYTES, parseRobots, type Robots } from './robots.ts'
import type { Listing, Marks, Source, SourceFile } from './source.ts'
import { openSpool, type SpoolOptions } from './spool.ts'

const AGENT = 'kenning'
const USER_AGENT = 'kenning-sync/1 (+https://www.rfc-editor.org/rfc/rfc9309)'
const TIMEOUT_MS = 60_000
// Of the protocol: a sitemap holds as many, an index as many sitemaps; more than this is no source for one workspace.
const MAX_PAGES = 50_000
const MAX_SITEMAPS = 500
// An address has fewer than 2,048 characters (sitemaps.org).
const MAX_ADDRESS = 2100
const MAX_DATE = 100
// Between two requests to a site, where its robots.txt does not ask for more.
const PAUSE_MS = 200
const MAX_PAUSE_MS = 30_000

export interface WebOptions extends CollectOptions {
  mayConnect: MayConnect
  /** Sent besides, asked for each address. */
  headersFor?: (url: URL) => Record<string, string>
  spool?: SpoolOptions
}

/** An address, or `@` and a file that lists some. */
export function webSource(
  address: string,
  { allowPrivate, ...options }: CollectOptions & { allowPrivate?: boolean },
): Source {
  const isList = address.startsWith('@')
  const guarded = { ...options, mayConnect: allowPrivate ? anywhere : publicAnd([]) }
  return {
    label: isList ? address.slice(1) : address.replace(/^https?:\/\//i, ''),
    identity: `web ${address}`,
    list: async (signal, marks) => {
      const site = openSites(guarded, signal)
      const pages = isList
        ? listedIn(await linesOf(address.slice(1)))
        : await pagesBehind(new URL(address), site, marks)
      return fetched(pages, site, guarded)
    },
  }
}

/** Pages and sitemaps, all of which have to answer. */
export function webAddresses(addresses: readonly URL[], options: WebOptions): Source {
  const [first] = addresses
  return {
    label: `${first?.host}${addresses.length > 1 ? ` and ${addresses.length - 1} more` : (first?.pathname ?? '')}`,
    identity: `web ${addresses.join(' ')}`,
    list: async (signal, marks) => {
      const site = openSites(options, signal)
      const pages: Wanted[] = []
      for (const address of addresses) {
        for (const page of await pagesBehind(address, site, marks)) pages.push(page)
        requirePages(pages)
      }
      return fetched(pages, site, options)
    },
  }
}

interface Wanted {
  url: URL
  /** By the sitemap. */
  changed: string | undefined
  /** What it has answered already, once. */
  answer?: Page | 'unchanged'
}

// Of an answer that is held until it is read: it may be one of many.
const MAX_HELD_BYTES = 2 ** 20

async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? nothingThere(`There is no file ${file}.`) : error
  })
  return text.split(/\r?\n/).map((line) => line.trim())
}

function listedIn(lines: readonly string[]): Wanted[] {
  return lines.flatMap((line, no) => {
    if (!line || line.startsWith('#')) return []
    if (!URL.canParse(line) || !/^https?:/i.test(line))
      throw new SyncFailed(`Line ${no + 1} is not a web address: ${line.slice(0, 200)}`)
    return [{ url: new URL(line), changed: undefined }]
  })
}

/** The pages of a sitemap, or the page itself. */
async function pagesBehind(address: URL, site: Sites, marks: Marks = () => undefined): Promise<Wanted[]> {
  const first = await readPlace(address, site, marks(pathOf(address)))
  // It was a page when it was read last.
  if (first === 'unchanged') return [{ url: address, changed: undefined, answer: first }]
  if (first === 'forbidden')
    throw new SyncFailed(`The robots.txt of ${address.host} does not allow ${address.pathname}.`)
  if (first.page) {
    const { page } = first
    return [{ url: address, changed: undefined, ...(page.body.length <= MAX_HELD_BYTES && { answer: page }) }]
  }
  const { pages } = first
  const open = [...first.sitemaps]
  const visited = new Set([address.href])
  for (let next = open.shift(); next; next = open.shift()) {
    if (visited.has(next.href)) continue
    visited.add(next.href)
    if (visited.size > MAX_SITEMAPS) throw new SyncFailed(`There are more than ${MAX_SITEMAPS} sitemaps.`)
    const more = await readPlace(next, site)
    if (more === 'forbidden' || more === 'unchanged') continue
    for (const page of more.pages) pages.push(page)
    requirePages(pages)
    for (const sitemap of more.sitemaps) if (open.length < MAX_SITEMAPS) open.push(sitemap)
  }
  return pages
}

function requirePages(pages: readonly Wanted[]): void {
  if (pages.length > MAX_PAGES) throw new SyncFailed(`The sitemaps list more than ${MAX_PAGES} pages.`)
}

/** What an address leads to: a page, or what a sitemap lists. */
interface Place {
  page: Page | undefined
  pages: Wanted[]
  sitemaps: URL[]
}

/** A sitemap is read as it comes: one may have 100 MB. @throws SyncFailed for an answer that is none */
const readPlace = (address: URL, site: Sites, since?: string): Promise<Place | 'forbidden' | 'unchanged'> =>
  site.read(address, since, async (head, body) => {
    requireOk(head, address)
    const isXml = /xml$/.test(head.type) || head.url.pathname.endsWith('.xml')
    const place: Place = { page: undefined, pages: [], sitemaps: [] }
    const sitemap = isXml ? readSitemap(address.host, place) : undefined
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of body) {
      const is = sitemap?.write(piece)
      // No page is told by what comes after so much of something else.
      if (is === true) pieces.length = 0
      else pieces.push(piece)
      size += piece.length
      if (sitemap && is === undefined && size > MAX_HELD_BYTES)
        throw new SyncFailed(`${address.href} is no sitemap and no page.`)
    }
    if (!sitemap?.end()) place.page = { ...head, body: Buffer.concat(pieces) }
    return place
  })

function requireOk({ status }: PageHead, url: URL): void {
  if (status !== 200) throw new SyncFailed(`${url.href} answered ${status}; nothing was changed.`)
}

/** Puts what a sitemap lists into a place. A sitemap speaks for its own host only (sitemaps.org). */
function readSitemap(host: string, { pages, sitemaps }: Place) {
  let root: string | undefined
  let element = ''
  let [loc, lastmod] = ['', '']
  const add = (name: 'url' | 'sitemap'): void => {
    const address = loc.trim()
    if (loc.length > MAX_ADDRESS || !URL.canParse(address)) return
    const url = new URL(address)
    if (!/^https?:$/.test(url.protocol) || url.host !== host) return
    if (name === 'url') {
      pages.push({ url, changed: lastmod.trim().slice(0, MAX_DATE) || undefined })
      requirePages(pages)
    } else if (sitemaps.push(url) > MAX_SITEMAPS)
      throw new SyncFailed(`There are more than ${MAX_SITEMAPS} sitemaps.`)
  }
  const parser = new Parser(
    {
      onopentag: (name) => {
        root ??= name
        element = name
        if (name === 'url' || name === 'sitemap') [loc, lastmod] = ['', '']
      },
      ontext: (text) => {
        if (element === 'loc' && loc.length <= MAX_ADDRESS) loc += text
        else if (element === 'lastmod' && lastmod.length <= MAX_DATE) lastmod += text
      },
      onclosetag: (name) => {
        element = ''
        if (name === 'url' || name === 'sitemap') add(name)
      },
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder()
  /** Undefined as long as it has not begun. */
  const is = (): boolean | undefined =>
    root === undefined ? undefined : root === 'urlset' || root === 'sitemapindex'
  return {
    write: (piece: Buffer): boolean | undefined => {
      if (is() !== false) parser.write(decoder.decode(piece, { stream: true }))
      return is()
    },
    end: (): boolean => {
      if (is()) parser.end(decoder.decode())
      return is() === true
    },
  }
}

/** One that cannot be reached must not look like one that is gone: only 404, 410 and robots.txt say that. */
function fetched(pages: readonly Wanted[], site: Sites, options: WebOptions): Listing {
  const verdictOf = isWanted({ ...options, hidden: true })
  const spool = openSpool(options.spool)
  const files: SourceFile[] = []
  const paths = new Set<string>()
  for (const page of pages) {
    const { url, changed } = page
    const path = pathOf(url)
    if (paths.has(path) || verdictOf(path) !== 'yes') continue
    paths.add(path)
    let answered: Page | 'forbidden' | undefined
    const read = spool.once(async () => bytesOf(answered ?? (await site.get(url)), url))
    files.push({
      path,
      bytes: 0,
      mark: changed,
      read,
      readSince: async (since) => {
        const answer = page.answer ?? (await site.get(url, since))
        delete page.answer
        if (answer === 'unchanged') return answer
        answered = answer
        const bytes = await read()
        answered = undefined
        return { bytes, mark: changed ?? (answer === 'forbidden' ? undefined : validatorOf(answer)) }
      },
    })
  }
  return { files, notes: [], close: spool.close }
}

function bytesOf(page: Page | 'forbidden' | 'unchanged', url: URL): Buffer<ArrayBuffer> {
  if (page === 'forbidden' || page === 'unchanged') return Buffer.alloc(0)
  // Gone, or withdrawn: then it is gone here too. Anything else may pass.
  if (page.status === 404 || page.status === 410) return Buffer.alloc(0)
  if (page.status !== 200) throw new OutboundFailed(`${url.host} answered ${page.status}.`, page.status)
  return page.body
}

const MAX_VALIDATOR = 1000

/** The mark of an answer by which a site can be asked for what is newer; with the address that gave it (RFC 9110, 13.1). */
function validatorOf({ url, etag, lastModified }: Page): string | undefined {
  const validator = etag ?? lastModified
  const kind = etag === undefined ? 'if-modified-since' : 'if-none-match'
  const mark = validator === undefined ? undefined : `${kind} ${url.href} ${validator}`
  return mark && mark.length <= MAX_VALIDATOR ? mark : undefined
}

/** The header of such a mark, for the address that gave it alone: another one's dates and tags say nothing. */
function conditionOf(mark: string | undefined): ((url: URL) => Record<string, string>) | undefined {
  const [, kind, address, validator] = /^(if-none-match|if-modified-since) (\S+) (.+)$/.exec(mark ?? '') ?? []
  if (!kind || !address || !validator) return undefined
  return (url) => (url.href === address ? { [kind]: validator } : {})
}

/** `example.org/docs/page.html`: host and path as folders, with an extension that says what it is. */
export function pathOf(url: URL): string {
  const steps = url.pathname.split('/').map(decoded).filter(Boolean)
  if (url.pathname.endsWith('/')) steps.push('index')
  const last = steps.pop() ?? 'index'
  const query = url.search ? ` ${decoded(url.search.slice(1))}` : ''
  const [, stem = last, extension = 'html'] = /^(.+)\.([a-z0-9]{1,5})$/i.exec(last) ?? []
  const isPage = /^(php|aspx?|jsp|cgi|html?)$/i.test(extension)
  const name = `${stem}${query}.${isPage ? 'html' : extension}`.replaceAll('/', '_')
  return [
    url.host,
    ...steps.map((step) => step.replaceAll('/', '_')).filter((step) => step !== '..'),
    name,
  ].join('/')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    pieces.push(piece)
    size += piece.length
    if (size > MAX_ROBOTS_BYTES) break
  }
  return Buffer.concat(pieces).toString('utf8')
}

interface Sites {
  /** A page, unless the site's robots.txt forbids it, or it is as it was at the reading that gave the mark. */
  get(url: URL, since?: string): Promise<Page | 'forbidden' | 'unchanged'>
  /** The same, with the body as it comes. */
  read<T>(
    url: URL,
    since: string | undefined,
    take: (head: PageHead, body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T | 'forbidden' | 'unchanged'>
}

function openSites({ mayConnect, headersFor, onMoved }: WebOptions, signal: AbortSignal): Sites {
  const limits = {
    mayConnect,
    ...(headersFor ? { headersFor } : {}),
    mostBytes: MAX_FILE_BYTES,
    timeoutMs: TIMEOUT_MS,
    userAgent: USER_AGENT,
    signal,
  }
  const rules = new Map<string, Promise<Robots>>()
  const free = new Map<string, number>()
  const rulesOf = (origin: string): Promise<Robots> => {
    const robots = rules.get(origin) ?? readRules(origin)
    rules.set(origin, robots)
    return robots
  }
  const readRules = async (origin: string) => {
    const address = `${origin}/robots.txt`
    return withPage(new URL(address), limits, async ({ status }, body) => {
      // RFC 9309 section 2.3.1: none allows everything, a site in trouble nothing.
      if (status >= 500)
        throw new OutboundFailed(`${new URL(origin).host} answered ${status} for its robots.txt.`, status)
      return parseRobots(status === 200 ? await beginningOf(body) : '', AGENT)
    })
  }
  const turn = async (origin: string, delayMs: number): Promise<void> => {
    const at = Math.max(Date.now(), free.get(origin) ?? 0)
    free.set(origin, at + delayMs)
    await sleep(at - Date.now(), undefined, { signal })
  }
  const read: Sites['read'] = async (url, since, take) => {
    const rule = await rulesOf(url.origin)
    if (!rule.isAllowed(url)) return 'forbidden'
    const delayMs = (rule.delaySeconds ?? 0) * 1000
    await turn(url.origin, Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, delayMs)))
    const condition = conditionOf(since)
    onMoved?.()
    if (!condition) return withPage(url, limits, take)
    const headers = (at: URL): Record<string, string> => ({ ...headersFor?.(at), ...condition(at) })
    return withPage(url, { ...limits, headersFor: headers }, async (head, body) =>
      head.status === 304 ? 'unchanged' : take(head, body),
    )
  }
  return {
    read,
    get: (url, since) => read(url, since, async (head, body) => ({ ...head, body: await wholeBody(body) })),
  }
}
