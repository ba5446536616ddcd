// What the fit of the ranker sees of a question is what the product judges: gathered by the agent's own function, kept, and
// taken up again, it is decided the same way.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gather } from '../../src/ask/extractive/agent.ts'
import { SHIPPED } from '../../src/ask/extractive/ranker.ts'
import type { RetrievalState } from '../../src/ask/extractive/retrieval.ts'
import { decide, prepare, type Selection } from '../../src/ask/extractive/selection.ts'
import { bindTools } from '../../src/ask/tools/tools.ts'
import type { Passage } from '../../src/search/passage.ts'
import { type TestApp, testApp } from '../../test/support/app.ts'
import { publish } from '../../test/support/publish.ts'
import { type Line, lineOf, stateOf } from './states.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const said = ({ verdict, selected, unknownWords: unknown }: Selection) => ({
  verdict,
  unknown,
  quotes: selected.map(({ side, quotes }) => [
    side,
    quotes.map(({ evidence, score }) => [evidence.text, score]),
  ]),
})

test('a state that was kept is decided as the one that was found', async () => {
  const owner = await app.person()
  const workspace = await app.workspace(owner)
  for (const [title, text] of [
    ['Annual report of Borealis for 2023', 'Borealis sold 40 pumps in 2023. The pumps went to Norway.'],
    ['Annual report of Corvus for 2023', 'Corvus sold 60 pumps in 2023. Its yard stands in Bergen.'],
  ] as const)
    await publish(app.deps.db, workspace, randomUUID(), [text], title)
  const { signal } = new AbortController()
  const caller = {
    auth: 'session' as const,
    id: owner.id,
    userId: owner.id,
    scopes: ['knowledge:read' as const],
  }
  const tools = bindTools(app.deps, caller, workspace, { signal, outOfTime: () => false })
  for (const question of [
    'How many pumps did Borealis sell in 2023?',
    'Did Borealis or Corvus sell more pumps?',
    'Who owns the harbour of Malmö?',
  ]) {
    const state = await gathered(gather(tools, { question, topic: '' }))
    const line = JSON.parse(JSON.stringify(lineOf(state))) as Line
    const passages = new Map(
      [...state.foundPassages.values()].map(({ passage }) => [passage.chunk_id, bare(passage)]),
    )
    const again = stateOf(line, passages)
    expect(said(decide(prepare(again), SHIPPED))).toEqual(said(decide(prepare(state), SHIPPED)))
  }
})

const bare = ({ meant: _, ...passage }: Passage): Passage => passage

async function gathered(gathering: ReturnType<typeof gather>): Promise<RetrievalState> {
  for (;;) {
    const { done, value } = await gathering.next()
    if (done) return value.state
  }
}
