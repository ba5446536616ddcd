#!/usr/bin/env node
// The process: settings, supervisor or one role, signals and exit codes (0 stopped, 1 could not run, 2 wrong setting).

import { type Config, ConfigError, childEnvironment, readConfig } from './config.ts'

const USAGE = `kenning serve     start the service (settings: see .env.example)
kenning read FILE…
                  print what Kenning reads of files, as Markdown or JSON
kenning eval DIR  measure search on your own questions (docs/evaluation.md)
kenning doctor    check this machine and the settings
kenning reset-password EMAIL
                  print a link that sets somebody's password anew
kenning help      this page
kenning version   the version
`

async function main(command: string): Promise<number> {
  if (command === 'serve') return serve(readConfig())
  if (command === 'read') return read(process.argv.slice(3))
  if (command === 'eval') return evaluate(process.argv.slice(3))
  if (command === 'doctor') return doctor(process.argv.slice(3))
  if (command === 'reset-password') return reset(process.argv[3])
  if (command === 'version') {
    process.stdout.write(`${await version()}\n`)
    return 0
  }
  const known = ['help', '--help', '-h'].includes(command)
  ;(known ? process.stdout : process.stderr).write(USAGE)
  return known ? 0 : 2
}

async function version(): Promise<string> {
  return (await manifest()).version
}

async function manifest(): Promise<{ version: string; engines: { node: string } }> {
  return (await import('../package.json', { with: { type: 'json' } })).default
}

async function doctor(args: string[]): Promise<number> {
  const { runDoctor } = await import('./operator/doctor.ts')
  const { stdout, stderr } = process
  const machine = { node: process.versions.node, neededNode: (await manifest()).engines.node }
  return runDoctor(args, machine, {
    print: (text) => stdout.write(text),
    complain: (text) => stderr.write(text),
  })
}

async function reset(email: string | undefined): Promise<number> {
  const { resetPassword } = await import('./operator/reset-password.ts')
  const { stdout, stderr } = process
  return resetPassword(readConfig(), email, {
    print: (text) => stdout.write(text),
    complain: (text) => stderr.write(text),
  })
}

async function read(args: string[]): Promise<number> {
  const { readFiles } = await import('./operator/read.ts')
  const { stdout, stderr } = process
  return readFiles(readConfig(), args, {
    print: (text) => stdout.write(text),
    complain: (text) => stderr.write(text),
  })
}

async function evaluate(args: string[]): Promise<number> {
  const { runEval } = await import('./eval/eval.ts')
  const { stdout, stderr } = process
  return runEval(args, { main: new URL(import.meta.url), version: await version(), stdout, stderr })
}

async function serve(config: Config): Promise<number> {
  const role = config.child?.role ?? config.role
  if (role !== 'api') await requireLanguages(config)
  if (role === 'all') return supervise(config)
  // Loaded here, not above: the supervisor stays small without the service's libraries.
  const { runRole } = await import('./processes/role.ts')
  const ended = await runRole(async (onMigrating) => {
    const { startApi, startWorker } = await import('./app.ts')
    return (role === 'api' ? startApi : startWorker)(config, onMigrating)
  })
  return ended === 'ok' ? 0 : 1
}

/** Told here, before anything starts: a worker that cannot read scans would be started again and again. */
async function requireLanguages({ ocrLanguages, dataDir }: Config): Promise<void> {
  const { configuredOcr, refuseMissingLanguages } = await import('./reader/picture/ocr/languages.ts')
  try {
    refuseMissingLanguages(configuredOcr(ocrLanguages, dataDir))
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)])
  }
}

async function supervise(config: Config): Promise<number> {
  const { startService } = await import('./processes/service.ts')
  const service = await startService({
    dataDir: config.dataDir,
    host: config.host,
    port: config.port,
    embedded: config.databaseUrl === undefined,
    main: new URL(import.meta.url),
    environment: childEnvironment,
    logLevel: config.logLevel,
  })
  process.stdout.write(`Kenning is ready at ${config.baseUrl}\n`)
  await service.untilStopped
  return 0
}

try {
  process.exitCode = await main(process.argv[2] ?? 'help')
} catch (error) {
  const wrong = error instanceof ConfigError
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(
    wrong ? `These settings are wrong:\n  ${message.replaceAll('\n', '\n  ')}\n` : `${message}\n`,
  )
  process.exitCode = wrong ? 2 : 1
}
