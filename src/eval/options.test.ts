import { describe, expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('a folder is enough', () => {
  expect(readOptions(['set'])).toEqual({
    folder: 'set',
    remote: undefined,
    limit: undefined,
    ask: false,
    typos: 0,
    label: undefined,
    out: undefined,
    compare: undefined,
  })
})

test('all options', () => {
  const args =
    'set --url http://127.0.0.1:8484/v1/ --token-file t --workspace w --limit 20 --typos --label now'
  expect(readOptions([...args.split(' '), '--out', 'runs/now.html', '--compare', 'old.json'])).toEqual({
    folder: 'set',
    remote: { base: 'http://127.0.0.1:8484/v1', token: { file: 't' }, workspaceId: 'w' },
    limit: 20,
    ask: false,
    typos: 0.3,
    label: 'now',
    out: 'runs/now',
    compare: 'old.json',
  })
})

describe('wrong options are named, and the usage is shown', () => {
  const cases: [string, RegExp][] = [
    ['', /Name the folder of one set/],
    ['a b', /Name the folder of one set/],
    ['a --limit 0', /--limit must be a whole number/],
    ['a --limit x', /--limit must be a whole number/],
    ['a --url http://x', /--url needs --token/],
    ['a --token t', /need --url/],
    ['a --url ftp://x --token t', /--url must be the address/],
    ['a --url http://x/?path --token t', /--url must be the address/],
    ['a --url x --token t', /--url must be the address/],
    ['a --url http://x --token t --token-file f', /either --token or --token-file/],
    ['a --depth 3', /Unknown option '--depth'/],
  ]
  test.each(cases)('%s', (args, message) => {
    const read = () => readOptions(args.split(' ').filter(Boolean))
    expect(read).toThrow(message)
    expect(read).toThrow(/kenning eval DIR \[options\]/)
  })
})
