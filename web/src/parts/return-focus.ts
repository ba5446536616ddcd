import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns the focus to the previous element when the current one disappears. Otherwise the keyboard would begin at the top of
 * the page.
 * @param openId when it changes, something else may have opened what disappears
 */
export function useReturnFocus(within: RefObject<HTMLElement | null>, openId?: string): void {
  const before = useRef<Element>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something else is shown
  useEffect(() => {
    const now = document.activeElement
    if (now && now !== document.body && !within.current?.contains(now)) before.current = now
  }, [openId])
  useEffect(
    () => () => {
      const had = before.current
      if (document.activeElement === document.body && had instanceof HTMLElement && had.isConnected)
        had.focus({ preventScroll: true })
    },
    [],
  )
}
