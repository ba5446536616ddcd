// Imports a workspace from an archive. The file is sent, a worker imports it, and this form shows the progress. A running import
// belongs to the account, so it is shown again when the form is opened later or on another machine.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { accountQuery } from '../account/queries.ts'
import { errorText } from '../language/error-text.ts'
import { message, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { api } from '../session.ts'

type Import = Output<'getImport'>

const POLL_MS = 1000

const isOpen = ({ finished_at: end }: Import): boolean => end === null

const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: async ({ signal }) => (await api.listImports({}, { signal })).data,
  refetchInterval: ({ state }) => (state.data?.some(isOpen) ? POLL_MS : false),
})

export function ImportWorkspace({ done }: { done?: (() => void) | undefined }) {
  const [file, setFile] = useState<File>()
  const { data: account } = useQuery(accountQuery)
  const [copyChoice, setCopyChoice] = useState<boolean>()
  // Ids may be kept only by administrators and by people who restore their own workspace.
  const isCopy = copyChoice ?? !account?.admin
  const [startedId, setStartedId] = useState<string>()
  const { data = [] } = useQuery(importsQuery)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const id = useId()
  const send = useMutation({
    mutationFn: (archive: File) => api.importWorkspace({ archive, ids: isCopy ? 'new' : 'keep' }),
    onSuccess: async (state) => {
      setStartedId(state.id)
      await queries.invalidateQueries({ queryKey: importsQuery.queryKey })
    },
  })
  const startedImport = data.find((one) => one.id === startedId)
  const importedId = startedImport?.workspace?.id
  useEffect(() => {
    if (importedId === undefined) return
    void (async () => {
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
      await navigate({ to: '/w/$workspace/documents', params: { workspace: importedId } })
      done?.()
    })()
  }, [importedId, done, navigate, queries])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (file) send.mutate(file)
  }
  const problem =
    errorText(send.error) ?? (startedImport?.status === 'failed' ? startedImport.error?.message : undefined)
  return (
    <form onSubmit={submit} className="mt-6 border-t border-line pt-4">
      <label htmlFor={id} className="mb-1 block font-medium">
        {t('Or import an archive')}
      </label>
      <p className="mb-2 text-sm text-soft">{t('The file of an exported workspace.')}</p>
      <input
        id={id}
        type="file"
        accept=".zip,application/zip"
        onChange={({ target }) => setFile(target.files?.[0])}
        className="mb-2 block w-full text-sm file:mr-3 file:min-h-8 file:rounded-md file:border file:border-line file:bg-raised file:px-3 file:font-medium"
      />
      <label className="mb-3 flex items-center gap-2 text-sm">
        <input type="checkbox" checked={isCopy} onChange={({ target }) => setCopyChoice(target.checked)} />
        {t('As a copy: the original workspace stays, if it exists here')}
      </label>
      {problem && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {problem}
        </p>
      )}
      <Button
        type="submit"
        disabled={!file || send.isPending || (startedImport !== undefined && isOpen(startedImport))}
      >
        {send.isPending ? t('Sending …') : t('Import')}
      </Button>
      {data.filter(isOpen).map((one) => (
        <ImportProgress key={one.id} state={one} />
      ))}
    </form>
  )
}

const STAGES: Partial<Record<Import['status'], string>> = {
  receiving: message('The archive is being sent.'),
  queued: message('The import will begin soon.'),
  checking: message('The archive is being checked.'),
  writing: message('The workspace is being written.'),
}

function ImportProgress({ state: { id, status, progress } }: { state: Import }) {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => api.cancelImport({ import_id: id }),
    onSettled: () => queries.invalidateQueries({ queryKey: importsQuery.queryKey }),
  })
  return (
    <div className="mt-3 text-sm">
      <div className="flex items-center justify-between gap-2">
        <span aria-live="polite">{t(STAGES[status] ?? '')}</span>
        <Button kind="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('Cancel the import')}
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label={t('Progress of the import')}
        aria-valuenow={Math.round(progress * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-1 h-1 overflow-hidden rounded bg-line"
      >
        <div
          className="h-full bg-accent transition-[width] duration-150"
          style={{ width: `${progress * 100}%` }}
        />
      </div>
    </div>
  )
}
