// Draws the graph on a WebGL canvas with sigma. Nodes are coloured by type, and their size shows how often they are mentioned.

import { UndirectedGraph } from 'graphology'
import Sigma from 'sigma'
import {
  EdgeLineProgram,
  type NodeHoverDrawingFunction,
  type NodeLabelDrawingFunction,
  NodePointProgram,
} from 'sigma/rendering'
import type { RenderParams } from 'sigma/types'
import type { Graph } from '../queries.ts'
import { type Box, placeFor } from './label-places.ts'
import { initialPositions } from './layout.ts'
import { typeColour } from './types.ts'

interface Node {
  x: number
  y: number
  size: number
  label: string
  color: string
  kind: string
}

interface Edge {
  color: string
  kinds: readonly [string, string]
}

/** What is emphasised in the graph. */
interface Focus {
  type: string | undefined
  selected: string | undefined
  /** The ids of the entities whose names match the typed text. Undefined if nothing was typed. */
  matches: ReadonlySet<string> | undefined
}

export interface Drawing {
  focus(focus: Focus): void
  move(positions: Float32Array): void
  /** Has to be called when the theme changes. */
  recolour(): void
  zoom(step: 'in' | 'out' | 'fit'): void
  pan(x: number, y: number): void
  goTo(id: string): void
  end(): void
}

const MIN_SIZE = 2.5
const MAX_SIZE = 16
/** If the canvas is narrower than this, nodes are drawn smaller. */
const FULL_SIZE_PIXELS = 1000
/**
 * Edges are drawn while the graph moves only if there are at most this many. With more, a browser without a graphics card would
 * drop frames.
 */
const MAX_MOVING_EDGES = 2000
const MAX_LABELLED_MATCHES = 30
const PAN_SHARE = 0.12

export const canDraw = (): boolean => document.createElement('canvas').getContext('webgl2') !== null

