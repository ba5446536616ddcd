// The position of each entity in the drawing: at first the most important in the middle, then as the worker arranges them.

import type { Graph } from '../queries.ts'
import type { Arranged, Task } from './layout-worker.ts'

/** Complete layouts, so that coming back shows them at once. */
const arranged = new WeakMap<Graph, Float32Array>()

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** A spiral by rank, the same each time. */
function spiral(count: number): Float32Array {
  const positions = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    const radius = 20 * Math.sqrt(i + 0.5)
    positions[2 * i] = radius * Math.cos(i * GOLDEN_ANGLE)
    positions[2 * i + 1] = radius * Math.sin(i * GOLDEN_ANGLE)
  }
  return positions
}

export const firstPositions = (graph: Graph): Float32Array =>
  arranged.get(graph) ?? spiral(graph.nodes.length)

/**
 * Source, target and weight of each edge. The weight is 1 to about 2, because entities that are often named together would
 * otherwise overlap.
 */
function weightedEdges({ edges }: Graph): Float32Array {
  const weighted = new Float32Array(edges.length * 3)
  for (const [i, { source, target, evidence_count }] of edges.entries())
    weighted.set([source, target, source === target ? 0 : Math.log10(9 + evidence_count)], 3 * i)
  return weighted
}

/** Calls `move` as the worker arranges the graph, the last time with a progress of 1. @returns a function that ends it */
export function arrange(graph: Graph, move: (state: Arranged) => void): () => void {
  const cached = arranged.get(graph)
  if (cached || graph.nodes.length < 2) {
    move({ positions: cached ?? spiral(graph.nodes.length), progress: 1 })
    return () => undefined
  }
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Arranged>) => {
    if (data.progress === 1) {
      arranged.set(graph, data.positions)
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
