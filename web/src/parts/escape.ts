// Escape closes the innermost open element: first a dialog in a panel, then the panel.

import type { KeyboardEvent } from 'react'

export const onEscape =
  (close: () => void) =>
  ({ key, target }: KeyboardEvent): void => {
    if (key === 'Escape' && !(target instanceof Element && target.closest('dialog'))) close()
  }
