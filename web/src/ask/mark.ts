// How the mark of a citation looks.

export const MARK =
  'citation mx-0.5 inline-flex min-w-5 -translate-y-px items-center justify-center rounded px-1 font-sans text-xs leading-5 font-medium tabular-nums'
export const QUIET_MARK = 'bg-tint text-accent'
