import { type RefObject, useEffect, useRef } from 'react'

/**
 * When a panel disappears, the focus returns to the element that had it before. Otherwise the next Tab would begin at the top of
 * the page.
 * @param openId the id of the panel's content: when it changes, the previous element is determined again
 */
export function useReturnFocus(container: RefObject<HTMLElement | null>, openId?: string): void {
  const previousFocus = useRef<Element>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something else is shown
  useEffect(() => {
    const focusedElement = document.activeElement
    if (focusedElement && focusedElement !== document.body && !container.current?.contains(focusedElement))
      previousFocus.current = focusedElement
  }, [openId])
  useEffect(
    () => () => {
      const element = previousFocus.current
      if (document.activeElement === document.body && element instanceof HTMLElement && element.isConnected)
        element.focus({ preventScroll: true })
    },
    [],
  )
}
