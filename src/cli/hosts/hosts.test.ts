import { describe, expect, test } from 'vitest'
import { changedLines, HOSTS, hostFile } from './hosts.ts'

const places = { home: '/home/ada', project: '/code', platform: 'linux' as const }
const server = { name: 'kenning', url: 'https://kenning.example/v1/mcp' }

test.each(HOSTS)('%s: written into nothing, and a second time it changes nothing', (host) => {
  for (const isProject of [false, true]) {
    const { edit, path } = hostFile(host, places, isProject)
    expect(path.startsWith(isProject ? '/code/' : '/home/ada/')).toBe(true)
    const after = edit('', server)
    expect(after).toContain(server.url)
    expect(edit(after, server)).toBe(after)
    expect(edit(after, { ...server, url: 'https://other.example/v1/mcp' })).not.toContain(server.url)
  }
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
  expect(() => hostFile('cursor', places, false).edit('{ "mcpServers": ', server)).toThrow(
    'Nothing was changed',
  )
  expect(() => hostFile('cursor', places, false).edit('[]', server)).toThrow('Nothing was changed')
})
