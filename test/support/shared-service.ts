// One service, as installed, for all test files of a run that only talk to it over HTTP: a start takes 5 s of processor time. Each
// file has an account of its own, and so sees no other file's workspaces. Files about a start, a stop, memory or the settings start
// their own with `quickService`. The first file that needs it starts it; `one-service.ts` ends it.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import { LockHeld, takeLock } from '../../src/ports/db/embedded/lock.ts'
import { migratedDirectory } from './database.ts'
import { installed } from './installed.ts'
import { PASSWORDS, secretsIn } from './secrets.ts'
import { randomName, type Service, signIn, startService } from './service.ts'
import { isRunning, outputOf, type Running, recordOf, type Shared } from './shared-record.ts'

export interface Account {
  email: string
  password: string
}

export interface SharedService extends Pick<Service, 'origin' | 'base' | 'token'> {
  account: Account
  /** Of its supervisor. */
  pid: number
  dataDir: string
  /** Sources may read what is in this folder. */
  drive: string
  /** Pages of this origin may call it; nobody listens there but who serves them. */
  elsewhere: string
  /** Where its figures are scraped. */
  metrics: { host: string; port: number }
  /** Another account, without a workspace. */
  another(): Promise<Account>
  /** Once the file is done; the service runs on. Fails when it has ended or printed a secret. */
  leave(): void
}

/** Sources and webhooks may reach this address, although it is of this machine. */
export const REACHABLE = '127.0.0.2'

const driveOf = (folder: string): string => join(folder, 'drive')

/** One of the 16 million addresses of this machine, which no run at the same time has: the ports of one may be taken. */
const ownAddress = (): string =>
  `127.${64 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}`

async function start({ folder, owner }: Shared): Promise<void> {
  const elsewhere = `http://${ownAddress()}:4173`
  const metrics = { host: ownAddress(), port: 4174 }
  mkdirSync(driveOf(folder))
  const dataDir = await migratedDirectory()
  const { main, folder: packages } = installed()
  const { child, origin } = await startService({
    main,
    dataDir,
    outlives: { owner, output: outputOf(folder), folders: [dataDir, folder, packages] },
    env: {
      KENNING_PICTURE_TEXT: 'off',
      KENNING_SIGNUP: 'open',
      KENNING_ASK_PER_HOUR: '10000',
      KENNING_CORS_ORIGINS: elsewhere,
      KENNING_SOURCE_FOLDERS: driveOf(folder),
      KENNING_PRIVATE_NETWORKS: `${REACHABLE}/32`,
      KENNING_METRICS_HOST: metrics.host,
      KENNING_METRICS_PORT: String(metrics.port),
    },
  })
  const running: Running = { pid: child.pid ?? 0, origin, dataDir, elsewhere, metrics }
  writeFileSync(`${recordOf(folder)}.draft`, JSON.stringify(running))
  renameSync(`${recordOf(folder)}.draft`, recordOf(folder))
}

/** The files of other workers wait for the one that starts it. */
async function started(shared: Shared): Promise<Running> {
  const { folder } = shared
  while (!existsSync(recordOf(folder))) {
    try {
      const lock = takeLock(join(folder, 'lock'))
      try {
        if (!existsSync(recordOf(folder))) await start(shared)
      } finally {
        lock.release()
      }
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      await delay(100)
    }
  }
  return JSON.parse(readFileSync(recordOf(folder), 'utf8')) as Running
}

export async function sharedService(): Promise<SharedService> {
  const shared = inject('shared')
  const { folder } = shared
  const { pid, origin, dataDir, elsewhere, metrics } = await started(shared)
  const another = () => newAccount(origin)
  const account = await another()
  return {
    origin,
    base: `${origin}/v1`,
    account,
    pid,
    dataDir,
    drive: driveOf(folder),
    elsewhere,
    metrics,
    another,
    token: () => signIn(origin, account),
    leave: () => {
      const output = readFileSync(outputOf(folder), 'utf8')
      const secrets = secretsIn(output)
      if (secrets.length > 0) throw new Error(`secrets were printed: ${secrets.join(', ')}`)
      if (!isRunning(pid)) throw new Error(`the service has ended:\n${output}`)
    },
  }
}

async function newAccount(origin: string): Promise<Account> {
  for (;;) {
    // Another address for each try: a connection that closes does not say whether the account was made.
    const account = { email: `${randomName()}@example.org`, password: PASSWORDS[0] }
    const answer = await fetch(`${origin}/account`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(account),
    }).catch(closedConnection)
    if (answer?.status === 201) return account
    // The service is busy with the other files' requests, and says when to come again.
    if (answer?.status === 503) await delay(1000 * Number(answer.headers.get('retry-after') ?? 1))
    else if (answer) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`)
  }
}

/** Undefined where the service closed an idle connection just when it was to be used again; no other failure is let pass. */
function closedConnection(error: { cause?: { code?: string } }): undefined {
  if (error.cause?.code !== 'UND_ERR_SOCKET') throw error
}
