// `kenning connect`: adds Kenning to the list of MCP servers of an assistant, after showing what changes.

import { readFile, realpath, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Context } from '../context.ts'
import { CommandFailed, nothingFound, wrongUse } from '../failure.ts'
import { writeWhole } from '../files/private-file.ts'
import { changedLines, type Host, hostFile, type ServerEntry } from '../hosts/hosts.ts'
import { originOf, USUAL_ORIGIN } from '../login/credential.ts'

interface ConnectOptions {
  server?: string
  folder?: string
  print?: boolean
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
  const { environment, folders } = config
  const locations = { home: folders.home, project: process.cwd(), platform: process.platform, environment }
  const {
    title,
    path: configPath,
    startsProgram,
    edit,
    next,
  } = hostFile(host, locations, options.project === true)
  const folder = options.folder === undefined ? undefined : await folderOf(options, startsProgram)
  const entry = {
    name: options.name,
    url,
    program: programOf(context, folder === undefined ? ['--server', origin] : [folder]),
  }
  /** What the assistant will know. */
  const target = folder ?? (startsProgram ? origin : url)
  if (options.print) return terminal.print(edit('', entry).trimEnd())
  // Writes to the target of a symbolic link, so that the link stays.
  const path = await realpath(configPath).catch(() => configPath)
  const oldText = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new CommandFailed(`${path} cannot be read (${error.code}).`)
  })
  const newText = edit(oldText, entry)
  const hasChanges = newText !== oldText
  const summary = {
    host,
    path,
    ...(folder === undefined ? { url } : { folder }),
    changed: hasChanges && !options.dryRun,
  }
  if (!hasChanges) {
    if (options.json) context.printJson(summary)
    else terminal.print(`${title} already knows ${target} (${path}).`)
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
  if (oldText !== '') await writeWhole(`${path}.before-kenning`, oldText, mode)
  await writeWhole(path, newText, mode)
  if (options.json) return context.printJson(summary)
  terminal.print(`${title} now knows ${target}. ${next}`)
  if (oldText !== '') terminal.note(`The file as it was: ${path}.before-kenning`)
  if (startsProgram && folder === undefined && !(await profile.get(origin)))
    terminal.note(`It will use the sign-in of the command line: kenning login ${origin}`)
}

/** `kenning mcp` of this installation, by whole paths, since a program that a desktop starts has not the PATH of a shell. */
const programOf = ({ main }: Context, args: readonly string[]): ServerEntry['program'] => ({
  command: process.execPath,
  args: [fileURLToPath(main), 'mcp', ...args],
})

async function folderOf({ folder = '', server }: ConnectOptions, startsProgram: boolean): Promise<string> {
  if (!startsProgram) throw wrongUse('Only claude-desktop and zed start a program, which --folder needs.')
  if (server !== undefined) throw wrongUse('A folder needs no service: leave out --server.')
  return realpath(folder).catch(() => {
    throw nothingFound(`There is no file or folder ${folder}.`)
  })
}
