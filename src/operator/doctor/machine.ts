// Checks of the machine: Node.js, the data directory, the service on it, and the optional packages.

import { statfs } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { type Finding, messageOf, sizeText } from '../../health/finding.ts'
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

const GIBIBYTE = 2 ** 30
/** The largest upload has 2 GB: 20 files of 100 MB each. */
const WARNING_BELOW_BYTES = 2 * GIBIBYTE
const PROBLEM_BELOW_BYTES = GIBIBYTE / 4
const ANSWER_MS = 5000
// /metrics waits up to 5 s for the database.
const SCRAPE_MS = 10_000

/** @param minVersion the range of package.json, such as `>=20.19` */
export function checkNode(version: string, minVersion: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor = 0, minMinor = 0] = minVersion.replace(/^\D+/, '').split('.').map(Number)
  const check = 'Node.js'
  if (major < minMajor || (major === minMajor && minor < minMinor)) {
    return {
      check,
      status: 'problem',
      message: `${version} is too old: install ${minVersion.replace(/^\D+/, '')} or newer`,
    }
  }
  return { check, status: 'ok', message: version }
}

export async function checkDataDirectory(dataDir: string): Promise<Finding> {
  const check = 'data directory'
  try {
    const { exists } = checkDataDir(dataDir)
    const { bavail, bsize } = await statfs(nearestFolder(dataDir))
    const freeBytes = bavail * bsize
    const space = `${sizeText(freeBytes)} free`
    const location = exists ? dataDir : `${dataDir} does not exist and will be created at the first start`
    if (freeBytes >= WARNING_BELOW_BYTES) return { check, status: 'ok', message: `${location}, ${space}` }
    const advice = `${location}, but only ${space}: make room, or choose another folder with KENNING_DATA_DIR`
    return { check, status: freeBytes < PROBLEM_BELOW_BYTES ? 'problem' : 'warning', message: advice }
  } catch (error) {
    return { check, status: 'problem', message: messageOf(error) }
  }
}

// It may be another program whose answer looks like Kenning's.
const LIKE_KENNING = 'something that answers like Kenning'

/** Whether the service runs here and is ready. `isRunning`: /healthz answers as Kenning does. */
export async function checkService(
  config: Pick<Config, 'host' | 'port' | 'dataDir' | 'databaseUrl'>,
): Promise<Finding & { isRunning: boolean }> {
  const check = 'service'
  const { host, port, dataDir, databaseUrl } = config
  const holder = databaseUrl ? undefined : lockHolder(lockFile(dataDir))
  const holderText = holder ? `process ${holder.pid} (since ${holder.started_at})` : undefined
  try {
    await requireFreePort(host, port)
    if (!holderText)
      return { check, status: 'ok', message: `not running; port ${port} is free`, isRunning: false }
    const message = `${holderText} uses the data directory but does not listen on port ${port}: it may still be starting, or have another KENNING_PORT (then run doctor with that port); if not, see its log`
    return { check, status: 'problem', message, isRunning: false }
  } catch (error) {
    const ask = (path: string) =>
      getJson(`${localOrigin(host, port)}${path}`, ANSWER_MS).catch(() => undefined)
    const [alive, answer] = [await ask('/healthz'), await ask('/readyz')]
    const isRunning = hasStatus(alive?.body, 'ok')
    if (hasStatus(answer?.body, 'ready')) {
      return {
        check,
        status: 'ok',
        message: `${holderText ?? LIKE_KENNING} is ready on port ${port}`,
        isRunning: true,
      }
    }
    const subject = holderText ?? (isRunning ? `${LIKE_KENNING} on port ${port}` : undefined)
    const message = subject
      ? `${subject} is not ready (${answer?.status ?? 'no answer'}): see its log, and the check 'database' below`
      : messageOf(error)
    return { check, status: 'problem', message, isRunning }
  }
}

/**
 * Whether the processes that are configured here serve their metrics. If `isRunning`, silence is a problem.
 */
export async function checkMetrics(
  { metrics, role }: Pick<Config, 'metrics' | 'role'>,
  isRunning: boolean,
): Promise<Finding | undefined> {
  if (!metrics) return undefined
  const { host, port } = metrics
  const endpoints = [
    { process: 'api', port },
    { process: 'worker', port: port + 1 },
  ].filter(({ process }) => role === 'all' || role === process)
  const check = 'metrics'
  const silentEndpoints: string[] = []
  for (const { process, port } of endpoints) {
    const answer = await getJson(`${localOrigin(host, port)}/metrics`, SCRAPE_MS).catch(() => undefined)
    if (answer?.status === 200) continue
    if (answer) {
      const message = `another program answers on port ${port}: set KENNING_METRICS_PORT to another one`
      return { check, status: 'problem', message }
    }
    silentEndpoints.push(`the ${process} on port ${port}`)
  }
  const endpointNames = endpoints.map(({ process, port }) => `the ${process} on port ${port}`).join(', ')
  if (silentEndpoints.length === 0) return { check, status: 'ok', message: `are served by ${endpointNames}` }
  if (!isRunning && silentEndpoints.length === endpoints.length)
    return { check, status: 'ok', message: `will be served by ${endpointNames}` }
  const message = `are not served by ${silentEndpoints.join(', ')}: see its log, and restart it with these settings`
  return { check, status: 'problem', message }
}

/** Whether an answer is that of /healthz (`ok`) or /readyz (`ready`), and not of another program. */
export const hasStatus = (body: unknown, status: string): boolean =>
  (Object(body) as { status?: unknown }).status === status

const localOrigin = (host: string, port: number): string => {
  const localHost = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${localHost.includes(':') ? `[${localHost}]` : localHost}:${port}`
}

export function checkLanguages({
  ocrLanguages,
  ocrServer,
  dataDir,
}: Pick<Config, 'ocrLanguages' | 'ocrServer' | 'dataDir'>): Finding {
  const check = 'scans'
  const settings = configuredOcr(ocrLanguages, dataDir, ocrServer)
  const languagesWithoutData = missingLanguages(settings)
  if (languagesWithoutData.length > 0) {
    const message = `no data for ${languagesWithoutData.join(', ')} of KENNING_OCR_LANGUAGES: ${installCommand(languagesWithoutData)}`
    return { check, status: 'problem', message }
  }
  const otherLanguages = installedLanguages(settings.folder).filter(
    (code) => !settings.languages.includes(code),
  )
  const message = [
    `are read in ${settings.languages.join(', ')}`,
    otherLanguages.length
      ? `also installed: ${otherLanguages.join(', ')}`
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

/** What parser processes cannot access (docs/decisions/0008). */
export const checkSandbox = (sandbox: Sandbox): Finding => ({
  check: 'parsers',
  // Always `ok`, because outside of Linux and in most containers nothing can be done about a missing sandbox.
  status: 'ok',
  message: SANDBOX[sandbox],
})

export function checkOptionalPackages(): Finding[] {
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
