// Web pages as a source: the pages of a sitemap, of a list of addresses, or one page. Requests to a site start some time apart, and
// only for pages that its robots.txt allows.

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { MAX_FILE_BYTES } from '../contract/limits.ts'
import { allowAll, type MayConnect, publicAnd } from '../ports/outbound/guard.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { type Page, type PageHead, wholeBody, withPage } from '../ports/outbound/untrusted-page.ts'
import { type CollectOptions, selector } from './collect.ts'
import { notFoundFailure, SyncFailed } from './failure.ts'
import { MAX_ROBOTS_BYTES, parseRobots, type Robots } from './robots.ts'
import type { Listing, MarkLookup, Source, SourceFile } from './source.ts'
import { openSpool, type SpoolOptions } from './spool.ts'

const AGENT = 'kenning'
const USER_AGENT = 'kenning-sync/1 (+https://www.rfc-editor.org/rfc/rfc9309)'
const TIMEOUT_MS = 60_000
// A source may have as many pages as one sitemap by the protocol (sitemaps.org).
const MAX_PAGES = 50_000
const MAX_SITEMAPS = 500
// An address has fewer than 2,048 characters (sitemaps.org). The limit leaves room for white space around it.
const MAX_ADDRESS_LENGTH = 2100
const MAX_DATE_LENGTH = 100
// The pause between two requests to a site, if its robots.txt does not ask for a longer one.
const MIN_PAUSE_MS = 200
const MAX_PAUSE_MS = 30_000

interface WebOptions extends CollectOptions {
  mayConnect: MayConnect
  /** Additional headers for an address. */
  headersFor?: (url: URL) => Record<string, string>
  spool?: SpoolOptions
}

/** @param address an address, or `@` and a file with a list of addresses */
export function webSource(
  address: string,
  { allowPrivate, ...options }: CollectOptions & { allowPrivate?: boolean },
): Source {
  const isList = address.startsWith('@')
  const guardedOptions = { ...options, mayConnect: allowPrivate ? allowAll : publicAnd([]) }
  return {
    label: isList ? address.slice(1) : address.replace(/^https?:\/\//i, ''),
    identity: `web ${address}`,
    list: async (signal, marks) => {
      const sites = openSites(guardedOptions, signal)
      const pages = isList
        ? pagesInList(await linesOf(address.slice(1)))
        : await pagesAt(new URL(address), sites, marks)
      return makeListing(pages, sites, guardedOptions)
    },
  }
}

/** A source of several pages and sitemaps. It fails if one of them does not answer. */
export function webAddresses(addresses: readonly URL[], options: WebOptions): Source {
  const [firstAddress] = addresses
  return {
    label: `${firstAddress?.host}${addresses.length > 1 ? ` and ${addresses.length - 1} more` : (firstAddress?.pathname ?? '')}`,
    identity: `web ${addresses.join(' ')}`,
    list: async (signal, marks) => {
      const sites = openSites(options, signal)
      const pages: PageToFetch[] = []
      for (const address of addresses) {
        for (const page of await pagesAt(address, sites, marks)) pages.push(page)
        requirePages(pages)
      }
      return makeListing(pages, sites, options)
    },
  }
}

interface PageToFetch {
  url: URL
  /** The time of the last change, by the sitemap. */
  lastModified: string | undefined
  /** The answer, if the address has already been requested and the answer is small. */
  answer?: Page | 'unchanged'
}

// A larger answer is not kept: its page is requested again when it is read.
const MAX_CACHED_ANSWER_BYTES = 2 ** 20

async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notFoundFailure(`There is no file ${file}.`) : error
  })
  return text.split(/\r?\n/).map((line) => line.trim())
}

function pagesInList(lines: readonly string[]): PageToFetch[] {
  return lines.flatMap((line, index) => {
    if (!line || line.startsWith('#')) return []
    if (!URL.canParse(line) || !/^https?:/i.test(line))
      throw new SyncFailed(`Line ${index + 1} is not a web address: ${line.slice(0, 200)}`)
    return [{ url: new URL(line), lastModified: undefined }]
  })
}

