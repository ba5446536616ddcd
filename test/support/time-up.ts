// Time that is up once a server was asked: by the clock it may be before, where a busy machine lets nothing run meanwhile.

import { vi } from 'vitest'

/** Every `AbortSignal.timeout(ms)` ends when `asked` has grown since it was made; others stay the clock's. */
export function timeUpOnceAsked(ms: number, asked: () => number): { restore: () => void } {
  const byClock = AbortSignal.timeout.bind(AbortSignal)
  const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((wanted) => {
    if (wanted !== ms) return byClock(wanted)
    const [up, before] = [new AbortController(), asked()]
    const look = setInterval(() => {
      if (asked() === before) return
      clearInterval(look)
      up.abort(new DOMException('The time is up.', 'TimeoutError'))
    }, 5)
    look.unref()
    return up.signal
  })
  return { restore: () => timeoutSpy.mockRestore() }
}
