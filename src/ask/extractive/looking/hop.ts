// The second hop: from the names in the first passages to the passages about those names.

import type { StepReport, Tools } from '../../tools/tools.ts'
import { rank } from '../choose.ts'
import { covered, passageProfile } from '../coverage.ts'
import { evidenceOf } from '../pieces/evidence.ts'
import { keep, type Notes, wantedFor } from './notes.ts'

// Names in more documents than this lead everywhere (df at most 12 or 3 %).
const BRIDGE_DOCUMENTS = 12
const BRIDGE_PASSAGES = 4
const BRIDGE_ENTITIES = 24
const HOP_LIMIT = 8
const SHOWN_NAMES = 4
// A question whose best quote covers this much needs no second hop.
const ENOUGH = 0.85

/** From the first passages' names to the passages about those names, ranked by what the question still misses. */
export async function* secondHop(
  tools: Tools,
  notes: Notes,
  asked: ReadonlySet<string>,
): AsyncGenerator<StepReport> {
  const [need] = notes.question.needs
  if (!need) return
  const wanted = wantedFor(notes, need)
  const best = rank(evidenceOf([...notes.pool.values()]), wanted)[0]
  if (tools.late() || !best || (best.coverage >= ENOUGH && best.typed)) return
  const first = notes.top.slice(0, BRIDGE_PASSAGES)
  const entities = (await tools.bridge(first, BRIDGE_ENTITIES)).filter(
    (entity) => entity.document_count <= BRIDGE_DOCUMENTS && !asked.has(entity.id),
  )
  if (entities.length === 0) return
  const names = entities.slice(0, SHOWN_NAMES).map(({ name }) => name)
  yield {
    type: 'graph',
    label: 'Following the names in the passages found',
    query: names.join(', ') + (entities.length > names.length ? ', …' : ''),
    result_count: entities.length,
  }
  const profiles = first.map(passageProfile)
  const missing = wanted.parts.filter((part) => covered([part], profiles) === 0)
  const query = (missing.length ? missing : wanted.parts).map((part) => part.word).join(' ')
  const passages = await tools.search(
    query,
    HOP_LIMIT,
    entities.map((entity) => entity.id),
  )
  const top = passages[0]?.score ?? 1
  for (const passage of passages) {
    const lower = `${passage.document_title} ${passage.text}`.toLowerCase()
    const entity = entities.find(({ name }) => lower.includes(name.toLowerCase()))
    const from = entity && first.find((other) => other.text.toLowerCase().includes(entity.name.toLowerCase()))
    const via = entity && from ? { via: { entity: entity.name, from } } : {}
    keep(notes, { passage, strength: (0.85 * passage.score) / top, ...via })
  }
  yield {
    type: 'search',
    label: 'Searching the passages about those names',
    query,
    result_count: passages.length,
  }
}