export function draw(
  container: HTMLElement,
  data: Graph,
  { select, animate }: { select: (id: string | undefined) => void; animate: boolean },
): Drawing {
  const colourOf = colours(container)
  let theme = themeColours(colourOf)
  let focus: Focus = { type: undefined, selected: undefined, matches: undefined }
  const scale = Math.min(1, Math.max(0.55, container.clientWidth / FULL_SIZE_PIXELS))
  const graph = build(data, { colourOf, link: theme.link, scale })
  const isNeighbour = (node: string): boolean =>
    focus.selected === undefined || node === focus.selected || graph.areNeighbors(node, focus.selected)
  // The boxes of the names that are drawn in the current frame.
  const occupiedBoxes: Box[] = []
  const label: NodeLabelDrawingFunction<Node, Edge> = (context, { label, ...node }, settings) => {
    if (!label || node.highlighted) return
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`
    const measuredNode = {
      ...node,
      width: context.measureText(label).width,
      height: settings.labelSize * 1.2,
    }
    const labelLeft =
      placeFor(measuredNode, occupiedBoxes, container.clientWidth)?.left ??
      (node.forceLabel ? node.x + node.size + 3 : undefined)
    if (labelLeft === undefined) return
    const labelPosition: [number, number] = [labelLeft, node.y + settings.labelSize / 3]
    // An outline keeps names legible over nodes and lines.
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = theme.paper
    context.strokeText(label, ...labelPosition)
    context.fillStyle = theme.ink
    context.fillText(label, ...labelPosition)
  }
  const hover: NodeHoverDrawingFunction<Node, Edge> = (context, { x, y, size, label, color }, settings) => {
    const text = label ?? ''
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`
    const width = context.measureText(text).width
    context.beginPath()
    context.arc(x, y, size + 2, 0, 2 * Math.PI)
    context.fillStyle = theme.ink
    context.fill()
    context.beginPath()
    context.arc(x, y, size, 0, 2 * Math.PI)
    context.fillStyle = color
    context.fill()
    context.beginPath()
    context.roundRect(x + size + 4, y - settings.labelSize * 0.85, width + 10, settings.labelSize * 1.7, 4)
    context.fillStyle = theme.raised
    context.fill()
    context.strokeStyle = theme.edge
    context.stroke()
    context.fillStyle = theme.ink
    context.fillText(text, x + size + 9, y + settings.labelSize / 3)
  }
  const motion = { isMoving: false }
  const sigma = new Sigma<Node, Edge>(graph, container, {
    // Points and lines, because software WebGL draws sigma's default circles one by one, which takes eight times as long.
    nodeProgramClasses: { circle: pointProgramFor(motion) },
    edgeProgramClasses: { line: EdgeLineProgram },
    hideEdgesOnMove: graph.size > MAX_MOVING_EDGES,
    labelFont: getComputedStyle(container).fontFamily,
    labelSize: 13,
    labelDensity: 0.6,
    labelGridCellSize: 120,
    labelRenderedSizeThreshold: 5,
    defaultDrawNodeLabel: label,
    defaultDrawNodeHover: hover,
    minCameraRatio: 0.05,
    maxCameraRatio: 2,
    stagePadding: 40,
    zIndex: true,
    nodeReducer: (node, attributes) => {
      if (focus.type !== undefined && attributes.kind !== focus.type && node !== focus.selected)
        return { ...attributes, hidden: true }
      if (node === focus.selected) return { ...attributes, highlighted: true, forceLabel: true, zIndex: 2 }
      const isMatch = focus.matches?.has(node)
      if (isMatch === false || (!isMatch && !isNeighbour(node)))
        return { ...attributes, color: theme.faded, label: null, zIndex: 0 }
      const isNamed = isMatch && (focus.matches?.size ?? 0) <= MAX_LABELLED_MATCHES
      return { ...attributes, zIndex: 1, forceLabel: isNamed === true }
    },
    edgeReducer: (edge, attributes) => {
      const { type, selected } = focus
      if (type !== undefined && attributes.kinds.some((kind) => kind !== type))
        return { ...attributes, hidden: true }
      if (selected === undefined) return attributes
      return graph.hasExtremity(edge, selected)
        ? { ...attributes, color: theme.accent, zIndex: 1 }
        : { ...attributes, hidden: true }
    },
  })
  sigma.on('beforeRender', () => {
    occupiedBoxes.length = 0
    // The name of the selected node is drawn last, in a frame, over all others.
    const selectedNode = focus.selected === undefined ? undefined : sigma.getNodeDisplayData(focus.selected)
    if (!selectedNode?.label) return
    const { x, y } = sigma.framedGraphToViewport(selectedNode)
    const width = selectedNode.label.length * sigma.getSetting('labelSize') * 0.6
    const size = sigma.scaleSize(selectedNode.size)
    occupiedBoxes.push({ left: x - size, right: x + size + width + 14, top: y - size, bottom: y + size })
  })
  const camera = sigma.getCamera()
  const endMotion = watchMotion(sigma, motion, graph.size > MAX_MOVING_EDGES)
  const showHovers = (): void => {
    const isVisible = isHovered || focus.selected !== undefined
    for (const layer of ['hovers', 'hoverNodes']) show(sigma, layer, isVisible)
  }
  let isHovered = false
  show(sigma, 'edgeLabels', false)
  showHovers()
  sigma.on('clickNode', ({ node }) => select(node))
  sigma.on('clickStage', () => select(undefined))
  sigma.on('enterNode', () => {
    isHovered = true
    showHovers()
    container.style.cursor = 'pointer'
  })
  sigma.on('leaveNode', () => {
    isHovered = false
    showHovers()
    container.style.cursor = 'grab'
  })
  const cameraMotion = { duration: animate ? 140 : 0 }
  return {
    focus: (next) => {
      focus = { ...next, selected: next.selected && graph.hasNode(next.selected) ? next.selected : undefined }
      showHovers()
      sigma.refresh({ skipIndexation: true })
    },
    move: (positions) => {
      let i = 0
      graph.updateEachNodeAttributes(
        (_, node) => {
          node.x = positions[2 * i] ?? 0
          node.y = positions[2 * i + 1] ?? 0
          i++
          return node
        },
        { attributes: ['x', 'y'] },
      )
    },
    recolour: () => {
      theme = themeColours(colourOf)
      graph.updateEachNodeAttributes((_, node) => ({ ...node, color: colourOf(typeColour(node.kind)) }))
      graph.updateEachEdgeAttributes((_, edge) => ({ ...edge, color: theme.link }))
      sigma.refresh()
    },
    zoom: (step) => {
      if (step === 'in') void camera.animatedZoom(cameraMotion)
      if (step === 'out') void camera.animatedUnzoom(cameraMotion)
      if (step === 'fit') void camera.animatedReset(cameraMotion)
    },
    pan: (x, y) => {
      const { ratio, ...at } = camera.getState()
      const step = PAN_SHARE * ratio
      void camera.animate({ x: at.x + x * step, y: at.y + y * step }, cameraMotion)
    },
    goTo: (id) => {
      const display = sigma.getNodeDisplayData(id)
      if (display)
        void camera.animate({ x: display.x, y: display.y, ratio: Math.min(camera.ratio, 0.4) }, cameraMotion)
    },
    end: () => {
      endMotion()
      sigma.kill()
    },
  }
}

