// The dialog in which the selected documents are added to a scope or removed from one.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { BUILT_IN_SCOPE } from '../parts/kinds.ts'
import { announce } from '../parts/toast.tsx'
import { scopesQuery } from '../queries.ts'
import { addToScope, changeText, hasChanged, removeFromScope, undoScopeChange } from './scope-change.ts'

interface Props {
  workspace: string
  selected: ReadonlySet<string>
  open: boolean
  close: () => void
  /** After the scope of these documents was changed. */
  onChanged: (documentIds: readonly string[]) => void
}

export function ScopeDialog({ workspace, selected, open, close, onChanged }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={plural(selected.size, 'Scope of {count} document', 'Scope of {count} documents')}
      description={t(
        'Searches and questions can be limited to a scope. Choose one, or type the name of a new one.',
      )}
    >
      <ScopeForm workspace={workspace} selected={selected} close={close} onChanged={onChanged} />
    </Dialog>
  )
}

function ScopeForm({ workspace, selected, close, onChanged }: Omit<Props, 'open'>) {
  const { data } = useQuery(scopesQuery(workspace))
  const queries = useQueryClient()
  const [typedName, setTypedName] = useState('')
  const list = useId()
  const names = (data?.data ?? []).map(({ name }) => name).filter((name) => !BUILT_IN_SCOPE.test(name))
  const scope = typedName.trim()
  const target = { workspace, scope }
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['workspace', workspace] })
  const change = useMutation({
    mutationFn: ({ action, documentIds }: { action: 'add' | 'remove'; documentIds: readonly string[] }) =>
      (action === 'add' ? addToScope : removeFromScope)(target, documentIds),
    onSuccess: (result, { action, documentIds }) => {
      const undo = (): void =>
        void undoScopeChange(target, result)
          .catch((error: Error) => announce(errorText(error)))
          .finally(reload)
      announce(
        changeText(action, scope, documentIds.length, result),
        hasChanged(result) ? { label: t('Undo'), run: undo } : undefined,
      )
      close()
      onChanged(documentIds)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ action: 'add', documentIds: [...selected] })
  }
  return (
    <form onSubmit={submit}>
      <Field
        label={t('Name of the scope')}
        list={list}
        value={typedName}
        required
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setTypedName(event.target.value)}
        problem={errorText(change.error)}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          disabled={change.isPending || !names.includes(scope)}
          onClick={() => change.mutate({ action: 'remove', documentIds: [...selected] })}
        >
          {t('Remove from scope')}
        </Button>
        <Button kind="primary" type="submit" disabled={change.isPending || !scope}>
          {t('Add to scope')}
        </Button>
      </div>
    </form>
  )
}
