// The frame of the account's pages: a title, one sentence of explanation, and the content in a column.

import type { ReactNode } from 'react'

export function AccountPage({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="h-full overflow-y-auto [scrollbar-gutter:stable] max-md:scroll-pt-12">
      <title>{`${title} · Kenning`}</title>
      {/* Behind the button that opens the left side on narrow windows, so that no text passes under it. */}
      <div className="sticky top-0 z-10 h-12 border-b border-line bg-paper md:hidden" />
      <div className="mx-auto max-w-3xl px-4 pt-4 pb-16 md:px-6 md:pt-8">
        <h1 className="mb-1 text-xl font-semibold">{title}</h1>
        {description && <p className="mb-6 max-w-2xl text-soft">{description}</p>}
        {children}
      </div>
    </div>
  )
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-10">
      <h2 className="mb-3 text-lg font-semibold">{title}</h2>
      {children}
    </section>
  )
}
