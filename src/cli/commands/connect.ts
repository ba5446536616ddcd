// `kenning connect`: adds Kenning to the list of MCP servers of an assistant, after showing what changes.

import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Context, isConfirmed } from '../context.ts'
import { nothingFound, wrongUse } from '../failure.ts'
import { neighboursOf } from '../files/neighbours.ts'
import { changedLines, hostFile, type ServerEntry } from '../hosts/hosts.ts'
import type { Host } from '../hosts/names.ts'
import { readSettings, replaceSettings, settingsPath } from '../hosts/settings-file.ts'
import { DEFAULT_ORIGIN, originOf } from '../login/credential.ts'

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
  const origin = server ? originOf(server) : ((await profile.current()) ?? DEFAULT_ORIGIN)
  const url = `${origin}/v1/mcp`
  const { environment, folders } = config
  const isProject = options.project === true
  const locations = { home: folders.home, project: process.cwd(), platform: process.platform, environment }
  const { title, path: configPath, startsProgram, edit, nextStep } = hostFile(host, locations, isProject)
  const folder = options.folder === undefined ? undefined : await folderOf(options, startsProgram)
  const entry = {
    name: options.name,
    url,
    program: programOf(context, isProject, folder === undefined ? ['--server', origin] : [folder]),
  }
  /** What the assistant is connected to. */
  const target = folder ?? (startsProgram ? origin : url)
  if (options.print) return terminal.print(edit('', entry).trimEnd())
  const path = await settingsPath(configPath, isProject ? locations.project : undefined)
  const oldText = await readSettings(path)
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
  const confirmation = { question: `Write this for ${title}?`, refusal: 'Add --yes to write this.' }
  if (!(await isConfirmed(context, options.yes, confirmation))) return
  const copy = await replaceSettings(path, { oldText, newText, isProject })
  if (options.json) return context.printJson(summary)
  terminal.print(`${title} now knows ${target}. ${nextStep}`)
  if (copy !== undefined) terminal.note(`The file as it was: ${copy}`)
  if (startsProgram && folder === undefined && !(await profile.get(origin)))
    terminal.note(`It will use the sign-in of the command line: kenning login ${origin}`)
}

/**
 * `kenning mcp` of this installation, with absolute paths, since a program that the desktop starts does not have the PATH of a
 * shell. Settings of a project contain only the command's name, because other people use them on their machines, too.
 */
const programOf = ({ main }: Context, isProject: boolean, args: readonly string[]): ServerEntry['program'] =>
  isProject
    ? { command: 'kenning', args: ['mcp', ...args] }
    : { command: process.execPath, args: [fileURLToPath(main), 'mcp', ...args] }

async function folderOf(
  { folder = '', server, project }: ConnectOptions,
  startsProgram: boolean,
): Promise<string> {
  if (!startsProgram) throw wrongUse('Only claude-desktop and zed start a program, which --folder needs.')
  if (server !== undefined) throw wrongUse('A folder needs no service: leave out --server.')
  if (project) throw wrongUse('Other people have no folder of this path: leave out --project, or --folder.')
  return realpath(folder).catch(async () => {
    throw nothingFound(`There is no file or folder ${folder}. ${await neighboursOf(folder)}`)
  })
}