/** The pages of a sitemap, or the page itself. */
async function pagesAt(
  address: URL,
  sites: Sites,
  marks: MarkLookup = () => undefined,
): Promise<PageToFetch[]> {
  const content = await readAddress(address, sites, marks(pathOf(address)))
  // The address was a page at the last reading and has not changed.
  if (content === 'unchanged') return [{ url: address, lastModified: undefined, answer: content }]
  if (content === 'forbidden')
    throw new SyncFailed(`The robots.txt of ${address.host} does not allow ${address.pathname}.`)
  if (content.page) {
    const { page } = content
    return [
      {
        url: address,
        lastModified: undefined,
        ...(page.body.length <= MAX_CACHED_ANSWER_BYTES && { answer: page }),
      },
    ]
  }
  const { pages } = content
  const sitemapQueue = [...content.sitemaps]
  const visitedAddresses = new Set([address.href])
  for (let next = sitemapQueue.shift(); next; next = sitemapQueue.shift()) {
    if (visitedAddresses.has(next.href)) continue
    visitedAddresses.add(next.href)
    if (visitedAddresses.size > MAX_SITEMAPS)
      throw new SyncFailed(`There are more than ${MAX_SITEMAPS} sitemaps.`)
    const addressContent = await readAddress(next, sites)
    if (addressContent === 'forbidden' || addressContent === 'unchanged') continue
    for (const page of addressContent.pages) pages.push(page)
    requirePages(pages)
    for (const sitemap of addressContent.sitemaps)
      if (sitemapQueue.length < MAX_SITEMAPS) sitemapQueue.push(sitemap)
  }
  return pages
}

function requirePages(pages: readonly PageToFetch[]): void {
  if (pages.length > MAX_PAGES) throw new SyncFailed(`The source has more than ${MAX_PAGES} pages.`)
}

/** The content of an address: a page, or the pages and sitemaps that a sitemap lists. */
interface AddressContent {
  page: Page | undefined
  pages: PageToFetch[]
  sitemaps: URL[]
}

/**
 * Reads an address. A sitemap is parsed while it arrives, because it may have 100 MB.
 * @throws SyncFailed if the status is not 200, or if XML has no element in its first MiB
 */
const readAddress = (
  address: URL,
  sites: Sites,
  since?: string,
): Promise<AddressContent | 'forbidden' | 'unchanged'> =>
  sites.read(address, since, async (head, body) => {
    requireOk(head, address)
    const isXml = /xml$/.test(head.type) || head.url.pathname.endsWith('.xml')
    const content: AddressContent = { page: undefined, pages: [], sitemaps: [] }
    const sitemap = isXml ? readSitemap(address.host, content) : undefined
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of body) {
      const isSitemapSoFar = sitemap?.write(piece)
      if (isSitemapSoFar === true) pieces.length = 0
      else pieces.push(piece)
      size += piece.length
      // The first element of a sitemap comes within this many bytes.
      if (sitemap && isSitemapSoFar === undefined && size > MAX_CACHED_ANSWER_BYTES)
        throw new SyncFailed(
          `${address.href} has no XML element in its first megabyte, so it is neither a sitemap nor a page.`,
        )
    }
    if (!sitemap?.end()) content.page = { ...head, body: Buffer.concat(pieces) }
    return content
  })

function requireOk({ status }: PageHead, url: URL): void {
  if (status !== 200)
    throw new SyncFailed(`${url.href} answered ${status}, so this sync changed no documents.`)
}

