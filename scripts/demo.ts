// The demo: starts Kenning, uploads files, searches and asks, and leaves it running (docs/demo.md). The exit code
// is 1 when a file of examples/ fails or an answer is not as expected.

import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JobFile, SearchResults, Themes, Workspace } from '../src/contract/resources.ts'
import { askAndShow } from './demo/answers.ts'
import { type Client, signIn } from './demo/client.ts'
import { DemoFailure } from './demo/failure.ts'
import { batches, type Found, findFiles } from './demo/files.ts'
import { type Options, readOptions, USAGE } from './demo/options.ts'
import { passageLines } from './demo/print/passages.ts'
import { openTerminal, printable, wrap } from './demo/print/terminal.ts'
import { matchedWords, wordsOf } from './demo/print/words.ts'
import { type Service, startService, whenReady } from './demo/service.ts'
import { exampleTour, ownTour, type Tour, type TourSearch } from './demo/tour.ts'
import { upload } from './demo/upload.ts'

// dist/scripts/demo.js, two folders below the project.
const project = fileURLToPath(new URL('../../', import.meta.url))
const SHOWN_PASSAGES = 3
const SHOWN_ENTITIES = 8
const READY_WAIT_MS = 60_000

const environment = process.env
const terminal = openTerminal(process.stdout, Boolean(environment.NO_COLOR))

