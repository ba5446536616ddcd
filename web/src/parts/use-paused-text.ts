import { useEffect, useState } from 'react'

/** The text as it is once typing has paused. */
export function usePausedText(typedText: string, pauseMs: number): string {
  const [pausedText, setPausedText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setPausedText(typedText), pauseMs)
    return () => clearTimeout(timer)
  }, [typedText, pauseMs])
  return pausedText
}
