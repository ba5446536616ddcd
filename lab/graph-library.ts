// What the graph of a folder of documents looks like, for a person to judge: the main entities with their types, relations
// drawn by lot with a passage each, and how many entities are related to no other. The documents are indexed on a real
// database. Usage: tsx lab/graph-library.ts FOLDER [--relations 40] [--seed 1] [--isolated]

import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caller, SCOPES } from '../src/auth/caller.ts'
import { getEntity, getGraph } from '../src/graph/entities.ts'
import { listEvidence } from '../src/graph/entity-evidence.ts'
import { extractGraph } from '../src/graph/extract/extract.ts'
import { selectGraphSources } from '../src/graph/task.sql.ts'
import { documentLanguage } from '../src/ingest/chunk/chunk.ts'
import type { DocumentKind } from '../src/reader/block.ts'
import { parseFile } from '../src/reader/child/parse-file.ts'
import { getThemes } from '../src/themes/themes.ts'
import { testApp } from '../test/support/app.ts'
import { indexGraph } from '../test/support/graph.ts'
import { putDocument } from '../test/support/put.sql.ts'

const [, , folder, ...options] = process.argv
if (!folder)
  throw new Error('usage: tsx lab/graph-library.ts FOLDER [--relations 40] [--seed 1] [--isolated]')
const numberOf = (name: string, otherwise: number): number => {
  const at = options.indexOf(name)
  return at < 0 ? otherwise : Number(options[at + 1])
}
const KINDS: Readonly<Record<string, DocumentKind>> = {
  md: 'markdown',
  txt: 'text',
  html: 'html',
  pdf: 'pdf',
}

const app = await testApp()
const { deps } = app
const { db } = deps
const owner = await app.person()
const workspaceId = await app.workspace(owner)
const caller: Caller = { auth: 'session', id: owner.id, userId: owner.id, scopes: SCOPES }

let [extracting, indexing] = [0, 0]
for (const name of (await readdir(folder)).sort()) {
  const path = join(folder, name)
  const kind = KINDS[name.split('.').at(-1)?.toLowerCase() ?? '']
  if (!kind) continue
  const task = {
    id: 1,
    path,
    filename: name,
    bytes: (await stat(path)).size,
    kind,
    folder: '/tmp',
    resultPath: '',
    usesFallback: false,
  }
  const parsed = await parseFile(task, () => {})
  const documentId = randomUUID()
  const versionId = randomUUID()
  const title = parsed.title ?? name
  await putDocument(db, workspaceId, documentId, parsed.blocks, {
    title,
    language: documentLanguage(parsed),
    versionId,
  })
  const sources = await selectGraphSources(db, {
    workspaceId,
    versionIds: [versionId],
    maxCharacters: 4_000_000,
  })
  const { language, chunks } = sources.get(versionId) ?? { language: 'xx', chunks: [] }
  const before = process.cpuUsage().user
  const extraction = extractGraph({ title, language }, chunks)
  extracting += process.cpuUsage().user - before
  const begun = performance.now()
  await indexGraph({ db }, { workspaceId, documentId, versionId }, extraction, {
    signal: new AbortController().signal,
    fence: async () => {},
  })
  indexing += performance.now() - begun
}
console.log(
  `extracted in ${(extracting / 1e6).toFixed(2)} s of processor time, indexed in ${(indexing / 1e3).toFixed(1)} s`,
)

const themes = await getThemes(deps, caller, workspaceId, { limit: 30, groups: 0 })
console.log(
  `\n${themes.total_entities} entities: ${themes.types.map(({ type, count }) => `${type} ${count}`).join(', ')}`,
)
for (const [i, { name, type, mention_count }] of themes.top_entities.entries())
  console.log(`${String(i + 1).padStart(2)}  ${name} (${type}, ${mention_count})`)

const graph = await getGraph(deps, caller, workspaceId, 5000)
const related = new Set(graph.edges.flatMap(({ source, target }) => [source, target]))
const alone = graph.nodes.filter((_, i) => !related.has(i))
console.log(
  `\nisolated: ${alone.length} of ${graph.nodes.length} (${((100 * alone.length) / graph.nodes.length).toFixed(0)} %)`,
)
if (options.includes('--isolated'))
  console.log(alone.map(({ name, type, mention_count }) => `${name} (${type}, ${mention_count})`).join('\n'))
const types = new Map<string, number>()
for (const edge of graph.edges) for (const type of edge.types) types.set(type, (types.get(type) ?? 0) + 1)
console.log(
  `relations: ${[...types]
    .sort((a, b) => b[1] - a[1])
    .map(([type, n]) => `${type} ${n}`)
    .join(', ')}`,
)

// A generator with a seed, so that a judgement can be read again beside the same relations.
let state = numberOf('--seed', 1) >>> 0
const draw = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
const edges = graph.edges.toSorted((a, b) => a.source - b.source || a.target - b.target)
for (let i = 0; i < numberOf('--relations', 40) && edges.length > 0; i++) {
  const [edge] = edges.splice(draw(edges.length), 1)
  const [source, target] = [graph.nodes[edge?.source ?? 0], graph.nodes[edge?.target ?? 0]]
  if (!edge || !source || !target) continue
  const page = await listEvidence(
    deps,
    caller,
    { workspaceId, entityId: source.id },
    { with: target.id, limit: 1 },
  )
  const [passage] = page.data
  const [start, end] = [
    Math.min(...(passage?.spans ?? []).map((s) => s.start)),
    Math.max(...(passage?.spans ?? []).map((s) => s.end)),
  ]
  const shown = passage?.text
    .slice(Math.max(0, start - 60), Math.min(end + 60, start + 400))
    .replace(/\s+/g, ' ')
  console.log(
    `\n${i + 1}. ${source.name} (${source.type}) -${edge.types.join('/')}- ${target.name} (${target.type}) ×${edge.evidence_count}\n   ${passage?.title}: …${shown}…`,
  )
}
if (graph.nodes[0]) {
  const around = await getEntity(deps, caller, { workspaceId, entityId: graph.nodes[0].id }, 1)
  console.log(
    `\naround ${around.entity.name}: ${around.outgoing
      .slice(0, 12)
      .map((r) => `${r.type} ${r.entity.name} ×${r.evidence_count}`)
      .join(', ')}`,
  )
}
await app.close()
process.exit(0)
