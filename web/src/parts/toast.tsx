// Short messages at the top of the window, beside the name of the workspace. Screen readers read them out.

import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { t } from '../language/text.tsx'

/** An action that a message offers, such as "Undo". */
interface ToastAction {
  label: string
  run: () => void
}

interface Message {
  id: number
  text: string
  action: ToastAction | undefined
}

const VISIBLE_MS = 6000
/** A message with an action stays long enough to read it and to decide. */
const VISIBLE_WITH_ACTION_MS = 15_000

let messages: readonly Message[] = []
let nextId = 0
const listeners = new Set<() => void>()

function setMessages(newMessages: readonly Message[]): void {
  messages = newMessages
  for (const listener of listeners) listener()
}

const close = (id: number): void => setMessages(messages.filter((message) => message.id !== id))

/**
 * Shows `text` for six seconds, or for fifteen if there is an action. A text without an action that is already shown is not shown again.
 */
export function announce(text: string, action?: ToastAction): void {
  if (!action && messages.some((message) => message.text === text)) return
  const id = nextId++
  // A new message replaces one with an action, because only the last action can be undone.
  setMessages([...messages.filter((message) => !message.action), { id, text, action }])
  setTimeout(() => close(id), action ? VISIBLE_WITH_ACTION_MS : VISIBLE_MS)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const visibleMessages = useSyncExternalStore(subscribe, () => messages)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-1.5 z-50 flex flex-col items-center gap-2"
    >
      {visibleMessages.map(({ id, text, action }) => (
        <div
          key={id}
          className="enter-down pointer-events-auto flex max-w-md items-start gap-3 rounded-lg border border-line bg-raised px-4 py-1.5 text-sm shadow-lg"
        >
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                close(id)
                action.run()
              }}
              className="shrink-0 font-medium text-accent hover:underline"
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            aria-label={t('Dismiss')}
            onClick={() => close(id)}
            className="mt-0.5 text-soft hover:text-ink"
          >
            <X size={14} />
          </button>
        </div>
      ))}
    </div>
  )
}
