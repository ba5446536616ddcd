// A language model of a few hundred kilobytes in the format GGUF, which always says the same: what it says next depends on its last
// token alone. Attention and feed-forward have weights of nothing, so the output is a table from each token to the one behind it.
// Its vocabulary is learned from the text that it will read, so that a prompt has about as many tokens as with a real one.

const EMBEDDING = 64
const FEED_FORWARD = 64
const CONTEXT = 131_072
const ALIGNMENT = 32
/** How far the right token is ahead of the others, before the temperature. */
const CERTAINTY = 30

const BEGIN = '<|im_start|>'
const END = '<|im_end|>'
// Without --jinja the server knows templates by their marks.
const TEMPLATE = `{% for message in messages %}{{ '${BEGIN}' + message['role'] + '\\n' + (message['content'] or '') + '${END}' + '\\n' }}{% endfor %}{{ '${BEGIN}assistant\\n' }}`

const NORMAL_TOKEN = 1
const CONTROL_TOKEN = 3

interface Lines {
  /** What it answers to each prompt, a word a token, each word once. */
  says: readonly string[]
  /** A text like those that it will read. */
  reads: string
}

/** The model's file. It says its words, and ends. */
export function tinyModel({ says, reads }: Lines): Uint8Array {
  const bytes = byteTokens()
  const spoken = says.map((word, i) => asToken(i === 0 ? word : ` ${word}`))
  if (new Set(spoken).size < spoken.length) throw new Error('The model says each word once.')
  const merges = learnMerges(reads)
  const texts = [...new Set([...bytes, BEGIN, END, ...merges.map((pair) => pair.join('')), ...spoken])]
  const end = texts.indexOf(END)
  const embeddings = texts.map((_, token) => directionOf(token))
  const output = texts.map(() => new Float32Array(EMBEDDING))
  const follow = (before: number, next: number): void => {
    const [row, direction] = [output[next], embeddings[before]]
    if (row && direction)
      for (const [i, value] of direction.entries()) row[i] = (row[i] ?? 0) + CERTAINTY * value
  }
  // A prompt ends with the line break behind "assistant".
  for (const [i, one] of [asToken('\n'), ...spoken].entries())
    follow(texts.indexOf(one), spoken[i] === undefined ? end : texts.indexOf(spoken[i]))
  return file(
    [
      text('general.architecture', 'llama'),
      text('general.name', 'tiny'),
      count('llama.context_length', CONTEXT),
      count('llama.embedding_length', EMBEDDING),
      count('llama.block_count', 1),
      count('llama.feed_forward_length', FEED_FORWARD),
      count('llama.attention.head_count', 1),
      count('llama.attention.head_count_kv', 1),
      count('llama.rope.dimension_count', EMBEDDING),
      fraction('llama.attention.layer_norm_rms_epsilon', 1e-5),
      text('tokenizer.ggml.model', 'gpt2'),
      text('tokenizer.ggml.pre', 'gpt-2'),
      list('tokenizer.ggml.tokens', texts),
      numbers(
        'tokenizer.ggml.token_type',
        texts.map((one) => (one === BEGIN || one === END ? CONTROL_TOKEN : NORMAL_TOKEN)),
      ),
      list(
        'tokenizer.ggml.merges',
        merges.map((pair) => pair.join(' ')),
      ),
      count('tokenizer.ggml.bos_token_id', end),
      count('tokenizer.ggml.eos_token_id', end),
      flag('tokenizer.ggml.add_bos_token', false),
      text('tokenizer.chat_template', TEMPLATE),
    ],
    [
      tensor('token_embd.weight', [EMBEDDING, texts.length], embeddings),
      tensor('output.weight', [EMBEDDING, texts.length], output),
      tensor('output_norm.weight', [EMBEDDING], [new Float32Array(EMBEDDING).fill(1)]),
      tensor('blk.0.attn_norm.weight', [EMBEDDING], [new Float32Array(EMBEDDING).fill(1)]),
      tensor('blk.0.ffn_norm.weight', [EMBEDDING], [new Float32Array(EMBEDDING).fill(1)]),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) =>
        zeros(`blk.0.${name}.weight`, EMBEDDING),
      ),
      ...['ffn_gate', 'ffn_up', 'ffn_down'].map((name) => zeros(`blk.0.${name}.weight`, FEED_FORWARD)),
    ],
  )
}

/** The alphabet of byte-level vocabularies: a visible character for each byte, itself where it is one. */
function byteTokens(): string[] {
  let others = 0
  return Array.from({ length: 256 }, (_, byte) => {
    const isVisible = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    return String.fromCodePoint(isVisible ? byte : 256 + others++)
  })
}

