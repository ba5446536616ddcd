// The position of each entity in the drawing: first on a spiral with the most important in the middle, then as the worker
// computes it.

import type { Graph } from '../queries.ts'
import type { LayoutState, Task } from './layout-worker.ts'

/** Complete layouts, which are shown at once when the reader comes back to the graph. */
const finalPositions = new WeakMap<Graph, Float32Array>()

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** Positions on a spiral, in the order of the nodes. */
function spiral(count: number): Float32Array {
  const positions = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    const radius = 20 * Math.sqrt(i + 0.5)
    positions[2 * i] = radius * Math.cos(i * GOLDEN_ANGLE)
    positions[2 * i + 1] = radius * Math.sin(i * GOLDEN_ANGLE)
  }
  return positions
}

export const initialPositions = (graph: Graph): Float32Array =>
  finalPositions.get(graph) ?? spiral(graph.nodes.length)

/**
 * Source, target and weight of each edge. Weights are between 1 and about 2: with larger ones, entities that are often named
 * together would overlap.
 */
function weightedEdges({ edges }: Graph): Float32Array {
  const edgeRows = new Float32Array(edges.length * 3)
  for (const [i, { source, target, evidence_count }] of edges.entries())
    edgeRows.set([source, target, source === target ? 0 : Math.log10(9 + evidence_count)], 3 * i)
  return edgeRows
}

/** Calls `move` with each layout that the worker sends; the last has a progress of 1. @returns a function that stops the worker */
export function runLayout(graph: Graph, move: (state: LayoutState) => void): () => void {
  const cachedLayout = finalPositions.get(graph)
  if (cachedLayout || graph.nodes.length < 2) {
    move({ positions: cachedLayout ?? spiral(graph.nodes.length), progress: 1 })
    return () => undefined
  }
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<LayoutState>) => {
    if (data.progress === 1) {
      finalPositions.set(graph, data.positions)
      worker.terminate()
    }
    move(data)
  }
  // Without the worker the graph is still drawn, as a spiral.
  worker.onerror = () => move({ positions: spiral(graph.nodes.length), progress: 1 })
  const task: Task = { positions: spiral(graph.nodes.length), edges: weightedEdges(graph) }
  worker.postMessage(task, [task.positions.buffer, task.edges.buffer])
  return () => worker.terminate()
}
