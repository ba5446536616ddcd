// The two optional packages of a local model: a runtime for ONNX (native, or WebAssembly if the native one does not run) and
// the tokenizers of Hugging Face. Only the types that are used are declared here.

import { createRequire } from 'node:module'

export interface Tensor {
  data: ArrayLike<number>
  dims: readonly number[]
}

export interface Session {
  inputNames: readonly string[]
  run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>
}

export interface Runtime {
  InferenceSession: { create(weights: string, options: object): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => Tensor
}

interface Tokenizers {
  Tokenizer: new (tokenizer: object, config: object) => { encode(text: string): { ids: number[] } }
}

// The native runtime is about three times as fast.
const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web']
const TOKENIZERS = '@huggingface/tokenizers'

const require = createRequire(import.meta.url)

function isInstalled(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}

/** The packages that must be installed for local models. Empty if none is missing. */
export function missingPackages(): string[] {
  const runtime = RUNTIMES.some(isInstalled) ? [] : RUNTIMES.slice(0, 1)
  return [...runtime, ...(isInstalled(TOKENIZERS) ? [] : [TOKENIZERS])]
}

/** The first runtime that loads on this machine. @throws the error of the last runtime if none loads */
export async function loadRuntime(): Promise<Runtime> {
  let failure: unknown = new Error(`${RUNTIMES[0]} is not installed`)
  for (const name of RUNTIMES.filter(isInstalled)) {
    try {
      return (await import(name)) as Runtime
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

export const loadTokenizers = async (): Promise<Tokenizers> => (await import(TOKENIZERS)) as Tokenizers
