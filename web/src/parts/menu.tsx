// A menu of actions at a place in the window. The browser's own popover closes it with Escape or a click beside it.

import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'

interface Action {
  label: string
  icon: LucideIcon
  run: () => void
}

export interface MenuPlace {
  /** Pixels from the edges of the window. */
  left: number
  top: number
}

interface Props {
  label: string
  place: MenuPlace
  actions: readonly Action[]
  close: () => void
}

const MARGIN_PIXELS = 8

/** It is open as long as it is rendered. Escape and an action return the focus to what had it before. */
export function Menu({ label, place, actions, close }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = menu.current
    if (!element) return
    if (!element.matches(':popover-open')) element.showPopover()
    const { width, height } = element.getBoundingClientRect()
    element.style.left = `${Math.max(MARGIN_PIXELS, Math.min(place.left, innerWidth - width - MARGIN_PIXELS))}px`
    element.style.top = `${Math.max(MARGIN_PIXELS, Math.min(place.top, innerHeight - height - MARGIN_PIXELS))}px`
  }, [place])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it opens at another place
  useEffect(() => menu.current?.querySelector('button')?.focus(), [place])
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])]
    const index = items.findIndex((item) => item.matches(':focus'))
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    const isLetter = event.key.length === 1 && event.key !== ' '
    if (isLetter && !(event.ctrlKey || event.metaKey || event.altKey)) {
      const names = items.map(({ textContent }) => textContent.toLocaleLowerCase())
      const isNamed = (name: string): boolean => name.startsWith(event.key.toLocaleLowerCase())
      const later = names.findIndex((name, i) => i > index && isNamed(name))
      items[later < 0 ? names.findIndex(isNamed) : later]?.focus()
    } else if (event.key === 'Tab') menu.current?.hidePopover()
    else if (next === undefined) return
    else items.at(next % items.length)?.focus()
    event.preventDefault()
  }
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => newState === 'closed' && close()}
      className="fixed inset-auto min-w-44 rounded-lg border border-line bg-raised p-1 text-sm text-ink shadow-xl"
    >
      {actions.map(({ label: text, icon: Icon, run }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            // The focus returns before the action opens a dialog, which then returns it to the same element.
            menu.current?.hidePopover()
            run()
          }}
          className="flex w-full items-center gap-2 rounded-md px-2.5 py-1.5 text-left -outline-offset-2 hover:bg-line/60"
        >
          <Icon size={14} aria-hidden className="text-soft" />
          {text}
        </button>
      ))}
    </div>
  )
}
