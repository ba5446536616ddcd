#!/usr/bin/env node
// The commands, and their exit codes: 0 success, 1 failure, 2 invalid arguments or settings.

import { type Config, ConfigError, childEnvironment, readConfig } from './config.ts'

const USAGE = `Usage:
  kenning serve                 start the service; settings come from the environment, see .env.example
  kenning read FILE…            print the text that Kenning extracts from files, as Markdown or JSON
  kenning eval DIR              measure search on your own questions, see docs/evaluation.md
  kenning doctor                check this machine and the settings
  kenning reset-password EMAIL  print a link to set a new password for an account
  kenning version               print the version
  kenning help                  print this help
`

const output = {
  print: (text: string) => process.stdout.write(text),
  complain: (text: string) => process.stderr.write(text),
}

async function main(command: string, args: string[]): Promise<number> {
  switch (command) {
    case 'serve':
      return serve(readConfig())
    case 'read': {
      const { readFiles } = await import('./operator/read.ts')
      return readFiles(readConfig(), args, output)
    }
    case 'eval': {
      const { runEval } = await import('./eval/eval.ts')
      const { version } = await manifest()
      const { stdout, stderr } = process
      return runEval(args, { main: new URL(import.meta.url), version, stdout, stderr })
    }
    case 'doctor': {
      const { runDoctor } = await import('./operator/doctor.ts')
      const { engines } = await manifest()
      return runDoctor(args, { node: process.versions.node, neededNode: engines.node }, output)
    }
    case 'reset-password': {
      const { resetPassword } = await import('./operator/reset-password.ts')
      return resetPassword(readConfig(), args[0], output)
    }
    case 'version':
      output.print(`${(await manifest()).version}\n`)
      return 0
    case 'help':
    case '--help':
    case '-h':
      output.print(USAGE)
      return 0
    default:
      output.complain(`Unknown command: ${command}\n\n${USAGE}`)
      return 2
  }
}

async function manifest(): Promise<{ version: string; engines: { node: string } }> {
  return (await import('../package.json', { with: { type: 'json' } })).default
}

async function serve(config: Config): Promise<number> {
  const role = config.child?.role ?? config.role
  if (role !== 'api') await requireLanguages(config)
  if (role === 'all') return supervise(config)
  // Imported here and not above: without the service's libraries the supervisor stays small.
  const { runRole } = await import('./processes/role.ts')
  const ended = await runRole(async (onMigrating) => {
    const { startApi, startWorker } = await import('./app.ts')
    return (role === 'api' ? startApi : startWorker)(config, onMigrating)
  })
  return ended === 'ok' ? 0 : 1
}

/** Checked before anything starts: the supervisor would restart a worker without its language data again and again. */
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
  process.exitCode = await main(process.argv[2] ?? 'help', process.argv.slice(3))
} catch (error) {
  const isConfigError = error instanceof ConfigError
  const message = error instanceof Error ? error.message : String(error)
  output.complain(
    isConfigError ? `Invalid settings:\n  ${message.replaceAll('\n', '\n  ')}\n` : `${message}\n`,
  )
  process.exitCode = isConfigError ? 2 : 1
}
