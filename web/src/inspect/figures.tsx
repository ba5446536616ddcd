// Numbers of the inspector with three significant digits, and a small bar.

import { locale } from '../language/locale.ts'

const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })

export const figure = (value: number | null | undefined): string =>
  value == null ? '–' : format.format(value)

/** A bar for a share between 0 and 1. Screen readers read the number beside the bar. */
export function Bar({ share, label }: { share: number; label: string }) {
  return (
    <span className="flex items-center gap-2">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-0 min-w-8 flex-1" aria-hidden>
        <rect width="100" height="8" rx="1" className="fill-line" />
        <rect width={Math.max(0, Math.min(1, share)) * 100} height="8" rx="1" className="fill-accent" />
      </svg>
      <span className="w-10 shrink-0 text-right tabular-nums">{label}</span>
    </span>
  )
}
