import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { randomId } from '../parts/random-id.ts'
import { api } from '../session.ts'
import { ImportWorkspace } from './import-workspace.tsx'

export function NewWorkspace({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('New workspace')}
      description={t(
        'A workspace holds documents that belong together. You are its owner and let others in.',
      )}
    >
      <NewWorkspaceForm done={() => onOpenChange(false)} />
      <ImportWorkspace done={() => onOpenChange(false)} />
    </Dialog>
  )
}

export function NewWorkspaceForm({ done }: { done?: () => void }) {
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => api.createWorkspace({ name }, { idempotencyKey: randomId() }),
    onSuccess: async ({ id }) => {
      done?.()
      // The page changes before the list reloads, because the first page opens a workspace as soon as the list has one.
      await navigate({ to: '/w/$workspace/documents', params: { workspace: id } })
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Field
        label={t('Name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        placeholder={t('Contracts')}
        maxLength={200}
        required
        autoFocus
        problem={errorText(create.error)}
      />
      <Button type="submit" kind="primary" disabled={create.isPending || name.trim() === ''}>
        {t('Create workspace')}
      </Button>
    </form>
  )
}
