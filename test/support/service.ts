// The built service as a user starts it: `node dist/src/main.js serve` on a data directory and port of its own.
// For end-to-end tests and benches; everything else goes over HTTP.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ownIdentity, type ProcessIdentity } from '../../src/ports/db/embedded/process-identity.ts'
import { freePort } from '../../src/processes/free-port.ts'
import { endWithUs } from './leftovers.ts'
import { owned } from './owned.ts'
import { secretsIn } from './secrets.ts'

export { freePort }

export interface Service {
  origin: string
  /** `{origin}/v1` */
  base: string
  dataDir: string
  /** The supervisor. */
  child: ChildProcess
  /** Milliseconds from start to the first 200 of /readyz. */
  readyMs: number
  /** A fresh bearer token of the admin. */
  token(): Promise<string>
  /** What it has printed so far. */
  output(): string
  /** Fails if that holds a secret. */
  checkOutput(): void
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export interface ServiceOptions {
  /** The main.js to start; this project's build unless given. */
  main?: string
  dataDir?: string
  /** The directory goes when this process ends. */
  temporary?: boolean
  /** It goes on when this process ends, until the owner does, and prints into this file. */
  outlives?: { owner: ProcessIdentity; output: string; folders: readonly string[] }
  env?: Record<string, string>
  /** Called with the supervisor at once; if it rejects, so does the start. */
  onSpawn?: (child: ChildProcess) => void | Promise<void>
  /** Of the admin; known to everybody unless given. */
  password?: string
}

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery staple' }
export const MAIN: string = findMain()

/** dist/src/main.js, from the sources (test/support) as from the build (dist/test/support). */
function findMain(): string {
  const fromSources = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))
  return existsSync(fromSources) ? fromSources : fileURLToPath(new URL('../../src/main.js', import.meta.url))
}

/** Starts and awaits readiness; rejects with the output when the service ends before. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const admin = { ...ADMIN, ...(options.password ? { password: options.password } : {}) }
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'kenning-service-'))
  const port = await freePort()
  // What it calls itself where it listens on all interfaces.
  const host = options.env?.KENNING_HOST === '0.0.0.0' ? 'localhost' : '127.0.0.1'
  const origin = `http://${host}:${port}`
  // Of several processes behind one address: browsers sign in there.
  const publicOrigin = new URL(options.env?.KENNING_BASE_URL ?? origin).origin
  // What somebody else keeps is theirs to remove.
  const folders = options.dataDir === undefined || options.temporary ? [dataDir] : []
  const flags = owned(options.outlives ?? { owner: ownIdentity(), folders })
  const startMs = performance.now()
  const child = spawn(process.execPath, [...flags, options.main ?? MAIN, 'serve'], {
    env: childEnvironmentOf({
      KENNING_PORT: String(port),
      KENNING_DATA_DIR: dataDir,
      KENNING_ADMIN_EMAIL: admin.email,
      KENNING_ADMIN_PASSWORD: admin.password,
      ...options.env,
    }),
    ...printing(options.outlives?.output),
  })
  if (options.outlives) child.unref()
  const forget = options.outlives
    ? () => undefined
    : endWithUs({ pid: () => (isRunning(child) ? child.pid : undefined), folders })
  let output = ''
  child.stdout?.on('data', (piece) => {
    output += piece
  })
  child.stderr?.on('data', (piece) => {
    output += piece
  })
  const stop = async (): Promise<number | null> => {
    const code = await end(child)
    checkOutput(output)
    return code
  }
  try {
    await Promise.all([ready(origin, child, () => output), options.onSpawn?.(child)])
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    origin,
    base: `${origin}/v1`,
    dataDir,
    child,
    readyMs: performance.now() - startMs,
    token: () => signIn(origin, admin, publicOrigin),
    output: () => output,
    checkOutput: () => checkOutput(output),
    stop,
    remove: async () => {
      await stop()
      forget()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Nothing of this process's own settings. */
export const childEnvironmentOf = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  KENNING_LOG_LEVEL: 'warn',
  ...settings,
})

function printing(file: string | undefined): Pick<SpawnOptions, 'stdio' | 'detached'> {
  if (file === undefined) return { stdio: ['ignore', 'pipe', 'pipe'] }
  const output = openSync(file, 'a')
  return { stdio: ['ignore', output, output], detached: true }
}

async function ready(origin: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (!isRunning(child)) throw new Error(`the service ended with ${child.exitCode}:\n${output()}`)
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(20)
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

async function end(child: ChildProcess): Promise<number | null> {
  if (isRunning(child)) {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
  }
  return child.exitCode
}

/** What it printed holds no secret, whatever it went through. */
function checkOutput(output: string): void {
  const secrets = secretsIn(output)
  if (secrets.length > 0) throw new Error(`secrets were printed: ${secrets.join(', ')}`)
}

/** A fresh bearer token of the account. @param from the address at which a browser is */
export async function signIn(origin: string, account: typeof ADMIN, from = origin): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: from }
  const session = await fetch(`${origin}/session`, { method: 'POST', headers, body: JSON.stringify(account) })
  if (session.status !== 204) throw new Error(`sign-in answered ${session.status}: ${await session.text()}`)
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const answer = await fetch(`${origin}/session/token`, { method: 'POST', headers: { origin: from, cookie } })
  if (!answer.ok) throw new Error(`the token was refused: ${answer.status} ${await answer.text()}`)
  const { access_token } = (await answer.json()) as { access_token: string }
  return access_token
}

export interface ProcessRow {
  pid: number
  /** The words of its command line that tell it apart. */
  command: string
  /** Kilobytes. */
  rss: number
  pss: number
  /** Processor time of it and of its children that ended, in ticks of 1/100 s. */
  ticks: number
  environment: string
}

/** The supervisor and all its descendants, from /proc (Linux). */
export function processTree(root: number): ProcessRow[] {
  const parents = new Map<number, number>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = read(`/proc/${name}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!stat) continue
    parents.set(Number(name), Number(fields[1]))
    // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
    ticks.set(
      Number(name),
      fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    )
  }
  const within = (pid: number): boolean => pid === root || (parents.has(pid) && within(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(within).map((pid) => ({
    pid,
    command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    rss: kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Rss'),
    pss: kilobytes(read(`/proc/${pid}/smaps_rollup`), 'Pss'),
    ticks: ticks.get(pid) ?? 0,
    environment: read(`/proc/${pid}/environ`),
  }))
}

const kilobytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export const randomName = (): string => randomBytes(4).toString('hex')
