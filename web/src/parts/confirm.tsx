// A question before an action that cannot be undone.

import type { ReactNode } from 'react'
import { t } from '../language/text.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  open: boolean
  close: () => void
  title: string
  description: string
  /** The label of the button that confirms. */
  confirmLabel: string
  cancelLabel?: string
  pending: boolean
  problem?: string | undefined
  confirm: () => void
  children?: ReactNode
}

export function Confirm(props: Props) {
  const {
    open,
    close,
    title,
    description,
    confirmLabel,
    cancelLabel = t('Cancel'),
    pending,
    problem,
    confirm,
  } = props
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={title} description={description}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          confirm()
        }}
      >
        {props.children}
        {problem !== undefined && (
          <p role="alert" className="mb-3 text-sm text-bad">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{cancelLabel}</Button>
          <Button type="submit" kind="danger" disabled={pending}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
