// The machine: Node.js, the data directory, the service on it, and the optional packages.

import { statfs } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { checkDataDir, nearestFolder } from '../../ports/data-dir.ts'
import { lockHolder } from '../../ports/db/embedded/lock.ts'
import { missingPackages } from '../../ports/embedder/open.ts'
import { getJson } from '../../ports/outbound/outbound.ts'
import { lockFile } from '../../processes/engine.ts'
import { requireFreePort } from '../../processes/free-port.ts'
import {
  configuredOcr,
  hasHeicDecoder,
  installCommand,
  installedLanguages,
  missingLanguages,
  type Sandbox,
} from '../../reader/reader.ts'
import { type Finding, messageOf } from './check.ts'

const GIGABYTE = 2 ** 30
/** An upload of the largest size needs its bytes twice, besides what the database writes. */
const LITTLE_SPACE = 2 * GIGABYTE
const NO_SPACE = GIGABYTE / 4
const ANSWER_MS = 5000
// A scrape waits for the database for half of it.
const SCRAPE_MS = 10_000

/** @param needed the range of package.json, such as `>=20.19` */
export function checkNode(version: string, needed: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = needed.replace(/^\D+/, '').split('.').map(Number)
  const check = 'Node.js'
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    return {
      check,
      status: 'problem',
      message: `${version} is too old: install ${needed.replace(/^\D+/, '')} or newer`,
    }
  }
  return { check, status: 'ok', message: version }
}

export async function checkDataDirectory(dataDir: string): Promise<Finding> {
  const check = 'data directory'
  try {
    const { exists } = checkDataDir(dataDir)
    const { bavail, bsize } = await statfs(nearestFolder(dataDir))
    const free = bavail * bsize
    const space = `${(free / GIGABYTE).toFixed(1)} GB free`
    const where = exists ? dataDir : `${dataDir} does not exist and will be created at the first start`
    if (free >= LITTLE_SPACE) return { check, status: 'ok', message: `${where}, ${space}` }
    const advice = `${where}, but only ${space}: make room, or choose another folder with KENNING_DATA_DIR`
    return { check, status: free < NO_SPACE ? 'problem' : 'warning', message: advice }
  } catch (error) {
    return { check, status: 'problem', message: messageOf(error) }
  }
}

// Of whatever answers there, only that is known.
const LIKE_KENNING = 'something that answers like Kenning'

/** Whether the service runs here and is ready; `running` where something answers as it does. */
export async function checkService(
  config: Pick<Config, 'host' | 'port' | 'dataDir' | 'databaseUrl'>,
): Promise<Finding & { running: boolean }> {
  const check = 'service'
  const { host, port, dataDir, databaseUrl } = config
  const holder = databaseUrl ? undefined : lockHolder(lockFile(dataDir))
  const by = holder ? `process ${holder.pid} (since ${holder.started_at})` : undefined
  try {
    await requireFreePort(host, port)
    if (!by) return { check, status: 'ok', message: `not running; port ${port} is free`, running: false }
    const message = `${by} uses the data directory but does not listen on port ${port}: it may still be starting, or have another KENNING_PORT (set the same here); if not, see its log`
    return { check, status: 'problem', message, running: false }
  } catch (error) {
    const ask = (path: string) =>
      getJson(`${localOrigin(host, port)}${path}`, ANSWER_MS).catch(() => undefined)
    const [alive, answer] = [await ask('/healthz'), await ask('/readyz')]
    const running = saysStatus(alive?.body, 'ok')
    if (saysStatus(answer?.body, 'ready')) {
      return { check, status: 'ok', message: `${by ?? LIKE_KENNING} is ready on port ${port}`, running: true }
    }
    const who = by ?? (running ? `${LIKE_KENNING} on port ${port}` : undefined)
    const message = who
      ? `${who} is not ready (${answer?.status ?? 'no answer'}): see its log, and the database below`
      : messageOf(error)
    return { check, status: 'problem', message, running }
  }
}

/**
 * Whether the figures can be scraped, of the processes that are to run here. `isRunning`: one of them answers on its own port, so
 * its figures must be there too.
 */
export async function checkMetrics(
  { metrics, role }: Pick<Config, 'metrics' | 'role'>,
  isRunning: boolean,
): Promise<Finding | undefined> {
  if (!metrics) return undefined
  const { host, port } = metrics
  const all = [
    { of: 'api', at: port },
    { of: 'worker', at: port + 1 },
  ].filter(({ of }) => role === 'all' || role === of)
  const check = 'metrics'
  const silent: string[] = []
  for (const { of, at } of all) {
    const answer = await getJson(`${localOrigin(host, at)}/metrics`, SCRAPE_MS).catch(() => undefined)
    if (answer?.status === 200) continue
    if (answer) {
      const message = `another program answers on port ${at}: set KENNING_METRICS_PORT to another one`
      return { check, status: 'problem', message }
    }
    silent.push(`the ${of} on port ${at}`)
  }
  const places = all.map(({ of, at }) => `the ${of} on port ${at}`).join(', ')
  if (silent.length === 0) return { check, status: 'ok', message: `are served by ${places}` }
  if (!isRunning && silent.length === all.length)
    return { check, status: 'ok', message: `will be served by ${places}` }
  const message = `are not served by ${silent.join(', ')}: see its log, and restart it with these settings`
  return { check, status: 'problem', message }
}

/** Whether an answer is that of /healthz (`ok`) or /readyz (`ready`), and not of another program. */
export const saysStatus = (body: unknown, status: string): boolean =>
  (Object(body) as { status?: unknown }).status === status

const localOrigin = (host: string, port: number): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

export function checkLanguages({
  ocrLanguages,
  ocrServer,
  dataDir,
}: Pick<Config, 'ocrLanguages' | 'ocrServer' | 'dataDir'>): Finding {
  const check = 'scans'
  const settings = configuredOcr(ocrLanguages, dataDir, ocrServer)
  const missing = missingLanguages(settings)
  if (missing.length > 0) {
    const message = `no data for ${missing.join(', ')} of KENNING_OCR_LANGUAGES: ${installCommand(missing)}`
    return { check, status: 'problem', message }
  }
  const unused = installedLanguages(settings.folder).filter((code) => !settings.languages.includes(code))
  const message = [
    `are read in ${settings.languages.join(', ')}`,
    unused.length
      ? `also installed: ${unused.join(', ')}`
      : 'another language: npm install @tesseract.js-data/CODE',
  ].join('; ')
  return { check, status: 'ok', message }
}

const SANDBOX: Record<Sandbox, string> = {
  files: 'read each file without the network and without a view of other files',
  network:
    'have no network, but can open what this user can: util-linux and coreutils are not complete here, or mounting is forbidden',
  none: 'have no sandbox: their native code can use the network and open what this user can. It needs Linux, util-linux, and user namespaces; in a container, the container is the sandbox',
}

/** What the system keeps from parser children (docs/decisions/0008). */
export const checkSandbox = (sandbox: Sandbox): Finding => ({
  check: 'parsers',
  // Outside of Linux, and in most containers, there is nothing to be done.
  status: 'ok',
  message: SANDBOX[sandbox],
})

export function checkOptional(): Finding[] {
  const packages = missingPackages()
  return [
    {
      check: 'HEIC pictures',
      status: 'ok',
      message: hasHeicDecoder() ? 'are read' : 'are refused; to read them: npm install heic-decode',
    },
    {
      check: 'local model',
      status: 'ok',
      message: packages.length
        ? `not possible; to run an embedding model on this machine: npm install ${packages.join(' ')}`
        : 'its packages are installed',
    },
  ]
}
