// One engine under measure, in a process of its own: `node measure.js ENGINE FOLDER`. The folder holds chunks.jsonl
// ({id, ws, text}), chunks.f32 (their vectors), queries.json ({ws: [{query, gold}]}) and queries.f32; what was measured
// is printed as one line of JSON.

import { createReadStream, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const DIMENSIONS = 128
const [, , name, folder] = process.argv
const WARM_UP = 20
const CLIENTS = 8

const floats = (path) => {
  const bytes = readFileSync(path)
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}
const chunkVectors = floats(join(folder, 'chunks.f32'))
const queryVectors = floats(join(folder, 'queries.f32'))
const vectorAt = (all, index) => all.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS)

async function* batches(size) {
  let rows = []
  let index = 0
  for await (const line of createInterface({ input: createReadStream(join(folder, 'chunks.jsonl')) })) {
    rows.push({ ...JSON.parse(line), vector: vectorAt(chunkVectors, index++) })
    if (rows.length === size) {
      yield rows
      rows = []
    }
  }
  if (rows.length) yield rows
}

const quantile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}

const bytesOf = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, entry) => sum + bytesOf(join(path, entry)), 0)
    : statSync(path).size

const { open } = await import(`./${name}.js`)
const home = join(folder, name)
rmSync(home, { recursive: true, force: true })
const started = performance.now()
const engine = await open(home, batches, DIMENSIONS)
const loadSeconds = (performance.now() - started) / 1000

const texts = new Map()
for await (const rows of batches(1000)) for (const row of rows) texts.set(row.id, row.text)
const queries = JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8'))
const results = []
let at = 0
for (const [ws, items] of Object.entries(queries)) {
  const asked = items.map((item) => ({ ...item, vector: [...vectorAt(queryVectors, at++)] }))
  const row = { ws: Number(ws) }
  for (const mode of ['lexical', 'vector', 'hybrid']) {
    if (!engine[mode]) continue
    const ms = []
    let hits = 0
    for (const [i, item] of asked.entries()) {
      const from = performance.now()
      const ids = await engine[mode](item, Number(ws))
      if (i < WARM_UP) continue
      ms.push(performance.now() - from)
      if (ids.some((id) => texts.get(id)?.replace(/\s+/g, ' ').includes(item.gold))) hits++
    }
    const queue = asked.slice(WARM_UP)
    const count = queue.length
    const fromAll = performance.now()
    const client = async () => {
      for (let item = queue.pop(); item; item = queue.pop()) await engine[mode](item, Number(ws))
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    const perSecond = (1000 * count) / (performance.now() - fromAll)
    row[mode] = { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), perSecond, hits: hits / ms.length }
    if (mode === 'vector' && engine.exactVector)
      row.vector.recall = await recallOf(asked.slice(0, 30), Number(ws))
  }
  results.push(row)
}

async function recallOf(asked, ws) {
  let [shared, all] = [0, 0]
  for (const item of asked) {
    const exact = await engine.exactVector(item, ws)
    const found = new Set(await engine.vector(item, ws))
    shared += exact.filter((id) => found.has(id)).length
    all += exact.length
  }
  return all ? shared / all : 1
}

texts.clear()
const rss = process.memoryUsage().rss
process.stdout.write(
  `${JSON.stringify({ loadSeconds, results, megabytes: Math.round(rss / 2 ** 20), disk: engine.inMemory ? 0 : Math.round(bytesOf(home) / 2 ** 20) })}\n`,
)
process.exit(0)
