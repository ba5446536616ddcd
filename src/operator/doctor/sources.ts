// Checks whether the folders and remotes that sources may read exist.

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Config } from '../../config.ts'
import { type Finding, messageOf } from '../../health/finding.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 10_000

type Settings = Pick<Config, 'sources' | 'programEnvironment'>

export async function* sourceChecks({ sources, programEnvironment }: Settings): AsyncGenerator<Finding> {
  const check = 'sources'
  for (const { location } of sources.folders) {
    const problem = await readdir(location).then(() => undefined, messageOf)
    yield problem === undefined
      ? { check, status: 'ok', message: `the folder ${location} can be read` }
      : {
          check,
          status: 'warning',
          message: `The folder ${location} cannot be read (${problem}). Mount it, or change KENNING_SOURCE_FOLDERS.`,
        }
  }
  if (sources.remotes.length === 0) return
  const remotes = await run('rclone', ['listremotes'], { env: programEnvironment, timeout: TIMEOUT_MS }).then(
    ({ stdout }) => stdout.split('\n'),
    messageOf,
  )
  if (typeof remotes === 'string') {
    const advice = 'Install it for the user that runs Kenning, or empty KENNING_SOURCE_REMOTES.'
    yield { check, status: 'warning', message: `rclone does not run (${remotes}). ${advice}` }
    return
  }
  for (const { location } of sources.remotes) {
    const name = `${location.split(':')[0]}:`
    yield remotes.includes(name)
      ? { check, status: 'ok', message: `rclone knows the remote ${name}` }
      : {
          check,
          status: 'warning',
          message: `rclone knows no remote ${name} for this user. Set it up with rclone config, or change KENNING_SOURCE_REMOTES.`,
        }
  }
}
