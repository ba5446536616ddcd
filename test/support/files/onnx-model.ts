// A sentence model small enough to write by hand: its only layer looks up a vector for each token. A real ONNX file
// (onnx.proto3 of IR version 8), a real tokenizer.json, laid out as the hub lays out a model.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const DIMENSIONS = 4
/** Each token's vector; special tokens have their own, so that pooling can be told apart. */
export const TOKENS: Record<string, readonly number[]> = {
  '[PAD]': [9, 9, 9, 9],
  '[UNK]': [0, 0, 0, 0],
  '[CLS]': [0, 0, 0, 1],
  '[SEP]': [0, 0, 0, 1],
  harbour: [1, 0, 0, 0],
  mooring: [1, 1, 0, 0],
  lease: [0, 0, 1, 0],
}

/** Writes the model's folder and returns its path. */
export function writeOnnxModel(
  parent: string,
  name: string,
  options: { cls?: boolean; mostTokens?: number } = {},
): string {
  const folder = join(parent, name)
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  mkdirSync(join(folder, '1_Pooling'))
  const json = (file: string, content: object): void =>
    writeFileSync(join(folder, file), JSON.stringify(content))
  json('config.json', { model_type: 'bert', max_position_embeddings: options.mostTokens ?? 512 })
  json('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 1e30 })
  json('tokenizer.json', tokenizer())
  json('1_Pooling/config.json', {
    pooling_mode_cls_token: options.cls === true,
    pooling_mode_mean_tokens: true,
  })
  writeFileSync(join(folder, 'onnx', 'model.onnx'), model())
  return folder
}

function tokenizer(): object {
  const vocab = Object.fromEntries(Object.keys(TOKENS).map((token, id) => [token, id]))
  const special = (content: string) => ({
    id: vocab[content],
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((token) => [token, { id: token, ids: [vocab[token]], tokens: [token] }]),
      ),
    },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  }
}

/** ModelProto: last_hidden_state = Gather(table, input_ids). attention_mask is there, as models have it. */
function model(): Buffer {
  const table = Object.values(TOKENS)
  const floats = Buffer.from(Float32Array.from(table.flat()).buffer)
  const initializer = message(
    number(1, table.length),
    number(1, DIMENSIONS),
    number(2, FLOAT),
    text(8, 'table'),
    bytes(9, floats),
  )
  const gather = message(
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  )
  const graph = message(
    bytes(1, gather),
    text(2, 'lookup'),
    bytes(5, initializer),
    bytes(11, value('input_ids', INT64, ['batch', 'tokens'])),
    bytes(11, value('attention_mask', INT64, ['batch', 'tokens'])),
    bytes(12, value('last_hidden_state', FLOAT, ['batch', 'tokens', DIMENSIONS])),
  )
  const opset = message(text(1, ''), number(2, 13))
  return message(number(1, 8), bytes(7, graph), bytes(8, opset))
}

const FLOAT = 1
const INT64 = 7

/** ValueInfoProto */
function value(name: string, type: number, shape: (string | number)[]): Buffer {
  const dimensions = shape.map((size) => bytes(1, typeof size === 'string' ? text(2, size) : number(1, size)))
  const tensor = message(number(1, type), bytes(2, message(...dimensions)))
  return message(text(1, name), bytes(2, bytes(1, tensor)))
}

// Protocol buffers: a field is its number and wire type, then a varint (0) or a length with so many bytes (2).
const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields)
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)])
const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(content.length), content])
const text = (field: number, content: string): Buffer => bytes(field, Buffer.from(content))

function varint(value: number): Buffer {
  const out: number[] = []
  let remainingBits = value
  while (remainingBits > 127) {
    out.push((remainingBits & 127) | 128)
    remainingBits >>>= 7
  }
  return Buffer.from([...out, remainingBits])
}
