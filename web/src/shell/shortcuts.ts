// All keyboard shortcuts in one place, for the code that handles them and the dialog that lists them.

import { message, t } from '../language/text.tsx'
import { PLACES } from './places.ts'

type Command =
  | { do: 'palette' }
  | { do: 'help' }
  | { do: 'search' }
  | { do: 'conversations' }
  | { do: 'go'; to: (typeof PLACES)[number]['to'] }

export const SHORTCUT_GROUPS = {
  everywhere: message('Everywhere'),
  places: message('Go to'),
  lists: message('Lists and panels'),
  canvas: message('Canvas of the graph'),
}

interface Shortcut {
  /** The keys, pressed one after the other. `mod` is ⌘ on a Mac and Ctrl elsewhere; shortcuts with it also work in text fields. */
  keys: readonly string[]
  label: string
  group: keyof typeof SHORTCUT_GROUPS
  /** A shortcut without a command is only listed here; the page to which it belongs handles it. */
  command?: Command
  /** Readers who may change nothing have no use for it. */
  forEditors?: true
}

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['mod+k'], label: message('Find anything'), group: 'everywhere', command: { do: 'palette' } },
  { keys: ['/'], label: message('Search on this page'), group: 'everywhere', command: { do: 'search' } },
  { keys: ['?'], label: message('Show these shortcuts'), group: 'everywhere', command: { do: 'help' } },
  ...PLACES.map(
    ({ to, label, key }): Shortcut => ({
      keys: ['g', key],
      label,
      group: 'places',
      command: { do: 'go', to },
    }),
  ),
  {
    keys: ['c'],
    label: message('Show or fold the conversations'),
    group: 'lists',
    command: { do: 'conversations' },
  },
  { keys: ['Esc'], label: message('Close what is open'), group: 'lists' },
  { keys: ['Enter'], label: message('Open what has the focus'), group: 'lists' },
  { keys: ['F2'], label: message('Rename a folder'), group: 'lists', forEditors: true },
  { keys: ['Shift F10'], label: message('Show the actions for a folder'), group: 'lists', forEditors: true },
  { keys: ['Del'], label: message('Move a folder to the trash'), group: 'lists', forEditors: true },
  { keys: ['←↑↓→'], label: message('Move'), group: 'canvas' },
  { keys: ['+'], label: message('Zoom in'), group: 'canvas' },
  { keys: ['-'], label: message('Zoom out'), group: 'canvas' },
  { keys: ['0'], label: message('Show all'), group: 'canvas' },
]

/** The buttons that show or fold the conversations, of which at most one is visible. */
export const THREADS_TOGGLE = '[data-threads-toggle]'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** The key as it is labelled on the keyboard. */
export function keyLabel(key: string): string {
  if (key === 'mod+k') return isMac ? '⌘ K' : t('Ctrl K')
  return t(KEY_NAMES[key] ?? key)
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  Esc: message('Esc'),
  Enter: message('Enter'),
  Del: message('Del'),
  'Shift F10': message('Shift F10'),
}

const SEQUENCE_MS = 1500

/** Handles keys and calls `run` with commands, until the returned function is called. */
export function listen(run: (command: Command) => void): () => void {
  let previousKey: { key: string; at: number } | undefined
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    if ((isMac ? event.metaKey : event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      run({ do: 'palette' })
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || ignoresLetters(event.target)) return
    const firstKey =
      previousKey && event.timeStamp - previousKey.at < SEQUENCE_MS ? previousKey.key : undefined
    previousKey = undefined
    const sequence = SHORTCUTS.find(({ keys, command }) =>
      command && keys.length === 2 ? keys[0] === firstKey && keys[1] === event.key : false,
    )
    const singleKey = SHORTCUTS.find(
      ({ keys, command }) => command && keys.length === 1 && keys[0] === event.key,
    )
    const command = (sequence ?? (firstKey === undefined ? singleKey : undefined))?.command
    if (command) {
      event.preventDefault()
      run(command)
    } else if (SHORTCUTS.some(({ keys }) => keys.length === 2 && keys[0] === event.key)) {
      previousKey = { key: event.key, at: event.timeStamp }
    }
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

/** Whether a letter is no shortcut: in a text field, and while a dialog or a menu is open. */
function ignoresLetters(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [role=menu]:popover-open')) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}
