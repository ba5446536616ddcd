// Shows progress: as a bar in a terminal, elsewhere as a line for each fifth of the work.

export type OnProgress = (done: number, of: number) => void

const WIDTH = 24
const REDRAW_MS = 100
const LABELS = 30
// What is done sooner needs no bar.
const QUIET_MS = 1000

/** @param out standard error, so that the results on standard output can be piped */
export function progressOn(out: NodeJS.WriteStream): (phase: string) => OnProgress {
  return (phase) => {
    const started = performance.now()
    let drawnWidth = 0
    let ended = false
    let reported = -1
    return (done, of) => {
      if (ended) return
      const now = performance.now()
      ended = done >= of
      if (drawnWidth === 0 && reported < 0 && now - started < QUIET_MS) return
      if (out.isTTY) {
        if (!ended && now - drawnWidth < REDRAW_MS) return
        drawnWidth = now
        out.write(`\r\u001b[2K${line(phase, done, of, now - started)}${ended ? '\n' : ''}`)
        return
      }
      const fifth = of ? Math.floor((5 * done) / of) : 5
      if (fifth > reported) out.write(`${line(phase, done, of, now - started)}\n`)
      reported = Math.max(reported, fifth)
    }
  }
}

/** `index       ██████░░░░░░░░░░░░░░░░░░  1,200 of 4,800  1:00, about 3:00 left` */
export function line(phase: string, done: number, of: number, ms: number): string {
  const share = of > 0 ? Math.min(1, done / of) : 1
  const full = Math.round(share * WIDTH)
  const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`
  const leftMs = (ms * (1 - share)) / share
  const remaining = share > 0.02 && leftMs >= 500 ? `, about ${clock(leftMs)} left` : ''
  const count = of > 1 ? `  ${done.toLocaleString('en')} of ${of.toLocaleString('en')}` : ''
  return `${phase.padEnd(LABELS)}${bar}${count}  ${clock(ms)}${remaining}`
}

const clock = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
