// A field in which a person types a name and chooses one of the entities that have it.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { Entity } from '../../../src/contract/resources.ts'
import { plural, t } from '../language/text.tsx'
import { inputClass } from '../parts/field.tsx'
import { entitiesQuery } from '../queries.ts'
import { TypeDot } from './type-dot.tsx'

const TYPING_PAUSE_MS = 150
const MAX_CANDIDATES = 8

interface Props {
  workspace: string
  excludedId: string
  choose: (other: Entity) => void
}

export function EntityChoice({ workspace, excludedId, choose }: Props) {
  const [typedText, setTypedText] = useState('')
  const [q, setQ] = useState('')
  const id = useId()
  useEffect(() => {
    const timer = setTimeout(() => setQ(typedText.trim()), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typedText])
  const { data, isPlaceholderData } = useInfiniteQuery({
    ...entitiesQuery(workspace, q, undefined),
    enabled: q !== '',
  })
  const candidates = q ? data?.pages.flatMap((page) => page.data).filter((one) => one.id !== excludedId) : []
  const shown = candidates?.slice(0, MAX_CANDIDATES)
  return (
    <>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {t('Name of the other entity')}
      </label>
      <input
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the field appears when the reader asks for it
        autoFocus
        type="search"
        value={typedText}
        maxLength={200}
        onChange={(event) => setTypedText(event.target.value)}
        onKeyDown={(event) => {
          const [first] = shown ?? []
          const isLoaded = !isPlaceholderData && q === typedText.trim()
          if (event.key === 'Enter' && !event.nativeEvent.isComposing && first && isLoaded) choose(first)
        }}
        className={inputClass}
      />
      <p role="status" className="mt-2 text-sm text-soft">
        {q && candidates?.length === 0 && t('No other entity has this name.')}
      </p>
      <ul className="mt-1">
        {shown?.map((entity) => (
          <li key={entity.id}>
            <button
              type="button"
              onClick={() => choose(entity)}
              className="flex w-full items-center gap-2 rounded px-2 py-1.5 text-left text-sm hover:bg-back"
            >
              <TypeDot type={entity.type} />
              <span className="min-w-0 truncate font-medium">{entity.name}</span>
              <span className="ml-auto shrink-0 text-soft">{plural(entity.mention_count, 'mention')}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