/** A text as its token is written. */
const asToken = (said: string): string =>
  [...new TextEncoder().encode(said)].map((byte) => byteTokens()[byte]).join('')

const MERGES = 500
// As the vocabulary of GPT-2 parts a text before it looks for tokens.
const WORDS = / ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+/gu

type Pair = readonly [string, string]

/** The pairs of tokens that become one, the most frequent of the text first (byte pair encoding). */
function learnMerges(sample: string): Pair[] {
  const counts = new Map<string, number>()
  for (const [word] of sample.matchAll(WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const parted = [...counts].map(([word, times]) => ({ parts: [...asToken(word)], times }))
  return Array.from({ length: MERGES }).flatMap((): Pair[] => {
    const pairs = new Map<string, { pair: Pair; times: number }>()
    for (const { parts, times } of parted)
      for (const [i, left] of parts.slice(0, -1).entries()) {
        const pair: Pair = [left, parts[i + 1] ?? '']
        const key = pair.join(' ')
        pairs.set(key, { pair, times: (pairs.get(key)?.times ?? 0) + times })
      }
    const [best] = [...pairs.values()].sort((a, b) => b.times - a.times)
    if (!best) return []
    for (const word of parted) word.parts = merged(word.parts, best.pair)
    return [best.pair]
  })
}

const merged = (parts: readonly string[], [left, right]: Pair): string[] =>
  parts.reduce<string[]>((all, part) => {
    if (part === right && all.at(-1) === left) all[all.length - 1] = left + right
    else all.push(part)
    return all
  }, [])

/** A direction of its own for each token, nearly at right angles with all others, the same in each run. */
function directionOf(token: number): Float32Array {
  let state = (token + 1) * 2_654_435_761
  const signs = Array.from({ length: EMBEDDING }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 1 ? 1 : -1
  })
  return Float32Array.from(signs, (sign) => sign / Math.sqrt(EMBEDDING))
}

// The format: a head, fields, descriptions of tensors, and their data behind a boundary.

interface Tensor {
  name: string
  shape: readonly number[]
  data: Buffer
}

const tensor = (name: string, shape: readonly number[], rows: readonly Float32Array[]): Tensor => ({
  name,
  shape,
  data: Buffer.concat(rows.map(({ buffer }) => Buffer.from(buffer))),
})
const zeros = (name: string, width: number): Tensor =>
  tensor(name, [EMBEDDING, width], [new Float32Array(EMBEDDING * width)])

const TYPES = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const

const uint32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
const uint64 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
const float32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeFloatLE(value)
  return buffer
}
const string = (value: string): Buffer => {
  const utf8 = Buffer.from(value)
  return Buffer.concat([uint64(utf8.length), utf8])
}
const field = (name: string, type: number, value: Buffer): Buffer =>
  Buffer.concat([string(name), uint32(type), value])
const text = (name: string, value: string): Buffer => field(name, TYPES.string, string(value))
const count = (name: string, value: number): Buffer => field(name, TYPES.uint32, uint32(value))
const fraction = (name: string, value: number): Buffer => field(name, TYPES.float32, float32(value))
const flag = (name: string, value: boolean): Buffer => field(name, TYPES.bool, Buffer.from([value ? 1 : 0]))
const arrayOf = (name: string, type: number, values: readonly Buffer[]): Buffer =>
  field(name, TYPES.array, Buffer.concat([uint32(type), uint64(values.length), ...values]))
const list = (name: string, values: readonly string[]): Buffer =>
  arrayOf(name, TYPES.string, values.map(string))
const numbers = (name: string, values: readonly number[]): Buffer =>
  arrayOf(name, TYPES.int32, values.map(uint32))

const padding = (length: number): Buffer => Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT)

const VERSION = 3
const FLOAT32_TENSOR = 0

function file(fields: readonly Buffer[], tensors: readonly Tensor[]): Uint8Array {
  let offset = 0
  const descriptions = tensors.map(({ name, shape, data }) => {
    const description = Buffer.concat([
      string(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(FLOAT32_TENSOR),
      uint64(offset),
    ])
    offset += data.length + padding(data.length).length
    return description
  })
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(VERSION),
    uint64(tensors.length),
    uint64(fields.length),
    ...fields,
    ...descriptions,
  ])
  const data = tensors.flatMap((one) => [one.data, padding(one.data.length)])
  return Buffer.concat([head, padding(head.length), ...data])
}
