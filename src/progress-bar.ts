// Shows progress: as a bar in a terminal, otherwise as a line for each fifth of the work.

export type OnProgress = (done: number, total: number) => void

const WIDTH = 24
const REDRAW_MS = 100
const LABEL_WIDTH = 30
// Work that takes less time than this shows no bar.
const MIN_DURATION_MS = 1000

/** @param out standard error, so that the results on standard output can be piped */
export function progressOn(out: NodeJS.WriteStream): (phase: string) => OnProgress {
  return (phase) => {
    const startMs = performance.now()
    let lastDrawnMs = 0
    let ended = false
    let reportedFifth = -1
    return (done, total) => {
      if (ended) return
      const now = performance.now()
      ended = done >= total
      if (lastDrawnMs === 0 && reportedFifth < 0 && now - startMs < MIN_DURATION_MS) return
      if (out.isTTY) {
        if (!ended && now - lastDrawnMs < REDRAW_MS) return
        lastDrawnMs = now
        out.write(`\r\u001b[2K${progressLine(phase, done, total, now - startMs)}${ended ? '\n' : ''}`)
        return
      }
      const fifth = total ? Math.floor((5 * done) / total) : 5
      if (fifth > reportedFifth) out.write(`${progressLine(phase, done, total, now - startMs)}\n`)
      reportedFifth = Math.max(reportedFifth, fifth)
    }
  }
}

/** `index       ██████░░░░░░░░░░░░░░░░░░  1,200 of 4,800  1:00, about 3:00 left` */
export function progressLine(phase: string, done: number, total: number, ms: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 1
  const filledWidth = Math.round(share * WIDTH)
  const bar = `${'█'.repeat(filledWidth)}${'░'.repeat(WIDTH - filledWidth)}`
  const leftMs = (ms * (1 - share)) / share
  const remainingTime = share > 0.02 && leftMs >= 500 ? `, about ${clock(leftMs)} left` : ''
  const count = total > 1 ? `  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}` : ''
  return `${phase.padEnd(LABEL_WIDTH)}${bar}${count}  ${clock(ms)}${remainingTime}`
}

const clock = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
