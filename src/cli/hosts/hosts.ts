// Where assistants store their list of MCP servers, and the form of Kenning's entry. The entry is the address of the service and not a
// command, because assistants do not wait until a command has installed a package. Each assistant signs in by itself, with OAuth.

import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser'
import { CommandFailed } from '../failure.ts'

export const HOSTS = ['claude-code', 'cursor', 'vscode', 'codex'] as const
export type Host = (typeof HOSTS)[number]

interface HostFile {
  /** The name that people see. */
  title: string
  path: string
  /** Returns the new text of the file. @throws CommandFailed if the old text has no valid syntax */
  edit(oldText: string, server: { name: string; url: string }): string
  /** What the person should do next. */
  next: string
}

interface Locations {
  home: string
  /** The current folder. */
  project: string
  platform: NodeJS.Platform
}

/** @param isProject whether to write to the current folder, for everybody who works in it, instead of the person's settings */
export function hostFile(host: Host, { home, project, platform }: Locations, isProject: boolean): HostFile {
  const code =
    platform === 'darwin'
      ? `${home}/Library/Application Support/Code/User`
      : platform === 'win32'
        ? `${home}/AppData/Roaming/Code/User`
        : `${home}/.config/Code/User`
  switch (host) {
    case 'claude-code':
      return {
        title: 'Claude Code',
        path: isProject ? `${project}/.mcp.json` : `${home}/.claude.json`,
        edit: (oldText, { name, url }) => editJson(oldText, ['mcpServers', name], { type: 'http', url }),
        next: 'Start Claude Code, enter /mcp and sign in.',
      }
    case 'cursor':
      return {
        title: 'Cursor',
        path: isProject ? `${project}/.cursor/mcp.json` : `${home}/.cursor/mcp.json`,
        edit: (oldText, { name, url }) => editJson(oldText, ['mcpServers', name], { url }),
        next: 'Open the settings of Cursor at MCP and sign in.',
      }
    case 'vscode':
      return {
        title: 'VS Code',
        path: isProject ? `${project}/.vscode/mcp.json` : `${code}/mcp.json`,
        edit: (oldText, { name, url }) => editJson(oldText, ['servers', name], { type: 'http', url }),
        next: 'Run “MCP: List Servers” in VS Code, start it and sign in.',
      }
    case 'codex':
      return {
        title: 'Codex',
        path: isProject ? `${project}/.codex/config.toml` : `${home}/.codex/config.toml`,
        edit: editToml,
        next: 'Sign in with: codex mcp login',
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
function editToml(oldText: string, { name, url }: { name: string; url: string }): string {
  const head = `[mcp_servers.${name}]`
  const table = `${head}\nurl = ${JSON.stringify(url)}\n`
  const lines = oldText.split('\n')
  const start = lines.findIndex((line) => line.trim() === head)
  if (start < 0) return `${oldText.trimEnd()}${oldText.trim() ? '\n\n' : ''}${table}`
  const next = lines.findIndex((line, no) => no > start && /^\s*\[/.test(line))
  const linesAfter = next < 0 ? [] : lines.slice(next)
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
