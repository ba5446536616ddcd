#!/usr/bin/env node
// The commands, and their exit codes: 0 success, 1 failure, 2 invalid arguments or settings; more in src/cli/failure.ts.

import { statSync } from 'node:fs'
import type { Config } from './config.ts'

// The commands for operators. All other commands are in src/cli.
const operators = {
  serve: async () => serve((await import('./config.ts')).readConfig()),
  read: async (args: string[]) => {
    const [{ readConfig }, { readFiles }] = await Promise.all([
      import('./config.ts'),
      import('./operator/read.ts'),
    ])
    return readFiles(readConfig(), args, output)
  },
  eval: async (args: string[]) => {
    const { runEval } = await import('./eval/eval.ts')
    const { version } = await manifest()
    const { stdout, stderr } = process
    return runEval(args, { main: new URL(import.meta.url), version, stdout, stderr })
  },
  doctor: async (args: string[]) => {
    const { runDoctor } = await import('./operator/doctor.ts')
    const { engines } = await manifest()
    return runDoctor(args, { node: process.versions.node, minNode: engines.node }, output)
  },
  backup: async (args: string[]) => {
    const [{ readConfig }, { backUp }] = await Promise.all([
      import('./config.ts'),
      import('./operator/backup.ts'),
    ])
    return backUp(readConfig(), args, output)
  },
  restore: async (args: string[]) => {
    const [{ readConfig }, { restore }] = await Promise.all([
      import('./config.ts'),
      import('./operator/backup.ts'),
    ])
    return restore(readConfig(), args, output)
  },
  verify: async (args: string[]) => (await import('./operator/backup.ts')).verify(args, output),
  distribute: async (args: string[]) => {
    const [{ readConfig }, { distribute }] = await Promise.all([
      import('./config.ts'),
      import('./operator/distribute.ts'),
    ])
    return distribute(readConfig(), args, output)
  },
  'reset-password': async (args: string[]) => {
    const [{ readConfig }, { resetPassword }] = await Promise.all([
      import('./config.ts'),
      import('./operator/reset-password.ts'),
    ])
    return resetPassword(readConfig(), args[0], output)
  },
  'reset-second-factor': async (args: string[]) => {
    const [{ readConfig }, { resetFactor }] = await Promise.all([
      import('./config.ts'),
      import('./operator/reset-password.ts'),
    ])
    return resetFactor(readConfig(), args[0], output)
  },
  version: async () => {
    output.print(`${(await manifest()).version}\n`)
    return 0
  },
}

const output = {
  print: (text: string) => process.stdout.write(text),
  complain: (text: string) => process.stderr.write(text),
}

async function main(args: string[]): Promise<number> {
  const [command = 'help', ...rest] = args
  const wantsHelp = rest.some((arg) => arg === '--help' || arg === '-h')
  const isOwn = isOperator(command) && !(command === 'read' && asksService(rest))
  if (isOwn && !wantsHelp) {
    // `kenning read … | head` closes the pipe: what is begun, such as a backup, is done all the same.
    for (const stream of [process.stdout, process.stderr])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error
      })
    return operators[command](rest)
  }
  if (isOwn && command in usages) return printUsage(command as keyof typeof usages)
  // Imported here and not above: the supervisor needs none of it.
  const { runCli } = await import('./cli/cli.ts')
  const { version } = await manifest()
  const { stdin, stdout, stderr } = process
  return runCli(args.length > 0 ? args : ['help'], {
    version,
    main: new URL(import.meta.url),
    streams: { stdin, stdout, stderr },
  })
}

const usages = {
  read: async () => (await import('./operator/read.ts')).READ_USAGE,
  eval: async () => (await import('./eval/options.ts')).EVAL_USAGE,
  backup: async () => (await import('./operator/backup.ts')).BACKUP_USAGE,
  restore: async () => (await import('./operator/backup.ts')).RESTORE_USAGE,
  verify: async () => (await import('./operator/backup.ts')).VERIFY_USAGE,
  doctor: async () => (await import('./operator/doctor.ts')).DOCTOR_USAGE,
  distribute: async () => (await import('./operator/distribute.ts')).DISTRIBUTE_USAGE,
}

async function printUsage(command: keyof typeof usages): Promise<number> {
  output.print(await usages[command]())
  return 0
}

const isOperator = (command: string): command is keyof typeof operators => Object.hasOwn(operators, command)

/** `kenning read` reads files of this machine, or with one of these options a document of a workspace. */
const asksService = (args: readonly string[]): boolean =>
  args.some((arg) => /^(-w|--workspace(=|$)|--server(=|$)|--token(=|$))/.test(arg))

async function manifest(): Promise<{ version: string; engines: { node: string } }> {
  return (await import('../package.json', { with: { type: 'json' } })).default
}

async function serve(config: Config): Promise<number> {
  const role = config.child?.role ?? config.role
  if (role !== 'api') await requireLanguages(config)
  if (role === 'all') return supervise(config)
  // Imported here and not above: without the service's libraries the supervisor stays small.
  const { runRole } = await import('./processes/role.ts')
  // The supervisor has ended before this process could notice its end: it would wait for an engine for ever.
  if (config.child && !process.connected) return 1
  const exitCode = await runRole(async (startContext) => {
    const { startApi, startWorker } = await importApp()
    return (role === 'api' ? startApi : startWorker)(config, startContext)
  })
  return exitCode === 'ok' ? 0 : 1
}

/**
 * Loads the app from its bundle, which takes two thirds of the time, or from single modules if the bundle is missing or
 * older.
 */
function importApp(): Promise<typeof import('./app.ts')> {
  const bundle = new URL('./bundle/app.js', import.meta.url)
  const [bundled, built] = [bundle, new URL('./app.js', import.meta.url)].map(
    (module) => statSync(module, { throwIfNoEntry: false })?.mtimeMs,
  )
  const isNew = bundled !== undefined && built !== undefined && bundled >= built
  return isNew ? import(bundle.href) : import('./app.ts')
}

/** Checked before anything starts: the supervisor would restart a worker without its language data again and again. */
async function requireLanguages({ ocrLanguages, ocrServer, dataDir }: Config): Promise<void> {
  const { configuredOcr, requireLanguageData } = await import('./reader/shared/ocr/languages.ts')
  try {
    requireLanguageData(configuredOcr(ocrLanguages, dataDir, ocrServer))
  } catch (error) {
    const { ConfigError } = await import('./config.ts')
    throw new ConfigError([error instanceof Error ? error.message : String(error)])
  }
}

async function supervise(config: Config): Promise<number> {
  const [{ startService }, { childEnvironment }] = await Promise.all([
    import('./processes/service.ts'),
    import('./config.ts'),
  ])
  const service = await startService({
    dataDir: config.dataDir,
    host: config.host,
    port: config.port,
    embedded: config.databaseUrl === undefined,
    copies: config.copies,
    main: new URL(import.meta.url),
    environment: childEnvironment,
    logLevel: config.logLevel,
  })
  // It was stopped before it was ready.
  if (!service) return 0
  process.stdout.write(`Kenning is ready: ${config.siteUrl} in a browser, ${config.baseUrl} for programs\n`)
  await service.untilStopped
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // Compared by name, so that not every command loads the error's module.
  const isConfigError = error instanceof Error && error.name === 'ConfigError'
  const message = error instanceof Error ? error.message : String(error)
  output.complain(
    isConfigError ? `Invalid settings:\n  ${message.replaceAll('\n', '\n  ')}\n` : `${message}\n`,
  )
  process.exitCode = isConfigError ? 2 : 1
}
