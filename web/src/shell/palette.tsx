// The palette (⌘K): a field over the page that finds documents, passages, names, conversations, workspaces and actions. The field appears at once, so
// that no letter is lost, and its list loads later. It is a combobox by the ARIA authoring practices, in the browser's own dialog.

import { Search } from 'lucide-react'
import { type KeyboardEvent, lazy, Suspense, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../language/text.tsx'
import { loadWithRetries } from '../parts/patiently.ts'
import type { ListState } from './palette-list.tsx'

const loadList = () => loadWithRetries(() => import('./palette-list.tsx'))
const PaletteList = lazy(() => loadList().then((module) => ({ default: module.PaletteList })))

interface Props {
  close: () => void
  show: (dialog: 'shortcuts' | 'new workspace') => void
}

const PALETTE_ID = 'palette'

/** Whether the palette is on the screen. */
export const isPaletteOpen = (): boolean =>
  Boolean(document.querySelector<HTMLDialogElement>(`#${PALETTE_ID}`)?.open)

/** Loads the list in advance. */
export const preloadPalette = (): void => void loadList().catch(() => undefined)

export function Palette({ close, show }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<ListState>(undefined)
  const wasEnterPressed = useRef(false)
  const [typedText, setTypedText] = useState('')
  // The items of a group may arrive after those below it, so the active item is remembered by its id.
  const [activeId, setActiveId] = useState<string>()
  const [status, setStatus] = useState(t('Loading'))
  const [isStatusVisible, setIsStatusVisible] = useState(false)
  const [isWaiting, setIsWaiting] = useState(false)
  const [active, setActive] = useState<string>()
  const id = useId()
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (list.current) list.current.onKeyDown(event)
    else wasEnterPressed.current ||= event.key === 'Enter' && !event.nativeEvent.isComposing
  }
  const onListChanged = (listState: ListState): void => {
    list.current = listState
    setStatus(listState.status)
    setIsStatusVisible(listState.isStatusVisible)
    setIsWaiting(listState.isWaiting)
    setActive(listState.active)
    if (!wasEnterPressed.current) return
    wasEnterPressed.current = false
    listState.onEnter()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, the click beside it is for the mouse alone
    <dialog
      ref={dialog}
      id={PALETTE_ID}
      aria-label={t('Find anything')}
      // The report comes after the closing: by then another palette may have taken its place.
      onClose={() => dialog.current && close()}
      onClick={({ target, currentTarget }) => target === currentTarget && dialog.current?.close()}
      className="mx-auto mt-[10vh] open:enter-down w-[min(100%-2rem,36rem)] overflow-hidden rounded-xl border border-line bg-raised text-ink shadow-xl backdrop:bg-black/40"
    >
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search size={16} className={`shrink-0 text-soft ${isWaiting ? 'animate-pulse' : ''}`} aria-hidden />
        <input
          role="combobox"
          aria-label={t('Documents, passages, names, conversations, actions')}
          aria-expanded={Boolean(active)}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active}
          placeholder={t('Documents, passages, names, conversations, actions')}
          value={typedText}
          maxLength={200}
          onChange={(event) => {
            setTypedText(event.target.value)
            setActiveId(undefined)
            wasEnterPressed.current = false
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-ellipsis outline-none placeholder:text-soft"
        />
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={t('Found')}
        className="max-h-[60vh] overflow-y-auto p-2"
      >
        <Suspense>
          <PaletteList
            id={id}
            typedText={typedText.trim()}
            activeId={activeId}
            setActiveId={setActiveId}
            onListChanged={onListChanged}
            // The palette closes before the page opens, so that the focus returns first and the page can then take it.
            close={() => dialog.current?.close()}
            show={show}
          />
        </Suspense>
      </div>
      <p role="status" className={isStatusVisible ? 'px-4 pb-4 text-sm text-soft' : 'sr-only'}>
        {status}
      </p>
    </dialog>
  )
}