interface Motion {
  isMoving: boolean
}

const MOTION_END_MS = 120

/** Draws nodes as points. While the graph moves, the second drawing is left out with which sigma finds the node under the mouse. */
const pointProgramFor = (motion: Motion) =>
  class extends NodePointProgram<Node, Edge> {
    override render(params: RenderParams): void {
      const { pickProgram } = this
      if (motion.isMoving) this.pickProgram = null
      super.render(params)
      this.pickProgram = pickProgram
    }
  }

/** Shows or removes a layer. An empty layer is as large as the drawing and takes as long per frame, so it is removed. */
function show(sigma: Sigma<Node, Edge>, layer: string, isVisible: boolean): void {
  const canvas = sigma.getCanvases()[layer]
  if (canvas) canvas.style.display = isVisible ? '' : 'none'
}

/** Notes whether the drawing moves, and draws everything again when it stops. Returns a function that ends this. */
function watchMotion(sigma: Sigma<Node, Edge>, motion: Motion, hidesEdges: boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const endOfMotion = (): void => {
    motion.isMoving = false
    if (hidesEdges) show(sigma, 'edges', true)
    sigma.scheduleRender()
  }
  sigma.getCamera().on('updated', () => {
    clearTimeout(timer)
    timer = setTimeout(endOfMotion, MOTION_END_MS)
    if (motion.isMoving) return
    motion.isMoving = true
    if (hidesEdges) show(sigma, 'edges', false)
  })
  return () => clearTimeout(timer)
}

function build(
  data: Graph,
  { colourOf, link, scale }: { colourOf: (variable: string) => string; link: string; scale: number },
): UndirectedGraph<Node, Edge> {
  const { nodes, edges } = data
  const graph = new UndirectedGraph<Node, Edge>()
  const positions = initialPositions(data)
  const maxMentions = Math.max(1, ...nodes.map(({ mention_count }) => mention_count))
  for (const [i, { id, name, type, mention_count }] of nodes.entries())
    graph.addNode(id, {
      x: positions[2 * i] ?? 0,
      y: positions[2 * i + 1] ?? 0,
      size: scale * (MIN_SIZE + (MAX_SIZE - MIN_SIZE) * Math.sqrt(mention_count / maxMentions)),
      label: name,
      color: colourOf(typeColour(type)),
      kind: type,
    })
  for (const { source, target } of edges) {
    const [from, to] = [nodes[source], nodes[target]]
    // Relations in both directions are one line.
    if (from && to && from.id !== to.id)
      graph.mergeEdge(from.id, to.id, { color: link, kinds: [from.type, to.type] })
  }
  return graph
}

const themeColours = (colourOf: (variable: string) => string) => ({
  paper: colourOf('--paper'),
  ink: colourOf('--ink'),
  link: colourOf('--link'),
  faded: colourOf('--line'),
  edge: colourOf('--edge'),
  raised: colourOf('--raised'),
  accent: colourOf('--accent'),
})

/** The value of a variable of the stylesheet in the current theme, as `rgb(…)`. */
function colours(container: HTMLElement): (variable: string) => string {
  return (variable) => {
    const probe = container.appendChild(document.createElement('span'))
    probe.style.color = `var(${variable})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}
