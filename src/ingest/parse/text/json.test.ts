// JSON Lines as logs leave them: a line cut or foreign.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const record = (no: number): string => JSON.stringify({ id: no, name: `Gauge ${no}` })

test('a line that is no JSON stands as text, with a warning; the records around it stay records', async () => {
  const { blocks, warnings } = await parseBytes(
    'json',
    [record(1), record(2), 'not json', record(3), ''].join('\n'),
  )
  expect(blocks.map(({ kind }) => kind)).toEqual(['table', 'paragraph', 'paragraph'])
  expect(blocks.map(({ text }) => text).join('\n')).toMatch(/Gauge 1.*Gauge 2.*not json.*Gauge 3/s)
  expect(warnings).toEqual(['Lines that are no JSON were kept as text: 3.'])
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
