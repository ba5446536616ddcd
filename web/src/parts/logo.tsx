/** Kenning's mark, as in public/favicon.svg and on the pages of the service. The name stands beside it. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className="size-5 shrink-0">
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path
        d="M10 7v18M22 7 12 16l10 9"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
    </svg>
  )
}
