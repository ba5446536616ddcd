// JSON as programs write it: numbers beyond floating point, truncated JSON Lines and foreign lines.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const record = (no: number): string => JSON.stringify({ id: no, name: `Gauge ${no}` })

test('a line that is not JSON stands as text, with a warning; the records around it stay records', async () => {
  const { blocks, warnings } = await parseBytes(
    'json',
    [record(1), record(2), 'not json', record(3), ''].join('\n'),
  )
  expect(blocks.map(({ kind }) => kind)).toEqual(['table', 'paragraph', 'paragraph'])
  expect(blocks.map(({ text }) => text).join('\n')).toMatch(/Gauge 1.*Gauge 2.*not json.*Gauge 3/s)
  expect(warnings).toEqual(['Lines that are not JSON were kept as text: 3.'])
})

test('a last line that was cut loses nothing', async () => {
  const lines = Array.from({ length: 450 }, (_, no) => record(no))
  const { blocks } = await parseBytes('json', `${lines.join('\n')}\n{"id":451,"na`)
  const text = blocks.map((block) => block.text).join('\n')
  for (const no of [0, 199, 200, 449]) expect(text).toContain(`Gauge ${no} |`)
  expect(text).toContain('{"id":451,"na')
})

test('a file of other lines is none', async () => {
  for (const text of ['not json', `${record(1)}\nb\nc`, '{\n"a": 1,\n"b": [\n'])
    await expect(parseBytes('json', text)).rejects.toMatchObject({ reason: 'damaged' })
})

const textOf = async (source: string): Promise<string> =>
  (await parseBytes('json', source)).blocks.map(({ text }) => text).join('\n')

test('a number stands as it is written, whatever floating point would make of it', async () => {
  const numbers = [
    '1729382256910270463',
    '1.10',
    '1e400',
    '-0',
    '0.1000',
    '1E5',
    '123456789012345678901234567890',
  ]
  const record = `{${numbers.map((one, i) => `"n${i}":${one}`).join(',')}}`
  const value = numbers.map((one, i) => `n${i}: ${one}`).join('\n')
  expect(await textOf(record)).toBe(value)
  expect(await textOf(`{"inner":{"list":[${numbers}]}}`)).toBe(`inner.list: ${numbers.join(', ')}`)
  const rows = `| ${numbers.join(' | ')} |\n| ${numbers.join(' | ')} |`
  expect(await textOf(`[${record},${record}]`)).toContain(rows)
  expect(await textOf(`${record}\n${record}`)).toContain(rows)
})

test('fields of the same name all stay, in records of a table too', async () => {
  expect(await textOf('{"a":1,"b":2,"a":3}')).toBe('a: 1\nb: 2\na: 3')
  expect(await textOf('[{"a":1,"b":2},{"a":3,"b":4,"a":5}]')).toBe('a: 1\nb: 2\na: 3\nb: 4\na: 5')
  expect(await textOf('{"__proto__":{"x":1},"constructor":2}')).toBe('__proto__.x: 1\nconstructor: 2')
  const long = 'wall '.repeat(120).trim()
  expect(await textOf(`{"part":["${long}"],"part":{"x":"${long}"}}`)).toBe(`part\n${long}\npart\nx: ${long}`)
})

test('a name stands though nothing is its value', async () => {
  expect(
    await textOf('{"order":17,"approved by":null,"note":"","tags":[],"from":{"port":null},"to":{}}'),
  ).toBe('order: 17\napproved by:\nnote:\ntags:\nfrom.port:\nto:')
  await expect(parseBytes('json', '[null,""]')).rejects.toMatchObject({ reason: 'no_text' })
})

test('half a million names, and levels without end', async () => {
  const names = Array.from({ length: 500_000 }, (_, no) => `"name ${no}":${no}`)
  expect(await textOf(`{${names}}`)).toMatch(/^name 0: 0\nname 1: 1\n.*\nname 499999: 499999$/s)
  for (const deep of ['['.repeat(1e6), '{"a":'.repeat(1e6), `{"a":1}\n${'['.repeat(1e6)}`])
    await expect(parseBytes('json', deep)).rejects.toMatchObject({ reason: 'damaged' })
})

test('a large file named .json is read if it has a record on each line, and refused if it is one text', async () => {
  const line = JSON.stringify({ note: 'wall '.repeat(400_000) })
  const lines = Array.from({ length: 34 }, () => line)
  expect((await parseBytes('json', lines.join('\n'))).blocks).toHaveLength(34)
  for (const text of [`[\n${lines.join(',\n')}\n]`, `\n[\n${lines.join(',\n')}]`, `[${lines}]`])
    await expect(parseBytes('json', text)).rejects.toMatchObject({ reason: 'too_large_unpacked' })
})
