// The engines measured beside, on the chunks and questions of a filled service: lab/anchors has packages and a lock
// of its own, installed when they are first asked for. Each runs in a process of its own, one after the other.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { seededRandom, seedOf } from '../../src/eval/measure/random.ts'
import { selectChunks } from './bare.sql.ts'
import { type Filled, MEASURED_SHARES } from './fill.ts'

const FOLDER = 'lab/anchors'
const ENGINES = { sqlite: 'SQLite FTS5 + sqlite-vec', lance: 'LanceDB', orama: 'Orama (in memory)' } as const
const DIMENSIONS = 128
const ROWS_A_READ = 2000
const LIMIT_MS = 900_000

export interface Mode {
  p50: number
  p99: number
  perSecond: number
  hits: number
  /** Of vectors, against the exact ten nearest; absent where the engine is exact. */
  recall?: number
}

export interface Anchor {
  name: string
  /** What it printed, or why there is nothing. */
  measured:
    | {
        loadSeconds: number
        megabytes: number
        disk: number
        results: ({ ws: number } & Partial<Record<'lexical' | 'vector' | 'hybrid', Mode>>)[]
      }
    | { failed: string }
}

const run = promisify(execFile)

export async function measureAnchors(filled: Filled): Promise<Anchor[]> {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER })
  }
  const folder = await mkdtemp(join(tmpdir(), 'kenning-anchors-'))
  try {
    await writeChunks(filled, folder)
    await writeQueries(filled, folder)
    const anchors: Anchor[] = []
    for (const [engine, name] of Object.entries(ENGINES)) {
      const args = ['--max-old-space-size=8000', join(FOLDER, 'measure.js'), engine, folder]
      const measured = await run(process.execPath, args, { timeout: LIMIT_MS, maxBuffer: 2 ** 24 }).then(
        ({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Anchor['measured'],
        (error: { killed?: boolean; stderr?: string; message?: string }) => ({
          failed: error.killed
            ? `more than ${LIMIT_MS / 60_000} minutes`
            : (error.stderr || error.message || String(error)).trim().split('\n').slice(-3).join(' '),
        }),
      )
      anchors.push({ name, measured })
    }
    return anchors
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeChunks({ service, workspaces }: Filled, folder: string): Promise<void> {
  const texts = createWriteStream(join(folder, 'chunks.jsonl'))
  const vectors = createWriteStream(join(folder, 'chunks.f32'))
  for (const [ws, { id: workspaceId }] of workspaces.entries()) {
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const rows = await selectChunks(service.deps.db, workspaceId, after, ROWS_A_READ)
      after = rows.at(-1)?.id ?? after
      const lines = rows.map(({ id, title, text }) => JSON.stringify({ id, ws, text: `${title}\n${text}` }))
      if (rows.length && !texts.write(`${lines.join('\n')}\n`)) await once(texts, 'drain')
      for (const { text } of rows) vectors.write(Buffer.from(projection(text).buffer))
      if (rows.length < ROWS_A_READ) break
    }
  }
  for (const stream of [texts, vectors]) {
    stream.end()
    await once(stream, 'finish')
  }
}

async function writeQueries({ workspaces }: Filled, folder: string): Promise<void> {
  const measured = workspaces.flatMap(({ share, items }, ws) =>
    MEASURED_SHARES.includes(share) ? [{ ws, items }] : [],
  )
  await writeFile(
    join(folder, 'queries.json'),
    JSON.stringify(Object.fromEntries(measured.map(({ ws, items }) => [ws, items]))),
  )
  const vectors = measured.flatMap(({ items }) =>
    items.map(({ query }) => Buffer.from(projection(query).buffer)),
  )
  await writeFile(join(folder, 'queries.f32'), Buffer.concat(vectors))
}

const wordVectors = new Map<string, Float32Array>()

/** A text's direction: the sum of a random vector for each of its longer words. Related texts are near, as a model's. */
function projection(text: string): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  for (const word of new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])) {
    const vector = wordVectors.get(word) ?? wordVector(word)
    for (let i = 0; i < DIMENSIONS; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  }
  const length = Math.hypot(...sum) || 1
  return sum.map((value) => value / length)
}

function wordVector(word: string): Float32Array {
  const random = seededRandom(seedOf(word))
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5)
  wordVectors.set(word, vector)
  return vector
}
