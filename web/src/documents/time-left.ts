// The displayed time left of an upload. Estimates jump, and nobody believes a time that grows.

const MORE_TIMES = 1.25
const MORE_SECONDS = 8

/** The new estimate, unless it is only slightly higher than the shown one. */
export function steady(previous: number | undefined, estimate: number | undefined): number | undefined {
  if (previous === undefined || estimate === undefined || estimate <= previous) return estimate
  return estimate > MORE_TIMES * previous + MORE_SECONDS ? estimate : previous
}

interface Sent {
  size: number
  state: string
  progress: number
  remainingSeconds?: number | undefined
}

const OPEN = new Set(['waiting', 'sending', 'queued', 'running'])
const MIN_SHARE = 0.05

/**
 * The time left of a whole upload: the longest estimate of its files once all have arrived. Before that it is calculated from
 * its own speed, since the service estimates only the files that it has. Undefined until a twentieth is done.
 */
export function leftOf(files: readonly Sent[], elapsedSeconds: number): number | undefined {
  const open = files.filter(({ state }) => OPEN.has(state))
  if (open.every(({ state }) => state === 'queued' || state === 'running')) {
    const estimates = open.flatMap(({ remainingSeconds }) => remainingSeconds ?? [])
    return estimates.length === open.length && estimates.length > 0 ? Math.max(...estimates) : undefined
  }
  const weight = ({ size }: Sent): number => Math.max(1, size)
  const doneOf = ({ state, progress }: Sent): number =>
    state === 'waiting'
      ? 0
      : state === 'sending'
        ? progress / 2
        : state === 'running'
          ? (1 + progress) / 2
          : OPEN.has(state)
            ? 0.5
            : 1
  const whole = files.reduce((sum, file) => sum + weight(file), 0)
  const share = files.reduce((sum, file) => sum + weight(file) * doneOf(file), 0) / whole
  return share < MIN_SHARE ? undefined : (elapsedSeconds * (1 - share)) / share
}
