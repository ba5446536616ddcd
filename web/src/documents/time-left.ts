// The time that an upload still needs, as it is shown. Estimates vary, so small increases are not shown.

const MIN_INCREASE_FACTOR = 1.25
const MIN_INCREASE_SECONDS = 8

/** The new estimate, or the previous one if the new one is only slightly higher. */
export function steadyEstimate(
  previous: number | undefined,
  estimate: number | undefined,
): number | undefined {
  if (previous === undefined || estimate === undefined || estimate <= previous) return estimate
  return estimate > MIN_INCREASE_FACTOR * previous + MIN_INCREASE_SECONDS ? estimate : previous
}

interface UploadProgress {
  size: number
  state: string
  progress: number
  remainingSeconds?: number | undefined
}

const OPEN_STATES = new Set(['waiting', 'sending', 'queued', 'running'])
const MIN_SHARE = 0.05

/**
 * The seconds that a whole upload still needs. When all files have arrived, this is the longest of the service's estimates.
 * Before that it is calculated from the upload's own speed. It is undefined until a twentieth is done.
 */
export function secondsLeft(files: readonly UploadProgress[], elapsedSeconds: number): number | undefined {
  const open = files.filter(({ state }) => OPEN_STATES.has(state))
  if (open.every(({ state }) => state === 'queued' || state === 'running')) {
    const estimates = open.flatMap(({ remainingSeconds }) => remainingSeconds ?? [])
    return estimates.length === open.length && estimates.length > 0 ? Math.max(...estimates) : undefined
  }
  const weight = ({ size }: UploadProgress): number => Math.max(1, size)
  const doneShare = ({ state, progress }: UploadProgress): number =>
    state === 'waiting'
      ? 0
      : state === 'sending'
        ? progress / 2
        : state === 'running'
          ? (1 + progress) / 2
          : OPEN_STATES.has(state)
            ? 0.5
            : 1
  const totalWeight = files.reduce((sum, file) => sum + weight(file), 0)
  const share = files.reduce((sum, file) => sum + weight(file) * doneShare(file), 0) / totalWeight
  return share < MIN_SHARE ? undefined : (elapsedSeconds * (1 - share)) / share
}
