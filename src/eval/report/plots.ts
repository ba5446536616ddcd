// Plots as inline SVG, pure. Colours are CSS variables of the page, so they follow its theme.

import { quantile } from '../measure/statistics.ts'
import { escapeHtml } from './page.ts'

const WIDTH = 640
const LEFT_MARGIN = 110
const RIGHT_MARGIN = 30
const ROW_HEIGHT = 30

interface Frame {
  title: string
  height: number
  body: string[]
}

const svg = ({ title, height, body }: Frame): string =>
  `<figure><figcaption>${escapeHtml(title)}</figcaption><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(title)}">${body.join('')}</svg></figure>`

type Point = readonly [x: number, y: number]

const formatCoordinate = (value: number): string => value.toFixed(1)
const text = (x: number, y: number, words: string, attributes = ''): string =>
  `<text x="${formatCoordinate(x)}" y="${formatCoordinate(y)}" ${attributes}>${escapeHtml(words)}</text>`
const line = ([x1, y1]: Point, [x2, y2]: Point, name: string): string =>
  `<line x1="${formatCoordinate(x1)}" y1="${formatCoordinate(y1)}" x2="${formatCoordinate(x2)}" y2="${formatCoordinate(y2)}" class="${name}"/>`

interface Interval {
  label: string
  mean: number
  low: number
  high: number
  /** The mean of the other run, in a comparison. */
  other?: number | undefined
}

/** Means with their intervals on a scale from 0 to 1. */
export function intervalPlot(title: string, rows: readonly Interval[]): string {
  const x = (value: number): number => LEFT_MARGIN + value * (WIDTH - LEFT_MARGIN - RIGHT_MARGIN)
  const height = rows.length * ROW_HEIGHT + 30
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((value) => [
    line([x(value), 5], [x(value), height - 22], 'grid'),
    text(x(value), height - 6, value.toFixed(1), 'class="tick" text-anchor="middle"'),
  ])
  const marks = rows.flatMap(({ label, mean, low, high, other }, i) => {
    const y = i * ROW_HEIGHT + 20
    return [
      text(LEFT_MARGIN - 10, y + 4, label, 'text-anchor="end"'),
      line([x(low), y], [x(high), y], 'whisker'),
      `<circle cx="${formatCoordinate(x(mean))}" cy="${y}" r="5" class="ours"><title>${mean.toFixed(3)}</title></circle>`,
      ...(other === undefined
        ? []
        : [
            `<circle cx="${formatCoordinate(x(other))}" cy="${y}" r="4" class="theirs"><title>${other.toFixed(3)}</title></circle>`,
          ]),
    ]
  })
  return svg({ title, height, body: [...grid, ...marks] })
}

interface Bar {
  label: string
  count: number
  other?: number | undefined
}

const BARS_HEIGHT = 150

/** Counts side by side, with those of the other run in a comparison. */
export function barPlot(title: string, bars: readonly Bar[]): string {
  const maxCount = Math.max(1, ...bars.flatMap(({ count, other = 0 }) => [count, other]))
  const step = (WIDTH - 2 * RIGHT_MARGIN) / Math.max(1, bars.length)
  const rect = (x: number, width: number, count: number, name: string): string => {
    const barHeight = (count / maxCount) * BARS_HEIGHT
    return `<rect x="${formatCoordinate(x)}" y="${formatCoordinate(20 + BARS_HEIGHT - barHeight)}" width="${formatCoordinate(width)}" height="${formatCoordinate(barHeight)}" class="${name}"><title>${count}</title></rect>`
  }
  const body = bars.flatMap(({ label, count, other }, i) => {
    const x = RIGHT_MARGIN + i * step + 2
    const barWidth = other === undefined ? step - 4 : (step - 4) / 2
    return [
      rect(x, barWidth, count, 'ours'),
      ...(other === undefined ? [] : [rect(x + barWidth, barWidth, other, 'theirs')]),
      text(x + step / 2 - 2, BARS_HEIGHT + 36, label, 'class="tick" text-anchor="middle"'),
    ]
  })
  return svg({ title, height: BARS_HEIGHT + 44, body })
}

/** The difference for each query, largest first: gains above the line, losses below it. */
export function differencePlot(title: string, differences: readonly number[]): string {
  const sorted = [...differences].sort((a, b) => b - a)
  const [zeroY, unitHeight] = [90, 80]
  const step = (WIDTH - 2 * RIGHT_MARGIN) / Math.max(1, sorted.length)
  const points = sorted.map(
    (value, i) =>
      `${formatCoordinate(RIGHT_MARGIN + i * step)},${formatCoordinate(zeroY - value * unitHeight)} ${formatCoordinate(RIGHT_MARGIN + (i + 1) * step)},${formatCoordinate(zeroY - value * unitHeight)}`,
  )
  const area = `<polygon points="${formatCoordinate(RIGHT_MARGIN)},${zeroY} ${points.join(' ')} ${formatCoordinate(WIDTH - RIGHT_MARGIN)},${zeroY}" class="ours"/>`
  const ticks = [1, 0, -1].map((value) =>
    text(
      RIGHT_MARGIN - 6,
      zeroY - value * unitHeight + 4,
      value > 0 ? `+${value}` : String(value).replace('-', '−'),
      'class="tick" text-anchor="end"',
    ),
  )
  return svg({
    title,
    height: 180,
    body: [area, line([RIGHT_MARGIN, zeroY], [WIDTH - RIGHT_MARGIN, zeroY], 'grid'), ...ticks],
  })
}

const CURVE_POINTS = 100

/** The cumulative share by time taken, on a logarithmic scale of milliseconds. */
export function latencyPlot(title: string, ms: readonly number[]): string {
  const [low, high] = [Math.max(0.1, Math.min(...ms)), Math.max(1, ...ms)]
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const x = (value: number): number =>
    LEFT_MARGIN +
    ((Math.log10(Math.max(value, low)) - from) / Math.max(1, to - from)) *
      (WIDTH - LEFT_MARGIN - RIGHT_MARGIN)
  const y = (share: number): number => 150 - share * 130
  const curve = Array.from({ length: CURVE_POINTS }, (_, i) => {
    const share = (i + 1) / CURVE_POINTS
    return `${formatCoordinate(x(quantile(ms, share)))},${formatCoordinate(y(share))}`
  })
  const ticks = Array.from({ length: Math.max(1, to - from) + 1 }, (_, i) => 10 ** (from + i)).flatMap(
    (value) => [
      line([x(value), 15], [x(value), 152], 'grid'),
      text(x(value), 168, `${value} ms`, 'class="tick" text-anchor="middle"'),
    ],
  )
  const shares = [0.5, 0.95].flatMap((share) => [
    text(LEFT_MARGIN - 10, y(share) + 4, `${share * 100} %`, 'class="tick" text-anchor="end"'),
    line([LEFT_MARGIN, y(share)], [WIDTH - RIGHT_MARGIN, y(share)], 'grid'),
  ])
  return svg({
    title,
    height: 176,
    body: [...ticks, ...shares, `<polyline points="${curve.join(' ')}" class="curve"/>`],
  })
}