/** Parses a sitemap and adds its addresses. Only addresses of its own host are valid (sitemaps.org). */
function readSitemap(host: string, { pages, sitemaps }: AddressContent) {
  let root: string | undefined
  let element = ''
  let [loc, lastmod] = ['', '']
  const add = (name: 'url' | 'sitemap'): void => {
    const address = loc.trim()
    if (loc.length > MAX_ADDRESS_LENGTH || !URL.canParse(address)) return
    const url = new URL(address)
    if (!/^https?:$/.test(url.protocol) || url.host !== host) return
    if (name === 'url') {
      pages.push({ url, lastModified: lastmod.trim().slice(0, MAX_DATE_LENGTH) || undefined })
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
        if (element === 'loc' && loc.length <= MAX_ADDRESS_LENGTH) loc += text
        else if (element === 'lastmod' && lastmod.length <= MAX_DATE_LENGTH) lastmod += text
      },
      onclosetag: (name) => {
        element = ''
        if (name === 'url' || name === 'sitemap') add(name)
      },
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder()
  /** Whether the text is a sitemap. Undefined until the first element. */
  const isSitemap = (): boolean | undefined =>
    root === undefined ? undefined : root === 'urlset' || root === 'sitemapindex'
  return {
    write: (piece: Buffer): boolean | undefined => {
      if (isSitemap() !== false) parser.write(decoder.decode(piece, { stream: true }))
      return isSitemap()
    },
    end: (): boolean => {
      if (isSitemap()) parser.end(decoder.decode())
      return isSitemap() === true
    },
  }
}

/**
 * The listing of the pages. If a page answers 404 or 410, or if robots.txt forbids it, its document is deleted. If it cannot be
 * reached, its document is kept.
 */
function makeListing(pages: readonly PageToFetch[], sites: Sites, options: WebOptions): Listing {
  const verdictOf = selector({ ...options, hidden: true })
  const spool = openSpool(options.spool)
  const files: SourceFile[] = []
  const paths = new Set<string>()
  for (const page of pages) {
    const { url, lastModified } = page
    const path = pathOf(url)
    if (paths.has(path) || verdictOf(path) !== 'yes') continue
    paths.add(path)
    let answerToRead: Page | 'forbidden' | undefined
    const readBytes = spool.readOnce(async () => bytesOf(answerToRead ?? (await sites.get(url)), url))
    files.push({
      path,
      // The size is not known before the page is read.
      bytes: 0,
      mark: lastModified,
      read: readBytes,
      readSince: async (since) => {
        const answer = page.answer ?? (await sites.get(url, since))
        delete page.answer
        if (answer === 'unchanged') return answer
        answerToRead = answer
        const bytes = await readBytes()
        answerToRead = undefined
        return { bytes, mark: lastModified ?? (answer === 'forbidden' ? undefined : validatorOf(answer)) }
      },
    })
  }
  return { files, notes: [], close: spool.close }
}

function bytesOf(page: Page | 'forbidden' | 'unchanged', url: URL): Buffer<ArrayBuffer> {
  if (page === 'forbidden' || page === 'unchanged') return Buffer.alloc(0)
  // The page was deleted, so its document is deleted, too. Other errors may be temporary.
  if (page.status === 404 || page.status === 410) return Buffer.alloc(0)
  if (page.status !== 200) throw new OutboundFailed(`${url.host} answered ${page.status}.`, page.status)
  return page.body
}

const MAX_VALIDATOR_LENGTH = 1000

/** The mark of an answer, for a conditional request later. It contains the address (RFC 9110, 13.1). */
function validatorOf({ url, etag, lastModified }: Page): string | undefined {
  const validator = etag ?? lastModified
  const kind = etag === undefined ? 'if-modified-since' : 'if-none-match'
  const mark = validator === undefined ? undefined : `${kind} ${url.href} ${validator}`
  return mark && mark.length <= MAX_VALIDATOR_LENGTH ? mark : undefined
}

/** The conditional header of a mark. It is only sent to the mark's address, because other addresses have other validators. */
function conditionalHeaders(mark: string | undefined): ((url: URL) => Record<string, string>) | undefined {
  const [, kind, address, validator] = /^(if-none-match|if-modified-since) (\S+) (.+)$/.exec(mark ?? '') ?? []
  if (!kind || !address || !validator) return undefined
  return (url) => (url.href === address ? { [kind]: validator } : {})
}

/** The path of a page, such as `example.org/docs/page.html`: host and path as folders, with the extension of its kind. */
export function pathOf(url: URL): string {
  const steps = url.pathname.split('/').map(decodePart).filter(Boolean)
  if (url.pathname.endsWith('/')) steps.push('index')
  const lastStep = steps.pop() ?? 'index'
  const query = url.search ? ` ${decodePart(url.search.slice(1))}` : ''
  const [, stem = lastStep, extension = 'html'] = /^(.+)\.([a-z0-9]{1,5})$/i.exec(lastStep) ?? []
  const isPage = /^(php|aspx?|jsp|cgi|html?)$/i.test(extension)
  const name = `${stem}${query}.${isPage ? 'html' : extension}`.replaceAll('/', '_')
  return [
    url.host,
    ...steps.map((step) => step.replaceAll('/', '_')).filter((step) => step !== '..'),
    name,
  ].join('/')
}

function decodePart(text: string): string {
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
  /** Requests a page, unless robots.txt forbids it. `unchanged` if it has not changed since the reading that returned this mark. */
  get(url: URL, since?: string): Promise<Page | 'forbidden' | 'unchanged'>
  /** Requests a page, and passes the body to `handle` while it arrives. */
  read<T>(
    url: URL,
    since: string | undefined,
    handle: (head: PageHead, body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T | 'forbidden' | 'unchanged'>
}

function openSites({ mayConnect, headersFor, onProgress }: WebOptions, signal: AbortSignal): Sites {
  const limits = {
    mayConnect,
    ...(headersFor ? { headersFor } : {}),
    maxBytes: MAX_FILE_BYTES,
    timeoutMs: TIMEOUT_MS,
    userAgent: USER_AGENT,
    signal,
  }
  const robotsByOrigin = new Map<string, Promise<Robots>>()
  const nextRequestAt = new Map<string, number>()
  const robotsOf = (origin: string): Promise<Robots> => {
    const robots = robotsByOrigin.get(origin) ?? readRobots(origin)
    robotsByOrigin.set(origin, robots)
    return robots
  }
  const readRobots = async (origin: string) => {
    const address = `${origin}/robots.txt`
    return withPage(new URL(address), limits, async ({ status }, body) => {
      // By RFC 9309 (2.3.1) a missing robots.txt allows everything, and a server error forbids everything. Here a server error is
      // an error, because the documents of forbidden pages are deleted.
      if (status >= 500)
        throw new OutboundFailed(`${new URL(origin).host} answered ${status} for its robots.txt.`, status)
      return parseRobots(status === 200 ? await beginningOf(body) : '', AGENT)
    })
  }
  const waitForTurn = async (origin: string, delayMs: number): Promise<void> => {
    const startsAt = Math.max(Date.now(), nextRequestAt.get(origin) ?? 0)
    nextRequestAt.set(origin, startsAt + delayMs)
    await sleep(startsAt - Date.now(), undefined, { signal })
  }
  const read: Sites['read'] = async (url, since, handle) => {
    const robots = await robotsOf(url.origin)
    if (!robots.isAllowed(url)) return 'forbidden'
    const delayMs = (robots.delaySeconds ?? 0) * 1000
    await waitForTurn(url.origin, Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, delayMs)))
    const condition = conditionalHeaders(since)
    onProgress?.()
    if (!condition) return withPage(url, limits, handle)
    const headers = (target: URL): Record<string, string> => ({
      ...headersFor?.(target),
      ...condition(target),
    })
    return withPage(url, { ...limits, headersFor: headers }, async (head, body) =>
      head.status === 304 ? 'unchanged' : handle(head, body),
    )
  }
  return {
    read,
    get: (url, since) => read(url, since, async (head, body) => ({ ...head, body: await wholeBody(body) })),
  }
}
