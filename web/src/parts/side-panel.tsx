// A panel beside a page, or over it on narrow windows. Escape closes it. New content takes the focus, and the focus returns when
// the panel is closed.

import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../language/text.tsx'
import { IconButton } from './button.tsx'
import { onEscape } from './escape.ts'
import { useReturnFocus } from './return-focus.ts'

interface Props {
  /** The label of the landmark and of the close button. */
  label: string
  heading: ReactNode
  /** The id of the shown content. New content takes the focus. */
  openId: string
  close: () => void
  children: ReactNode
  className?: string
}

export function SidePanel({ label, heading, openId, close, children, className = '' }: Props) {
  const panel = useRef<HTMLElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useReturnFocus(panel, openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something else is shown
  useEffect(() => title.current?.focus({ preventScroll: true }), [openId])
  return (
    <aside
      ref={panel}
      aria-label={label}
      onKeyDown={onEscape(close)}
      className={`enter-right fixed inset-0 z-30 flex flex-col overflow-y-auto border-l border-line bg-paper lg:static lg:z-auto lg:w-[26rem] lg:shrink-0 ${className}`}
    >
      <div className="sticky top-0 z-10 flex items-start gap-2 border-b border-line bg-paper px-4 py-2.5">
        <h2 ref={title} tabIndex={-1} className="min-w-0 flex-1 pt-0.5 text-sm font-semibold outline-none">
          {heading}
        </h2>
        <IconButton label={t('Close: {panel}', { panel: label })} onClick={close} className="-my-1 -mr-2">
          <X size={16} />
        </IconButton>
      </div>
      <div className="p-4">{children}</div>
    </aside>
  )
}
