// A local model from its folder to its vectors: tokenizer, runtime, thread and pooling, with a tiny model that the test writes.

import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIMENSIONS, writeOnnxModel } from '../../../../test/support/files/onnx-model.ts'
import { EmbeddingFailed, modelOf } from '../embedder.ts'
import { EmbedderMissing, type EmbedderSettings, openEmbedder, reasonModelUnused } from '../open.ts'
import { onnxModel } from './onnx.ts'

const parent = mkdtempSync(join(tmpdir(), 'kenning-onnx-'))
let folder: string
beforeAll(() => {
  folder = writeOnnxModel(parent, 'tiny-mean')
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** The sum of token vectors, including [CLS] and [SEP], scaled to length 1. */
function mean(...words: number[][]): number[] {
  const sums = [[0, 0, 0, 1], ...words, [0, 0, 0, 1]].reduce((sum, word) =>
    sum.map((x, i) => x + (word[i] ?? 0)),
  )
  const length = Math.hypot(...sums)
  return sums.map((sum) => sum / length)
}
const harbour = [1, 0, 0, 0]
const mooring = [1, 1, 0, 0]
const lease = [0, 0, 1, 0]

const expectClose = (vector: Float32Array | undefined, wanted: number[]): void => {
  expect(vector).toHaveLength(wanted.length)
  for (const [i, part] of wanted.entries()) expect(vector?.[i]).toBeCloseTo(part, 5)
}

test('the vector of a text is the mean of its tokens, whatever else is in the batch', async () => {
  const model = onnxModel(folder)
  expect(model.id).toBe('onnx:tiny-mean')
  expect(await model.dimensions()).toBe(DIMENSIONS)
  const [first, second, empty] = await model.embed(['Harbour mooring', 'lease', ''], 'passage')
  expectClose(first, mean(harbour, mooring))
  expectClose(second, mean(lease))
  expectClose(empty, mean())
  const alone = await model.embed(['lease'], 'query')
  expectClose(alone[0], mean(lease))
  expect(await model.embed([], 'passage')).toEqual([])
})

test('concurrent requests get their own vectors', async () => {
  const model = onnxModel(folder)
  const words = { harbour, mooring, lease }
  const asked = Array.from(
    { length: 30 },
    (_, i) => (['harbour', 'mooring', 'lease'] as const)[i % 3] ?? 'lease',
  )
  const answers = await Promise.all(asked.map((word) => model.embed([word], 'passage')))
  answers.forEach(([vector], i) => {
    expectClose(vector, mean(words[asked[i] ?? 'lease']))
  })
})

test('a longer text is cut and keeps its end token; only the first token counts where the model says so', async () => {
  const short = onnxModel(writeOnnxModel(parent, 'short', { mostTokens: 4 }))
  const [cut] = await short.embed(['harbour mooring lease lease lease'], 'passage')
  expectClose(cut, mean(harbour, mooring))
  const first = onnxModel(writeOnnxModel(parent, 'first', { cls: true }))
  const [vector] = await first.embed(['lease'], 'passage')
  expectClose(vector, [0, 0, 0, 1])
})

test('a broken model fails its requests and nothing else', async () => {
  const broken = writeOnnxModel(parent, 'broken')
  writeFileSync(join(broken, 'onnx', 'model.onnx'), 'not a model')
  const model = onnxModel(broken)
  for (let i = 0; i < 2; i++) {
    const failure = await model.embed(['harbour'], 'passage').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EmbeddingFailed)
    expect(String(failure)).not.toMatch(/harbour/)
  }
  const stop = new AbortController()
  stop.abort(new Error('enough'))
  await expect(model.embed(['harbour'], 'passage', stop.signal)).rejects.toThrow('enough')
})

describe('openEmbedder', () => {
  const lines: string[] = []
  const log = { debug() {}, info: (_: object, line: string) => void lines.push(line), warn() {}, error() {} }
  const open = (settings: Partial<EmbedderSettings>) =>
    openEmbedder(
      { choice: 'auto', server: undefined, onnxModel: undefined, dataDir: join(parent, 'none'), ...settings },
      log,
    )
  const server = { url: 'https://api.example.org/v1', model: 'm', key: 'a-secret' }

  test('auto uses the server, else the model folder, else the model of the package, and logs it in one line', () => {
    lines.length = 0
    const taken = [open({ server, onnxModel: folder }), open({ onnxModel: folder }), open({})]
    expect(taken.map((embedder) => (embedder.kind === 'model' ? embedder.model.id : embedder.kind))).toEqual([
      'openai:m',
      'onnx:tiny-mean',
      'builtin',
    ])
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toMatch(/^embedder .*KENNING_EMBEDDER changes it$/)
    expect(lines.join()).not.toMatch(/a-secret/)
  })

  test('the only model in <data>/models is found, of two none is chosen', () => {
    const dataDir = mkdtempSync(join(parent, 'data-'))
    writeOnnxModel(join(dataDir, 'models'), 'a')
    expect(open({ dataDir })).toMatchObject({ model: { id: 'onnx:a' } })
    writeOnnxModel(join(dataDir, 'models'), 'b')
    expect(open({ dataDir })).toMatchObject({ kind: 'builtin', model: { id: 'sentence-1' } })
  })

  test('the sentence model of the package is used when it is chosen, and found again after another choice', () => {
    expect(open({ choice: 'sentence', server, onnxModel: folder })).toMatchObject({
      kind: 'builtin',
      model: { id: 'sentence-1' },
    })
    for (const settings of [{ server }, { onnxModel: folder }])
      expect(modelOf(open(settings), 'sentence-1')?.id).toBe('sentence-1')
  })

  test('a model keeps serving its space after another one was configured', async () => {
    const models = mkdtempSync(join(parent, 'two-'))
    writeOnnxModel(models, 'before')
    const embedder = open({ onnxModel: writeOnnxModel(models, 'after') })
    if (embedder.kind !== 'model') throw new Error('no model')
    expect(embedder.find('onnx:after')).toBe(embedder.model)
    const before = embedder.find('onnx:before')
    expect(await before?.dimensions()).toBe(DIMENSIONS)
    expect(embedder.find('onnx:before')).toBe(before)
    for (const id of ['onnx:gone', 'onnx:../two', 'openai:m', 'lexical-1'])
      expect(embedder.find(id)).toBeUndefined()
    const remote = open({ server })
    expect(remote.kind === 'model' && remote.find('openai:old')?.id).toBe('openai:old')
    expect(remote.kind === 'model' && remote.find('onnx:after')).toBeUndefined()
  })

  test('a local model keeps serving its space after a server or the model of the package was configured; a server does not', () => {
    const dataDir = mkdtempSync(join(parent, 'former-'))
    const named = writeOnnxModel(mkdtempSync(join(parent, 'named-')), 'named')
    writeOnnxModel(join(dataDir, 'models'), 'laid')
    for (const chosen of [
      open({ choice: 'openai', server, onnxModel: named, dataDir }),
      open({ server, onnxModel: named, dataDir }),
      open({ choice: 'sentence', server, onnxModel: named, dataDir }),
    ]) {
      for (const id of ['onnx:named', 'onnx:laid']) {
        const former = modelOf(chosen, id)
        expect(former?.id).toBe(id)
        expect(modelOf(chosen, id)).toBe(former)
      }
      for (const id of ['onnx:gone', 'onnx:..', 'lexical-2']) expect(modelOf(chosen, id)).toBeUndefined()
    }
    // Nothing is sent to a server that is no longer chosen, even if its settings are still there.
    const kept = { server, onnxModel: named, dataDir }
    for (const choice of ['onnx', 'sentence', 'none'] as const)
      expect(modelOf(open({ choice, ...kept }), 'openai:m')).toBeUndefined()
    expect(modelOf(open({ choice: 'none', ...kept }), 'onnx:named')).toBeUndefined()
  })

  test('an embedder configured by name must be complete', () => {
    expect(() => open({ choice: 'onnx' })).toThrow(EmbedderMissing)
    expect(() => open({ choice: 'openai' })).toThrow(EmbedderMissing)
    const bare = writeOnnxModel(parent, 'bare')
    unlinkSync(join(bare, 'tokenizer.json'))
    expect(() => open({ choice: 'onnx', onnxModel: bare })).toThrow(/bare has no tokenizer.json/)
    expect(open({ choice: 'none', server })).toEqual({ kind: 'none' })
  })
})

test('a model that was named and is not used is said to be so', () => {
  const given = { choice: 'auto', server: undefined, onnxModel: parent, dataDir: parent } as const
  expect(reasonModelUnused(given)).toMatch(/has no tokenizer\.json$/)
  expect(reasonModelUnused({ ...given, onnxModel: folder })).toBeUndefined()
  expect(reasonModelUnused({ ...given, onnxModel: undefined })).toBeUndefined()
  expect(reasonModelUnused({ ...given, choice: 'sentence' })).toBeUndefined()
})
