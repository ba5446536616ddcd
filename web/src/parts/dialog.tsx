// A modal dialog. The browser's own <dialog> keeps the focus inside, closes with Escape and returns the focus.

import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../language/text.tsx'
import { IconButton } from './button.tsx'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  /** For a longer text. */
  isWide?: boolean
  children: ReactNode
}

export function Dialog({ open, onOpenChange, title, description, isWide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (open && !dialog.current?.open) {
      dialog.current?.showModal()
      // Otherwise the browser would focus the close button.
      dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    }
    if (!open) dialog.current?.close()
  }, [open])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, the click beside it is for the mouse alone
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      // Escape. The state changes before the browser returns the focus, so that a key pressed right then can open the dialog again.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onOpenChange(false)
      }}
      // This event comes later than the closing. By then the dialog may have been opened again.
      onClose={() => dialog.current?.open || onOpenChange(false)}
      onClick={({ target, currentTarget }) => target === currentTarget && onOpenChange(false)}
      className={`mx-auto mt-[12vh] open:enter-down max-h-[80vh] ${isWide ? 'w-[min(100%-2rem,46rem)]' : 'w-[min(100%-2rem,30rem)]'} rounded-xl border border-line bg-raised text-ink shadow-xl backdrop:bg-black/40`}
    >
      {open && (
        <div className="p-5">
          <div className="mb-3 flex items-start justify-between gap-4">
            <h2 id={`${id}-title`} className="text-base font-semibold">
              {title}
            </h2>
            <IconButton label={t('Close')} className="-mt-1 -mr-2" onClick={() => onOpenChange(false)}>
              <X size={16} />
            </IconButton>
          </div>
          {description !== undefined && (
            <p id={`${id}-description`} className="mb-4 text-soft">
              {description}
            </p>
          )}
          {children}
        </div>
      )}
    </dialog>
  )
}
