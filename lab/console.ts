// The console in a real Chromium: how soon its first page can be used on a slow network, whether long lists scroll without
// a stall, and whether typing in search waits for what is found.

import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createClient, type KenningClient } from '../src/client/client.ts'
import { ADMIN, type Service, startService } from '../test/support/service.ts'
import { CHROMIUM_ARGUMENTS } from './canvas.ts'
import { type BenchOptions, median, quantile, table } from './report.ts'

const DOCUMENTS = 10_000
const THREADS = 500
const A_PAGE = 100
// Chrome's own preset "Fast 3G": what it lets through of 1.6 Mbit/s, and its delay of each request.
const FAST_3G = { offline: false, downloadThroughput: 180_000, uploadThroughput: 84_375, latency: 562.5 }
// Of the browser: a task longer than this is one that somebody may notice.
const LONG_TASK_MS = 50
const TYPED = 'how much notice does the tenant have to give to end the lease of unit 4'
const KEY_EVERY_MS = 60

export async function benchConsole({ runs }: BenchOptions): Promise<string> {
  const executablePath = process.env.KENNING_CHROMIUM
  if (!executablePath)
    throw new Error('console needs a Chromium: scripts/chromium run -- node dist/lab/run.js console')
  const service = await startService()
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS })
  try {
    const api = createClient({ baseUrl: service.base, token: await service.token() })
    const { id: workspace } = await api.createWorkspace({ name: 'Tidewick Instruments' })
    await fill(api, workspace)
    const loads: Load[] = []
    for (let run = 0; run < runs; run++) loads.push(await firstPage(browser, service, `/w/${workspace}`))
    const whole: Load[] = []
    for (let run = 0; run < runs; run++) whole.push(await firstPage(browser, service, '/'))
    const documents = await scrolledDocuments(browser, service, workspace)
    const threads = await scrolledThreads(browser, service, workspace)
    const typing = await typed(browser, service, workspace)
    const seconds = (of: Load[]): string => `${(median(of.map(({ ms }) => ms)) / 1000).toFixed(1)} s`
    return `## The console: first page, long lists, typing (median of ${runs})

${table(
  ['on "fast 3G", nothing cached', 'usable after', 'mark', 'requests', 'kB'],
  [
    ['a workspace, by its address', seconds(loads), '3 s', ...sizeOf(loads)],
    ['`/`, which leads to the workspace', seconds(whole), '', ...sizeOf(whole)],
  ],
)}

Usable: the name of the workspace is shown and a question can be typed. From the beginning of the navigation, signed in, in a new window; Chrome's preset: each request waits 562 ms, 1.6 Mbit/s.

${table(
  [
    'scrolled from the first to the last row',
    'rows',
    `tasks over ${LONG_TASK_MS} ms of processor time`,
    'the longest, ms',
    'processor time a frame, ms',
    `by the clock: tasks over ${LONG_TASK_MS} ms`,
    'the longest, ms',
    'frame, ms: median',
    'p99',
  ],
  [
    ['documents', DOCUMENTS.toLocaleString('en'), ...figuresOf(documents)],
    ['conversations', THREADS.toLocaleString('en'), ...figuresOf(threads)],
  ],
)}

By 400 pixels a frame, to the end of what is loaded until everything is; the lists are answered by the bench in pages of ${A_PAGE}, as the service would. Tasks are those of the page's own thread. By its processor time a task is as long as it would be on a machine with nothing else to do: that is the mark, none over ${LONG_TASK_MS} ms. By the clock it also has the turns of other programs.

${table(
  ['typing a question into search', 'keys', 'over 16 ms', 'slowest, ms', 'searches meanwhile'],
  [['a key every 60 ms', typing.keys, typing.slow, typing.slowest.toFixed(0), typing.searches]],
)}

From a key to the next frame that shows it, as the browser's Event Timing says (it reports what took longer than 16 ms, in steps of 8). Chromium ${browser.version()} without a graphics card; load of the machine meanwhile: ${loadavg()[0]?.toFixed(0)}.`
  } finally {
    await browser.close()
    await service.remove()
  }
}

