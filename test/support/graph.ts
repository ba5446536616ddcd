// Indexes the graph of one document, for tests and benches.

import type { Extraction } from '../../src/graph/extraction.ts'
import type { GraphTarget } from '../../src/graph/index-graph.sql.ts'
import { indexGraphs } from '../../src/graph/index-graph.ts'

type IndexGraphs = Parameters<typeof indexGraphs>

export const indexGraph = (
  deps: IndexGraphs[0],
  { workspaceId, ...version }: GraphTarget,
  extraction: Extraction,
  guards: IndexGraphs[3],
): Promise<void> => indexGraphs(deps, workspaceId, [{ ...version, extraction }], guards)
