// Web pages as a source: those of a sitemap, of a list of addresses, or one page. Sites are asked one page at a time, and only
// for what their robots.txt allows.

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import robotsParser from 'robots-parser'
import { anywhere, type MayConnect, publicAnd } from '../ports/outbound/guard.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { fetchPage, type Page } from '../ports/outbound/untrusted-page.ts'
import { type CollectOptions, isWanted } from './collect.ts'
import { nothingThere, SyncFailed } from './failure.ts'
import type { Listing, Marks, Source, SourceFile } from './source.ts'
import { openSpool, type SpoolOptions } from './spool.ts'

// Its types describe another form of module than it has.
const robots = robotsParser as unknown as (address: string, text: string) => Rules

interface Rules {
  isAllowed(url: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
}

const AGENT = 'kenning'
const USER_AGENT = 'kenning-sync/1 (+https://www.rfc-editor.org/rfc/rfc9309)'
const MOST_BYTES = 104_857_600
const TIMEOUT_MS = 60_000
// Of the protocol: a sitemap holds as many, an index as many sitemaps; more than this is no source for one workspace.
const MOST_PAGES = 50_000
const MOST_SITEMAPS = 500
// Between two requests to a site, where its robots.txt does not ask for more.
const PAUSE_MS = 200
const LONGEST_PAUSE_MS = 30_000

export interface WebOptions extends CollectOptions {
  mayConnect: MayConnect
  /** Sent besides, asked for each address. */
  headersFor?: (url: URL) => Record<string, string>
  spool?: SpoolOptions
}

/** An address, or `@` and a file that lists some. */
export function webSource(
  given: string,
  { allowPrivate, ...options }: CollectOptions & { allowPrivate?: boolean },
): Source {
  const isList = given.startsWith('@')
  const guarded = { ...options, mayConnect: allowPrivate ? anywhere : publicAnd([]) }
  return {
    label: isList ? given.slice(1) : given.replace(/^https?:\/\//i, ''),
    identity: `web ${given}`,
    list: async (signal, marks) => {
      const site = openSites(guarded, signal)
      const pages = isList
        ? listedIn(await linesOf(given.slice(1)))
        : await behind(new URL(given), site, marks)
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
      for (const address of addresses) pages.push(...(await behind(address, site, marks)))
      if (pages.length > MOST_PAGES) throw new SyncFailed(`The sitemaps list more than ${MOST_PAGES} pages.`)
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
const MOST_HELD_BYTES = 2 ** 20

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
async function behind(address: URL, site: Sites, marks: Marks = () => undefined): Promise<Wanted[]> {
  const first = await site.get(address, marks(pathOf(address)))
  // It was a page when it was read last.
  if (first === 'unchanged') return [{ url: address, changed: undefined, answer: first }]
  if (first === 'forbidden')
    throw new SyncFailed(`The robots.txt of ${address.host} does not allow ${address.pathname}.`)
  requireOk(first, address)
  const map = sitemapOf(first)
  if (!map)
    return [
      { url: address, changed: undefined, ...(first.body.length <= MOST_HELD_BYTES && { answer: first }) },
    ]
  const pages = [...map.pages]
  let open = map.sitemaps
  let read = 0
  while (open.length > 0) {
    const [next] = open.splice(0, 1)
    if (!next || ++read > MOST_SITEMAPS) break
    // A sitemap speaks for its own host only (sitemaps.org).
    if (next.host !== address.host) continue
    const found = await site.get(next)
    if (found === 'forbidden' || found === 'unchanged') continue
    requireOk(found, next)
    const more = sitemapOf(found)
    pages.push(...(more?.pages ?? []))
    open = [...open, ...(more?.sitemaps ?? [])]
  }
  const own = pages.filter(({ url }) => url.host === address.host)
  if (own.length > MOST_PAGES) throw new SyncFailed(`The sitemap lists more than ${MOST_PAGES} pages.`)
  return own
}

function requireOk({ status }: Page, url: URL): void {
  if (status !== 200) throw new SyncFailed(`${url.href} answered ${status}; nothing was changed.`)
}

/** Undefined for a page that is no sitemap. */
function sitemapOf({ body, type, url }: Page): { pages: Wanted[]; sitemaps: URL[] } | undefined {
  const isXml = /xml$/.test(type) || url.pathname.endsWith('.xml')
  if (!isXml) return undefined
  const pages: Wanted[] = []
  const sitemaps: URL[] = []
  let root: string | undefined
  let element = ''
  let [loc, lastmod] = ['', '']
  const parser = new Parser(
    {
      onopentag: (name) => {
        root ??= name
        element = name
        if (name === 'url' || name === 'sitemap') [loc, lastmod] = ['', '']
      },
      ontext: (text) => {
        if (element === 'loc') loc += text
        else if (element === 'lastmod') lastmod += text
      },
      onclosetag: (name) => {
        element = ''
        if ((name !== 'url' && name !== 'sitemap') || !URL.canParse(loc.trim())) return
        const found = new URL(loc.trim())
        if (!/^https?:$/.test(found.protocol)) return
        if (name === 'sitemap') sitemaps.push(found)
        else pages.push({ url: found, changed: lastmod.trim() || undefined })
      },
    },
    { xmlMode: true },
  )
  parser.end(body.toString('utf8'))
  return root === 'urlset' || root === 'sitemapindex' ? { pages, sitemaps } : undefined
}

/** One that cannot be reached must not look like one that is gone: only 404, 410 and robots.txt say that. */
function fetched(pages: readonly Wanted[], site: Sites, options: WebOptions): Listing {
  const wanted = isWanted({ ...options, hidden: true })
  const spool = openSpool(options.spool)
  const files: SourceFile[] = []
  const seen = new Set<string>()
  for (const page of pages) {
    const { url, changed } = page
    const path = pathOf(url)
    if (seen.has(path) || wanted(path) !== 'yes') continue
    seen.add(path)
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

const MOST_VALIDATOR = 1000

/** The mark of an answer by which a site can be asked for what is newer; with the address that gave it (RFC 9110, 13.1). */
function validatorOf({ url, etag, lastModified }: Page): string | undefined {
  const given = etag ?? lastModified
  const kind = etag === undefined ? 'if-modified-since' : 'if-none-match'
  const mark = given === undefined ? undefined : `${kind} ${url.href} ${given}`
  return mark && mark.length <= MOST_VALIDATOR ? mark : undefined
}

/** The header of such a mark, for the address that gave it alone: another one's dates and tags say nothing. */
function conditionOf(mark: string | undefined): ((url: URL) => Record<string, string>) | undefined {
  const [, kind, address, given] = /^(if-none-match|if-modified-since) (\S+) (.+)$/.exec(mark ?? '') ?? []
  if (!kind || !address || !given) return undefined
  return (url) => (url.href === address ? { [kind]: given } : {})
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

interface Sites {
  /** A page, unless the site's robots.txt forbids it, or it is as it was at the reading that gave the mark. */
  get(url: URL, since?: string): Promise<Page | 'forbidden' | 'unchanged'>
}

function openSites({ mayConnect, headersFor }: WebOptions, signal: AbortSignal): Sites {
  const limits = {
    mayConnect,
    ...(headersFor ? { headersFor } : {}),
    mostBytes: MOST_BYTES,
    timeoutMs: TIMEOUT_MS,
    userAgent: USER_AGENT,
    signal,
  }
  const rules = new Map<string, Promise<Rules>>()
  const free = new Map<string, number>()
  const rulesOf = (origin: string): Promise<Rules> => {
    const known = rules.get(origin) ?? readRules(origin)
    rules.set(origin, known)
    return known
  }
  const readRules = async (origin: string) => {
    const address = `${origin}/robots.txt`
    const { status, body } = await fetchPage(new URL(address), { ...limits, mostBytes: 2 ** 20 })
    // RFC 9309 section 2.3.1: none allows everything, a site in trouble nothing.
    if (status >= 500)
      throw new OutboundFailed(`${new URL(origin).host} answered ${status} for its robots.txt.`, status)
    return robots(address, status === 200 ? body.toString('utf8') : '')
  }
  const turn = async (origin: string, delayMs: number): Promise<void> => {
    const at = Math.max(Date.now(), free.get(origin) ?? 0)
    free.set(origin, at + delayMs)
    await sleep(at - Date.now(), undefined, { signal })
  }
  return {
    get: async (url, since) => {
      const rule = await rulesOf(url.origin)
      if (rule.isAllowed(url.href, AGENT) === false) return 'forbidden'
      const asked = (rule.getCrawlDelay(AGENT) ?? 0) * 1000
      await turn(url.origin, Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, asked)))
      const condition = conditionOf(since)
      if (!condition) return fetchPage(url, limits)
      const headers = (at: URL): Record<string, string> => ({ ...headersFor?.(at), ...condition(at) })
      const page = await fetchPage(url, { ...limits, headersFor: headers })
      return page.status === 304 ? 'unchanged' : page
    },
  }
}
