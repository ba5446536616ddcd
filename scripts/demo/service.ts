// Runs the service as a child process: on a free port, with an account, its last log lines, and a clean stop.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DemoFailure } from './failure.ts'
import { printable } from './print/terminal.ts'

export interface Account {
  email: string
  password: string
}

export interface Service {
  origin: string
  /** The configured port, if it was in use. */
  busyPort: number | undefined
  account: Account
  /** Resolves when the process has ended. */
  exited: Promise<void>
  lastLines(count: number): string[]
  /** From now on called with each line that the supervisor logs about the start. */
  follow(onProgress: (doing: string) => void): void
  /** Sends SIGTERM, and SIGKILL after 35 s (the service needs up to 30). */
  stop(): Promise<void>
  kill(): void
}

export interface ServiceSettings {
  main: string
  dataDir: string
  environment: NodeJS.ProcessEnv
}

// Ignored: the demo runs on the embedded database, for this machine only.
const IGNORED = ['DATABASE_URL', 'KENNING_ROLE', 'KENNING_BASE_URL', 'KENNING_HOST', 'KENNING_SIGNUP']
const STOP_MS = 35_000
const KEPT_LINES = 200
const INFO = 30

/** Starts `kenning serve`; returns at once, `whenReady` waits. @throws DemoFailure */
export async function startService({ main, dataDir, environment }: ServiceSettings): Promise<Service> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const account = accountOf(dataDir, environment)
  const configured = Number(environment.KENNING_PORT || 8484)
  const port = (await isFree(configured)) ? configured : await freePort()
  const rest = Object.entries(environment).filter(([name]) => !IGNORED.includes(name))
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      ...Object.fromEntries(rest),
      KENNING_HOST: '127.0.0.1',
      KENNING_PORT: String(port),
      KENNING_DATA_DIR: dataDir,
      KENNING_ADMIN_EMAIL: account.email,
      KENNING_ADMIN_PASSWORD: account.password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own: Ctrl-C reaches only the demo, which then stops the service.
    detached: process.platform !== 'win32',
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    busyPort: port === configured ? undefined : configured,
    account,
    ...watch(child),
  }
}

function watch(child: ChildProcess): Pick<Service, 'exited' | 'lastLines' | 'follow' | 'stop' | 'kill'> {
  const lines: string[] = []
  let onProgress: ((doing: string) => void) | undefined
  const keep = (data: string): void => {
    const added = data.split('\n').filter((line) => line.trim())
    lines.push(...added)
    for (const doing of added.map(progressOf)) if (doing !== undefined) onProgress?.(doing)
    lines.splice(0, Math.max(0, lines.length - KEPT_LINES))
  }
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', (error) => {
      keep(error.message)
      resolve()
    })
  })
  const signal = (name: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill(name)
  }
  return {
    exited,
    lastLines: (count) => lines.slice(-count).map(readableLine),
    follow: (report) => {
      for (const doing of lines.map(progressOf)) if (doing !== undefined) report(doing)
      onProgress = report
    },
    kill: () => killGroup(child),
    async stop() {
      signal('SIGTERM')
      const late = new AbortController()
      const timer = sleep(STOP_MS, undefined, { signal: late.signal })
        .then(() => killGroup(child))
        .catch(() => {})
      await exited
      late.abort()
      await timer
    },
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** Waits until `GET /readyz` answers 200, for as long as the service runs: its supervisor ends a start that hangs. @throws DemoFailure */
export async function whenReady(service: Service, signal: AbortSignal): Promise<void> {
  let exited = false
  void service.exited.then(() => {
    exited = true
  })
  for (;;) {
    signal.throwIfAborted()
    if (exited) throw new DemoFailure('The service ended before it was ready.')
    if (await isReady(service.origin, signal)) return
    await sleep(150, undefined, { signal })
  }
}

async function isReady(origin: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]),
    })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

/** The configured account, or one with a random password, which is kept in the data folder for the next run. */
function accountOf(dataDir: string, environment: NodeJS.ProcessEnv): Account {
  const { KENNING_ADMIN_EMAIL: email, KENNING_ADMIN_PASSWORD: password } = environment
  if (email && password) return { email, password }
  const file = join(dataDir, 'demo-sign-in.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Account
  } catch {
    const account = { email: 'demo@kenning.example', password: randomBytes(12).toString('base64url') }
    writeFileSync(file, `${JSON.stringify(account)}\n`, { mode: 0o600 })
    return account
  }
}

const isFree = (port: number): Promise<boolean> =>
  listen(port).then(
    () => true,
    () => false,
  )

const freePort = (): Promise<number> => listen(0)

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const taken = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(taken))
    })
  })
}

/** What a line of the supervisor says that is being done; undefined for any other line. */
function progressOf(line: string): string | undefined {
  try {
    const { role, level, msg } = JSON.parse(line) as Record<string, unknown>
    return role === 'supervisor' && level === INFO && typeof msg === 'string' ? printable(msg) : undefined
  } catch {
    return undefined
  }
}

/** A log line of pino in readable form; other lines are unchanged. */
function readableLine(line: string): string {
  try {
    const { level, role, msg, err } = JSON.parse(line) as Record<string, unknown>
    const name = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }[Number(level)] ?? level
    const cause = typeof err === 'object' && err && 'message' in err ? `: ${String(err.message)}` : ''
    return printable(`${name} ${role ?? ''} ${msg ?? ''}${cause}`.replaceAll('\n', ' '))
  } catch {
    return printable(line)
  }
}
