import { parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { changedLines, hostFile } from './hosts.ts'
import { HOSTS } from './names.ts'

const places = { home: '/home/ada', project: '/code', platform: 'linux' as const, environment: {} }
const program = { command: '/usr/bin/node', args: ['/opt/kenning/main.js', 'mcp'] }
const server = { name: 'kenning', url: 'https://kenning.example/v1/mcp', program }
const COMMENTS =
  '// Zed settings\n{\n  "theme": "One", // mine\n  "context_servers": {\n    // of the team\n    "other": { "command": "x", "args": [] },\n  },\n}\n'

test.each(HOSTS)('%s: written into nothing, and a second time it changes nothing', (host) => {
  for (const isProject of host === 'claude-desktop' ? [false] : [false, true]) {
    const { edit, path, startsProgram } = hostFile(host, places, isProject)
    expect(path.startsWith(isProject ? '/code/' : '/home/ada/')).toBe(true)
    const after = edit('', server)
    const entry = startsProgram ? '/opt/kenning/main.js' : server.url
    expect(after).toContain(entry)
    expect(edit(after, server)).toBe(after)
    const other = {
      name: 'kenning',
      url: 'https://other.example/v1/mcp',
      program: { command: 'k', args: ['mcp'] },
    }
    expect(edit(after, other)).not.toContain(entry)
  }
})

test.each([
  ['claude-desktop', 'darwin', '/home/ada/Library/Application Support/Claude/claude_desktop_config.json'],
  ['claude-desktop', 'win32', 'C:\\Users\\ada\\AppData\\Roaming/Claude/claude_desktop_config.json'],
  ['claude-desktop', 'linux', '/home/ada/.config/Claude/claude_desktop_config.json'],
  ['zed', 'darwin', '/home/ada/.config/zed/settings.json'],
  ['zed', 'win32', 'C:\\Users\\ada\\AppData\\Roaming/Zed/settings.json'],
  ['zed', 'linux', '/home/ada/.config/zed/settings.json'],
  ['vscode', 'darwin', '/home/ada/Library/Application Support/Code/User/mcp.json'],
  ['vscode', 'win32', 'C:\\Users\\ada\\AppData\\Roaming/Code/User/mcp.json'],
] as const)('the file of %s on %s', (host, platform, path) => {
  const environment = platform === 'win32' ? { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' } : {}
  expect(hostFile(host, { ...places, platform, environment }, false).path).toBe(path)
})

test('the folder of settings can be elsewhere, and on Windows the usual one is known', () => {
  const elsewhere = { ...places, environment: { XDG_CONFIG_HOME: '/srv/ada' } }
  expect(hostFile('zed', elsewhere, false).path).toBe('/srv/ada/zed/settings.json')
  const onMac = { ...elsewhere, platform: 'darwin' as const }
  expect(hostFile('zed', onMac, false).path).toBe('/home/ada/.config/zed/settings.json')
  const windows = { ...places, home: 'C:/Users/ada', platform: 'win32' as const }
  expect(hostFile('claude-desktop', windows, false).path).toBe(
    'C:/Users/ada/AppData/Roaming/Claude/claude_desktop_config.json',
  )
})

test('Claude Desktop has one file', () => {
  expect(() => hostFile('claude-desktop', places, true)).toThrow('leave out --project')
})

describe('what else the file holds stays as it is', () => {
  test('JSON with comments', () => {
    const before =
      '{\n\t// mine\n\t"servers": {\n\t\t"other": {\n\t\t\t"url": "https://other.example"\n\t\t},\n\t},\n\t"inputs": []\n}\n'
    const after = hostFile('vscode', places, false).edit(before, server)
    for (const kept of [
      '// mine',
      '\t\t"other": {\n\t\t\t"url": "https://other.example"\n\t\t}',
      '"inputs": []',
    ])
      expect(after).toContain(kept)
    expect(changedLines(before, after).filter((line) => line.startsWith('- '))).toEqual([])
  })

  test('the settings of Zed, with comments and trailing commas', () => {
    const after = hostFile('zed', places, false).edit(COMMENTS, server)
    for (const line of ['// Zed settings', '"theme": "One", // mine', '// of the team'])
      expect(after).toContain(line)
    // The lines of a neighbour may be broken anew, its value stays.
    expect(parse(after)).toEqual({
      ...parse(COMMENTS),
      context_servers: { other: { command: 'x', args: [] }, kenning: { ...program, env: {} } },
    })
  })

  test('TOML with tables before and after', () => {
    const before =
      'model = "x"\n\n[mcp_servers.kenning]\nurl = "https://old.example"\nrequired = true\n\n[mcp_servers.other]\nurl = "u"\n'
    const after = hostFile('codex', places, false).edit(before, server)
    expect(after).toBe(
      'model = "x"\n\n[mcp_servers.kenning]\nurl = "https://kenning.example/v1/mcp"\n\n[mcp_servers.other]\nurl = "u"\n',
    )
  })
})

test('a file that is no JSON is not touched', () => {
  for (const host of ['claude-desktop', 'zed'] as const)
    expect(() => hostFile(host, places, false).edit('{ "a": 1 ', server)).toThrow('Nothing was changed')
  expect(() => hostFile('cursor', places, false).edit('{ "mcpServers": ', server)).toThrow(
    'Nothing was changed',
  )
  expect(() => hostFile('cursor', places, false).edit('[]', server)).toThrow('Nothing was changed')
})
