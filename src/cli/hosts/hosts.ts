// Where assistants store their list of MCP servers, and the form of Kenning's entry. The entry is the address of the service, and
// the assistant signs in by itself, with OAuth. Assistants whose file only takes programs get `kenning mcp` of this installation.
// It is not a command that first installs a package, because assistants do not wait that long.

import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser'
import { CommandFailed, wrongUse } from '../failure.ts'
import type { Host } from './names.ts'

/** Kenning's entry in the list of an assistant. */
export interface ServerEntry {
  name: string
  /** The address of the service. */
  url: string
  /** `kenning mcp`, as a program without a shell starts it. */
  program: { command: string; args: readonly string[] }
}

interface HostFile {
  /** The name that users see. */
  title: string
  path: string
  /** Whether the entry is the program `kenning mcp`, which can have a folder instead of a service. */
  startsProgram: boolean
  /** Returns the new text of the file. @throws CommandFailed if the old text has no valid syntax */
  edit(oldText: string, server: ServerEntry): string
  /** What the user should do next. */
  nextStep: string
}

interface Locations {
  home: string
  /** The current folder. */
  project: string
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
}

/** The folder in which programs store the settings of a user. */
function settingsFolder({ home, platform, environment }: Locations): string {
  if (platform === 'darwin') return `${home}/Library/Application Support`
  if (platform === 'win32') return environment.APPDATA || `${home}/AppData/Roaming`
  return environment.XDG_CONFIG_HOME || `${home}/.config`
}

/** @param isProject whether to write to the current folder, for everybody who works in it, instead of the user's settings */
export function hostFile(host: Host, locations: Locations, isProject: boolean): HostFile {
  const { home, project, platform } = locations
  const settings = settingsFolder(locations)
  const byAddress = { startsProgram: false }
  switch (host) {
    case 'claude-code':
      return {
        ...byAddress,
        title: 'Claude Code',
        path: isProject ? `${project}/.mcp.json` : `${home}/.claude.json`,
        edit: (oldText, { name, url }) => editJson(oldText, ['mcpServers', name], { type: 'http', url }),
        nextStep: 'Start Claude Code, enter /mcp and sign in.',
      }
    case 'claude-desktop':
      if (isProject) throw wrongUse('Claude Desktop has no settings of a folder: leave out --project.')
      return {
        title: 'Claude Desktop',
        path: `${settings}/Claude/claude_desktop_config.json`,
        startsProgram: true,
        edit: (oldText, { name, program }) => editJson(oldText, ['mcpServers', name], program),
        nextStep: 'Quit Claude Desktop and start it again.',
      }
    case 'zed': {
      // On macOS it is the same folder as on Linux, but XDG_CONFIG_HOME has no effect.
      const name = platform === 'win32' ? 'Zed' : 'zed'
      const ownSettings = platform === 'darwin' ? `${home}/.config/zed` : `${settings}/${name}`
      return {
        title: 'Zed',
        path: `${isProject ? `${project}/.zed` : ownSettings}/settings.json`,
        startsProgram: true,
        edit: (oldText, { name, program }) =>
          editJson(oldText, ['context_servers', name], { ...program, env: {} }),
        nextStep: 'The settings of Zed show it at AI → MCP Servers.',
      }
    }
    case 'cursor':
      return {
        ...byAddress,
        title: 'Cursor',
        path: isProject ? `${project}/.cursor/mcp.json` : `${home}/.cursor/mcp.json`,
        edit: (oldText, { name, url }) => editJson(oldText, ['mcpServers', name], { url }),
        nextStep: 'Open the settings of Cursor at MCP and sign in.',
      }
    case 'vscode':
      return {
        ...byAddress,
        title: 'VS Code',
        path: isProject ? `${project}/.vscode/mcp.json` : `${settings}/Code/User/mcp.json`,
        edit: (oldText, { name, url }) => editJson(oldText, ['servers', name], { type: 'http', url }),
        nextStep: 'Run “MCP: List Servers” in VS Code, start it and sign in.',
      }
    case 'codex':
      return {
        ...byAddress,
        title: 'Codex',
        path: isProject ? `${project}/.codex/config.toml` : `${home}/.codex/config.toml`,
        edit: editToml,
        nextStep: 'Sign in with: codex mcp login',
      }
  }
}

/** Sets a value and keeps the comments and the layout of the file. */
function editJson(oldText: string, path: string[], value: object): string {
  const text = oldText.trim() ? oldText : '{}\n'
  const errors: ParseError[] = []
  const settings: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new CommandFailed('The file is not valid JSON. Correct it first. Nothing was changed.')
  const tabSize = /^( +)\S/m.exec(text)?.[1]?.length ?? 2
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize, eol: '\n' }
  const newText = applyEdits(text, modify(text, path, value, { formattingOptions }))
  return newText.endsWith('\n') ? newText : `${newText}\n`
}

/** Adds or replaces the table of the server. Nothing else in the file changes. */
function editToml(oldText: string, { name, url }: ServerEntry): string {
  const head = `[mcp_servers.${name}]`
  const table = `${head}\nurl = ${JSON.stringify(url)}\n`
  const lines = oldText.split('\n')
  const start = lines.findIndex((line) => line.trim() === head)
  if (start < 0) return `${oldText.trimEnd()}${oldText.trim() ? '\n\n' : ''}${table}`
  const nextTable = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line))
  const linesAfter = nextTable < 0 ? [] : lines.slice(nextTable)
  return [...lines.slice(0, start), ...table.split('\n'), ...linesAfter].join('\n')
}

/** The lines that differ, with two lines before and after, for a file that changes in one place. */
export function changedLines(oldText: string, newText: string): string[] {
  const [oldLines, newLines] = [oldText.split('\n'), newText.split('\n')]
  let start = 0
  while (start < Math.min(oldLines.length, newLines.length) && oldLines[start] === newLines[start]) start++
  let end = 0
  while (
    end < Math.min(oldLines.length, newLines.length) - start &&
    oldLines.at(-1 - end) === newLines.at(-1 - end)
  )
    end++
  const CONTEXT_LINES = 2
  const from = Math.max(0, start - CONTEXT_LINES)
  return [
    ...newLines.slice(from, start).map((line) => `  ${line}`),
    ...oldLines.slice(start, oldLines.length - end).map((line) => `- ${line}`),
    ...newLines.slice(start, newLines.length - end).map((line) => `+ ${line}`),
    ...newLines
      .slice(newLines.length - end, newLines.length - end + CONTEXT_LINES)
      .map((line) => `  ${line}`),
  ].filter((line) => line.trim() !== '')
}