async function fill(api: KenningClient, workspace_id: string): Promise<void> {
  const names = ['lease-amendment-1.docx', 'lease-ropewalk-yard.pdf', 'staff-handbook.md', 'suppliers.csv']
  const files = names.map((name) => ({
    name,
    content: new Blob([new Uint8Array(readFileSync(`examples/${name}`))]),
  }))
  const job = await api.upload({ workspace_id, files })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
}

/** A window of its own, signed in, with nothing cached but the session. */
async function open(browser: Browser, { origin }: Service): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  return page
}

interface Load {
  ms: number
  requests: number
  bytes: number
}

const USABLE = `new Promise((done) => {
  const look = () => {
    const field = document.querySelector('textarea')
    const name = document.querySelector('h1')
    if (field && !field.disabled && name?.textContent === 'Tidewick Instruments') done(performance.now())
    else setTimeout(look, 5)
  }
  look()
})`

async function firstPage(browser: Browser, service: Service, path: string): Promise<Load> {
  const page = await open(browser, service)
  const session = await page.context().newCDPSession(page)
  await page.goto('about:blank')
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  await session.send('Network.emulateNetworkConditions', FAST_3G)
  let [requests, bytes] = [0, 0]
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests++
    bytes += encodedDataLength
  })
  await page.goto(path, { waitUntil: 'commit' })
  const ms = await page.evaluate<number>(USABLE)
  const load = { ms, requests, bytes }
  await page.context().close()
  return load
}

const sizeOf = (loads: Load[]): string[] => [
  String(median(loads.map(({ requests }) => requests))),
  (median(loads.map(({ bytes }) => bytes)) / 1000).toFixed(0),
]

interface Scrolled {
  /** Milliseconds between frames. */
  frames: number[]
  /** Longer than 50 ms by the clock, of the page's own thread. */
  tasks: number[]
  /** What each task of that thread took of a processor. */
  tasksProcessorMs: number[]
  processorMs: number
}

const figuresOf = ({ frames, tasks, tasksProcessorMs, processorMs }: Scrolled): string[] => [
  String(tasksProcessorMs.filter((ms) => ms > LONG_TASK_MS).length),
  Math.max(...tasksProcessorMs).toFixed(0),
  (processorMs / frames.length).toFixed(1),
  String(tasks.length),
  tasks.length === 0 ? `below ${LONG_TASK_MS}` : Math.max(...tasks).toFixed(0),
  median(frames).toFixed(0),
  quantile(frames, 0.99).toFixed(0),
]

/** Scrolls what `find` names by so many pixels a frame, until `isEnd` of the last row. */
const scroll = (find: string, isEnd: string): string => `new Promise((done) => {
  const [frames, tasks] = [[], []]
  const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  watch.observe({ type: 'longtask' })
  const list = ${find}
  let before
  const step = (now) => {
    if (before !== undefined) frames.push(now - before)
    before = now
    list.scrollTop += 400
    if (${isEnd}) setTimeout(() => done({ frames, tasks }), 100)
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

async function scrolled(page: Page, script: string): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['toplevel', '__metadata'] })
  const before = await spent()
  const moved = await page.evaluate<Pick<Scrolled, 'frames' | 'tasks'>>(script)
  const processorMs = (await spent()) - before
  const trace = JSON.parse(String(await browser?.stopTracing())) as { traceEvents: TraceEvent[] }
  return { ...moved, tasksProcessorMs: tasksOf(trace.traceEvents), processorMs }
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Microseconds of a processor. */
  tdur?: number
  args?: { name?: string }
}

/** The processor time of each task of pages' own threads, in milliseconds. */
function tasksOf(events: readonly TraceEvent[]): number[] {
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const own = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = events.filter(({ name, pid, tid }) => /RunTask$/.test(name) && own.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('The trace has no tasks of a page.')
  return tasks.map(({ tdur = 0 }) => tdur / 1000)
}

const uuid = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`

