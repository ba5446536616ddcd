// Chooses a part of a workspace's documents: all, those of a kind, those of a folder, or a named scope.

import { t } from '../language/text.tsx'
import { toolInputClass } from './field.tsx'
import { scopeName } from './kinds.ts'

interface Props {
  scopes: readonly { name: string; document_count: number }[] | undefined
  /** Empty for all documents. */
  value: string
  choose: (scope: string) => void
}

/** Shows nothing if there is no choice. */
export function ScopeSelect({ scopes, value, choose }: Props) {
  const namedScopes = scopes?.filter(({ name }) => !name.startsWith('provider:')) ?? []
  const names = namedScopes.map(({ name }) => name)
  if (namedScopes.length < 2 && !value) return null
  return (
    <select
      aria-label={t('Which documents')}
      value={value}
      onChange={({ target }) => choose(target.value)}
      className={`${toolInputClass} max-w-40 px-2! sm:max-w-64`}
    >
      <option value="">{t('All documents')}</option>
      {namedScopes.map(({ name, document_count }) => (
        <option key={name} value={name}>
          {scopeName(name, names)} ({document_count})
        </option>
      ))}
    </select>
  )
}
