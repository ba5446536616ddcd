// `kenning connect`: adds Kenning to the list of MCP servers of an assistant, after showing what changes.

import { readFile, realpath, stat } from 'node:fs/promises'
import type { Context } from '../context.ts'
import { CommandFailed, wrongUse } from '../failure.ts'
import { writeWhole } from '../files/private-file.ts'
import { changedLines, type Host, hostFile } from '../hosts/hosts.ts'
import { originOf, USUAL_ORIGIN } from '../login/credential.ts'

interface ConnectOptions {
  server?: string
  name: string
  project?: boolean
  yes?: boolean
  dryRun?: boolean
  json?: boolean
}

export async function connect(context: Context, host: Host, options: ConnectOptions): Promise<void> {
  const { terminal, config, profile } = context
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(options.name))
    throw wrongUse('The name may hold letters, digits, - and _.')
  const server = options.server ?? config.server
  const origin = server ? originOf(server) : ((await profile.current()) ?? USUAL_ORIGIN)
  const url = `${origin}/v1/mcp`
  const locations = { home: config.folders.home, project: process.cwd(), platform: process.platform }
  const { title, path: configPath, edit, next } = hostFile(host, locations, options.project === true)
  // Writes to the target of a symbolic link, so that the link stays.
  const path = await realpath(configPath).catch(() => configPath)
  const oldText = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new CommandFailed(`${path} cannot be read (${error.code}).`)
  })
  const newText = edit(oldText, { name: options.name, url })
  const hasChanges = newText !== oldText
  const summary = { host, path, url, changed: hasChanges && !options.dryRun }
  if (!hasChanges) {
    if (options.json) context.printJson(summary)
    else terminal.print(`${title} already knows ${url} (${path}).`)
    return
  }
  terminal.note(path)
  for (const line of changedLines(oldText, newText)) terminal.note(line)
  if (options.dryRun) {
    if (options.json) context.printJson(summary)
    return
  }
  if (!options.yes) {
    if (!terminal.isInteractive) throw wrongUse('Add --yes to write this.')
    const { confirm } = await import('../prompts.ts')
    if (!(await confirm(`Write this for ${title}?`))) return
  }
  // The file keeps its mode. A new personal file is private, since it may contain keys of other servers.
  const defaultMode = options.project ? 0o644 : 0o600
  const mode = await stat(path).then(
    ({ mode }) => mode & 0o777,
    () => defaultMode,
  )
  await writeWhole(path, newText, mode)
  if (options.json) context.printJson(summary)
  else terminal.print(`${title} now knows ${url}. ${next}`)
}