async function main(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (options.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const found = await findFiles(options.files ? resolve(options.files) : resolve(project, 'examples'))
  const dataDir = resolve(environment.KENNING_DATA_DIR || resolve(project, 'data/demo'))
  terminal.print('Starting Kenning …')
  const service = await startService({ main: resolve(project, 'dist/src/main.js'), dataDir, environment })
  const interrupt = onInterrupt(service)
  // The service must not outlive this process.
  process.once('exit', service.kill)
  try {
    const open = await tour(service, found, options, interrupt)
    if (!options.exit) await stay(service, await open(), dataDir, interrupt)
    return 0
  } catch (error) {
    if (interrupt.aborted) return 130
    report(error, service)
    return 1
  } finally {
    await service.stop()
  }
}

/** @returns what makes a link that opens the library in the console */
async function tour(
  service: Service,
  found: Found,
  options: Options,
  signal: AbortSignal,
): Promise<() => Promise<{ link: string; expires_in: number }>> {
  if (service.busyPort) terminal.print(`Port ${service.busyPort} is in use; the demo uses a free one.`)
  const started = Date.now()
  service.follow((doing) => terminal.print(terminal.style('faint', `  ${doing}`)))
  await whenReady(service, signal)
  terminal.print(`Kenning is ready at ${terminal.style('accent', service.origin)} after ${seconds(started)}.`)
  const client = await signIn(service.origin, service.account, signal)
  const plan = options.files || options.ask.length ? ownTour(options.ask) : exampleTour
  const workspace = await openWorkspace(client, options)
  const uploading = Date.now()
  await fill(client, workspace, found, options.files === undefined)
  const problems = await look(client, workspace.id, plan, uploading)
  if (problems.length) throw new DemoFailure(problems.join('\n'))
  return () => client.linkTo(`/w/${workspace.id}`)
}

/** The workspace of an earlier run, or a new one. */
async function openWorkspace(client: Client, options: Options): Promise<Workspace> {
  const name = options.files
    ? basename(resolve(options.files)).slice(0, 200) || 'Files'
    : 'Tidewick Instruments'
  let cursor: string | null = null
  do {
    const query: string = cursor ? `?limit=200&cursor=${encodeURIComponent(cursor)}` : '?limit=200'
    const page: { data: Workspace[]; next_cursor: string | null } = await client.get(`/workspaces${query}`)
    const known = page.data.find((workspace) => workspace.name === name)
    if (known) return known
    cursor = page.next_cursor
  } while (cursor)
  const description = options.files
    ? 'Created by npm run demo.'
    : 'The examples library, created by npm run demo.'
  return client.post<Workspace>('/workspaces', { name, description })
}

/** Uploads all files. @throws DemoFailure when a file of the examples, or every file of a user, failed */
async function fill(client: Client, workspace: Workspace, found: Found, examples: boolean): Promise<void> {
  heading(`Uploading ${found.files.length} files to the workspace “${printable(workspace.name)}”`)
  for (const why of found.skipped) terminal.print(terminal.style('faint', `  skipped: ${printable(why)}`))
  const started = Date.now()
  const ended: JobFile[] = []
  for (const batch of batches(found.files))
    ended.push(...(await upload(client, terminal, workspace.id, batch)))
  const failed = ended.filter(({ status }) => status !== 'done')
  for (const { filename, error } of failed) {
    for (const line of wrap(
      `${printable(filename)}: ${printable(error ?? 'failed')}`,
      terminal.width,
      '    ',
      '  ',
    )) {
      terminal.print(terminal.style('bad', line))
    }
  }
  terminal.print(
    `  ${ended.length - failed.length} of ${ended.length} files are searchable after ${seconds(started)}.`,
  )
  if (failed.length && (examples || failed.length === ended.length)) {
    throw new DemoFailure(
      `${failed.length} of ${ended.length} files could not be read, for the reasons above.`,
    )
  }
}

/** Shows searches, questions and themes. @returns what was not as expected */
async function look(client: Client, workspaceId: string, plan: Tour, uploading: number): Promise<string[]> {
  const problems: string[] = []
  for (const search of plan.searches) problems.push(...(await showSearch(client, workspaceId, search)))
  if (plan.questions.length) heading('Questions')
  for (const question of plan.questions) {
    problems.push(...(await askAndShow(client, terminal, workspaceId, question)))
  }
  if (!(await showThemes(client, workspaceId, uploading)) && plan.entities) {
    problems.push('No entity was found in the documents.')
  }
  return problems
}

async function showSearch(
  client: Client,
  workspaceId: string,
  { query, expect }: TourSearch,
): Promise<string[]> {
  heading(`Search: ${query}`)
  const started = Date.now()
  const limit = SHOWN_PASSAGES
  const { data } = await client.post<SearchResults>(`/workspaces/${workspaceId}/search`, { query, limit })
  const words = wordsOf(query)
  for (const [no, passage] of data.entries()) {
    for (const line of passageLines(terminal, `${no + 1}.`, passage, words)) terminal.print(line)
    const matched = matchedWords(passage.text, words).map(printable)
    if (!terminal.colour && matched.length) terminal.print(`      (matches: ${matched.join(', ')})`)
  }
  terminal.print(terminal.style('faint', `  ${data.length} passages in ${Date.now() - started} ms`))
  const asExpected = expect === undefined || data.some(({ text }) => text.includes(expect))
  return asExpected ? [] : [`The search “${query}” found no passage with “${expect}”.`]
}

/** Shows the main entities, once the graph is complete. */
async function showThemes(client: Client, workspaceId: string, started: number): Promise<boolean> {
  const deadline = Date.now() + READY_WAIT_MS
  const isReady = async (): Promise<boolean> =>
    (await client.get<Workspace>(`/workspaces/${workspaceId}`)).ready
  let ready = await isReady()
  while (!ready && Date.now() < deadline) {
    await client.pause(500)
    ready = await isReady()
  }
  const themes = await client.get<Themes>(`/workspaces/${workspaceId}/themes?limit=${SHOWN_ENTITIES}`)
  if (themes.total_entities > 0) {
    heading(`Main entities (of ${themes.total_entities})`)
    const names = themes.top_entities.map(({ name, type }) => `${printable(name)} (${type})`).join(', ')
    for (const line of wrap(names, terminal.width, '  ')) terminal.print(line)
  }
  const state = ready
    ? `All files are in the graph and can be found by meaning after ${seconds(started)}.`
    : 'Some files are not in the graph yet, or cannot be found by meaning yet.'
  for (const line of wrap(state, terminal.width, '  ')) terminal.print(line)
  return themes.total_entities > 0
}

async function stay(
  service: Service,
  open: { link: string; expires_in: number },
  dataDir: string,
  interrupt: AbortSignal,
): Promise<void> {
  heading('Open the library in your browser')
  terminal.print(`  ${terminal.style('accent', open.link)}`)
  terminal.print(`  The link signs you in. It works once, within ${open.expires_in / 60} minutes.`)
  heading('Kenning keeps running until you press Ctrl-C')
  terminal.print(`  console      ${service.origin}`)
  terminal.print(`  API          ${service.origin}/v1`)
  terminal.print(`  sign in as   ${service.account.email}`)
  terminal.print(`  password     ${service.account.password}`)
  terminal.print(`  data folder  ${dataDir}`)
  const interrupted = new Promise<'interrupted'>((done) => {
    if (interrupt.aborted) done('interrupted')
    interrupt.addEventListener('abort', () => done('interrupted'))
  })
  if ((await Promise.race([interrupted, service.exited])) === 'interrupted') return
  throw new DemoFailure('The service ended unexpectedly.')
}

function heading(text: string): void {
  terminal.print()
  for (const line of wrap(text, terminal.width)) terminal.print(terminal.style('title', line))
}

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`

/** Aborted by Ctrl-C, by SIGTERM, and when the terminal closes; the second time the service is killed. */
function onInterrupt(service: Service): AbortSignal {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) service.kill()
    else terminal.print('\nStopping …')
    controller.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  return controller.signal
}

function report(error: unknown, service: Service): void {
  const lines = [`\nThe demo failed. ${sentence(error)}`, 'The service’s last log lines:']
  process.stderr.write(`${[...lines, ...service.lastLines(12).map((line) => `  ${line}`)].join('\n')}\n`)
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return error.message === 'fetch failed' ? `The service did not answer${cause}.` : `${error.message}${cause}`
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${sentence(error)}\n`)
  process.exitCode = 1
}