/** Answers a list in pages, the cursor being the number of the first row. */
async function paged(page: Page, list: RegExp, total: number, row: (i: number) => object): Promise<void> {
  await page.route(list, (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    const to = Math.min(total, from + A_PAGE)
    const data = Array.from({ length: to - from }, (_, i) => row(from + i))
    const has_more = to < total
    return route.fulfill({ json: { data, has_more, next_cursor: has_more ? String(to) : null } })
  })
}

async function scrolledDocuments(browser: Browser, service: Service, workspace: string): Promise<Scrolled> {
  const page = await open(browser, service)
  await paged(page, /\/document-details\?/, DOCUMENTS, (i) => ({
    id: uuid(i),
    title: `Report ${i} on the works at the quay`,
    filename: `Reports/${2000 + (i % 25)}/report-${i}.pdf`,
    kind: i % 3 === 0 ? 'pdf' : i % 3 === 1 ? 'docx' : 'markdown',
    pages: i % 3 === 0 ? 1 + (i % 40) : null,
    chunk_count: 3 + (i % 90),
    has_tables: i % 4 === 0,
    page_images: i % 3 === 0,
    state: 'complete',
    bytes: 20_000 + i,
    uploaded_at: new Date(1_700_000_000_000 + i * 60_000).toISOString(),
    uploaded_by: null,
    opened_on: null,
  }))
  await page.goto(`/w/${workspace}/documents`)
  await page.getByRole('table', { name: 'Documents' }).getByRole('link').first().waitFor()
  const found = await scrolled(
    page,
    scroll(
      `document.querySelector('table').parentElement`,
      `[...document.querySelectorAll('tbody tr[aria-rowindex]')].at(-1)?.ariaRowIndex === '${DOCUMENTS + 1}'`,
    ),
  )
  await page.context().close()
  return found
}

async function scrolledThreads(browser: Browser, service: Service, workspace: string): Promise<Scrolled> {
  const page = await open(browser, service)
  await paged(page, /\/threads\?/, THREADS, (i) => ({
    id: uuid(i),
    title: `Question ${i}: what does the report say about the works at the quay?`,
    turn_count: 1 + (i % 5),
    created_at: new Date(1_700_000_000_000 - i * 3_600_000).toISOString(),
    updated_at: new Date(1_700_000_000_000 - i * 3_600_000).toISOString(),
  }))
  await page.goto(`/w/${workspace}`)
  const list = page.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('listitem').first().waitFor()
  const found = await scrolled(
    page,
    scroll(
      `document.querySelector('nav[aria-label="Conversations"] ul').parentElement`,
      `[...document.querySelectorAll('nav[aria-label="Conversations"] li')].at(-1)?.textContent.includes('Question ${THREADS - 1}:')`,
    ),
  )
  await page.context().close()
  return found
}

const KEYS_TIMED = `{
  globalThis.keyTimes = []
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') keyTimes.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 })
}`

async function typed(browser: Browser, service: Service, workspace: string) {
  const page = await open(browser, service)
  await page.goto(`/w/${workspace}/search`)
  const field = page.getByRole('searchbox', { name: 'Search passages' })
  await field.waitFor()
  let searches = 0
  page.on('response', (response) => {
    if (response.url().endsWith('/search')) searches++
  })
  await page.evaluate(KEYS_TIMED)
  await field.pressSequentially(TYPED, { delay: KEY_EVERY_MS })
  await page.locator('mark').first().waitFor()
  if ((await field.inputValue()) !== TYPED) throw new Error('letters were lost')
  const times = await page.evaluate<number[]>('keyTimes')
  await page.context().close()
  return {
    keys: TYPED.length,
    slow: times.filter((ms) => ms > 16).length,
    slowest: Math.max(0, ...times),
    searches,
  }
}
