// The text of a field whose value stands in the address: the address follows when typing pauses, and the field follows the
// address when something else changes it.

import { type RefObject, useEffect, useRef, useState } from 'react'

const TYPING_PAUSE_MS = 150

export function useTypedText(
  value: string,
  choose: (text: string) => void,
): { field: RefObject<HTMLInputElement | null>; typedText: string; setTypedText: (text: string) => void } {
  const field = useRef<HTMLInputElement>(null)
  const [typedText, setTypedText] = useState(value)
  const latestChoose = useRef(choose)
  latestChoose.current = choose
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typedText !== value) latestChoose.current(typedText)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typedText, value])
  const lastValue = useRef(value)
  useEffect(() => {
    if (value !== lastValue.current && document.activeElement !== field.current) setTypedText(value)
    lastValue.current = value
  }, [value])
  return { field, typedText, setTypedText }
}
