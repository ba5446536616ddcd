// The findings of a trial of a model, and the form of times in them.

import type { ModelFinding } from '../contract/models.ts'

export const finding = (
  check: ModelFinding['check'],
  outcome: ModelFinding['outcome'],
  message: string,
  field: ModelFinding['field'] = null,
): ModelFinding => ({ check, outcome, message, field })

export function formatSeconds(ms: number): string {
  if (ms < 100) return 'less than 0.1 s'
  return ms < 950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

const UNITS = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
]

/** A duration in words, rounded up. */
export function formatDuration(seconds: number): string {
  const unit = UNITS.find((candidate) => seconds >= 1.5 * candidate.seconds)
  if (!unit) return seconds <= 60 ? 'less than a minute' : 'about 2 minutes'
  const count = Math.ceil(seconds / unit.seconds)
  return `about ${count} ${unit.name}${count === 1 ? '' : 's'}`
}
