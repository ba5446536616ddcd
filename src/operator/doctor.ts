// `kenning doctor`: checks the machine and the settings, one line per check, for when something is wrong.

import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { type Finding, messageOf, type Status } from '../health/finding.ts'
import { useNetwork } from '../ports/outbound/network.ts'
import { sandboxOf } from '../reader/reader.ts'
import { checkDatabase, checkReplica } from './doctor/database.ts'
import {
  checkDataDirectory,
  checkLanguages,
  checkMetrics,
  checkNode,
  checkOptionalPackages,
  checkSandbox,
  checkService,
} from './doctor/machine.ts'
import { publicChecks } from './doctor/public.ts'
import { checkAddress, serverChecks } from './doctor/servers.ts'
import { sourceChecks } from './doctor/sources.ts'
import type { Output } from './output.ts'

export const DOCTOR_USAGE = `kenning doctor [--public URL] [--json]   check this machine and the settings

  --public URL   check instead whether Claude, ChatGPT and other assistants can connect to the service at this
                 address; from any machine
  --json         one object: {status, checks: [{check, status, message}]}

Each configured server is asked one short question; a language model is paid for some 100 tokens.
Exit code: 0 when nothing is wrong (there may be warnings), 1 for a problem, 2 for wrong use.
`

export async function runDoctor(
  args: readonly string[],
  machine: { node: string; minNode: string },
  output: Output,
): Promise<number> {
  const options = optionsOf(args)
  if (!options) {
    output.complain(DOCTOR_USAGE)
    return 2
  }
  const { json, address } = options
  const verdicts = address === undefined ? MACHINE_VERDICTS : CONNECTION_VERDICTS
  const findings: Finding[] = []
  for await (const finding of address === undefined
    ? machineChecks(machine, output)
    : publicChecks(address)) {
    findings.push(finding)
    if (!json) output.print(lineOf(finding))
  }
  const status = worstStatus(findings)
  output.print(
    json ? `${JSON.stringify({ status, checks: findings }, null, 2)}\n` : `\n${verdicts[status]}\n`,
  )
  return status === 'problem' ? 1 : 0
}

/** Undefined for wrong use. */
function optionsOf(args: readonly string[]): { json: boolean; address: string | undefined } | undefined {
  try {
    const options = { json: { type: 'boolean' }, public: { type: 'string' } } as const
    const { json = false, public: address } = parseArgs({ args: [...args], options }).values
    return { json, address }
  } catch {
    return undefined
  }
}

const CONNECTION_VERDICTS: Record<Status, string> = {
  ok: 'Assistants can connect.',
  warning: 'Some assistants cannot connect: see the warnings.',
  problem: 'Assistants cannot connect: see the problem.',
}

const MACHINE_VERDICTS: Record<Status, string> = {
  ok: 'Everything is all right.',
  warning: 'There is no problem, but see the warnings.',
  problem: 'Kenning will not work as configured: see the problems.',
}

const lineOf = ({ status, check, message }: Finding): string =>
  `${status.padEnd(7)}  ${check.padEnd(15)}  ${message.replaceAll('\n', ' ')}\n`

const worstStatus = (findings: readonly Finding[]): Status =>
  (['problem', 'warning'] as const).find((status) => findings.some((finding) => finding.status === status)) ??
  'ok'

async function* machineChecks(
  machine: { node: string; minNode: string },
  output: Output,
): AsyncGenerator<Finding> {
  yield checkNode(machine.node, machine.minNode)
  const config = readSettings()
  if (Array.isArray(config)) return yield* config
  useNetwork(config.network)
  const { warnings } = config
  if (warnings.length === 0) yield { check: 'settings', status: 'ok', message: 'valid' }
  for (const message of warnings) yield { check: 'settings', status: 'warning', message }
  yield await checkDataDirectory(config.dataDir)
  const { isRunning, ...service } = await checkService(config)
  yield service
  let isDatabaseUsable = true
  for await (const finding of checkDatabase(config, output)) {
    yield finding
    isDatabaseUsable &&= finding.status !== 'problem'
  }
  const { databaseUrl, readDatabaseUrl } = config
  if (databaseUrl && readDatabaseUrl && isDatabaseUsable) {
    yield await checkReplica(databaseUrl, readDatabaseUrl)
  }
  yield checkLanguages(config)
  yield* checkOptionalPackages()
  yield checkSandbox(sandboxOf())
  yield* sourceChecks(config)
  for (const check of serverChecks(config)) yield await check()
  const metrics = await checkMetrics(config, isRunning)
  if (metrics) yield metrics
  const address = await checkAddress(config, isRunning)
  if (address) yield address
}

/** The settings, or the problems in them. With problems nothing else can be checked. */
function readSettings(): Config | Finding[] {
  try {
    return readConfig()
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [messageOf(error)]
    return problems.map((message) => ({ check: 'settings', status: 'problem', message }))
  }
}
