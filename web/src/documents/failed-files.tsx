// Files that could not be read, each with what the reader can do about it. They stay in the list when the page is reloaded.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, CircleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { IconButton } from '../parts/button.tsx'
import { formatAgo } from '../parts/format.ts'
import { announce } from '../parts/toast.tsx'
import { api } from '../session.ts'
import { reasonText } from './reason-text.ts'
import { useUploads } from './uploads.ts'

const failedFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'failed files'],
    queryFn: ({ signal }) => api.listFailedFiles({ workspace_id: id }, { signal }),
    staleTime: 60_000,
  })

export function FailedFiles({ workspace, mayEdit }: { workspace: string; mayEdit: boolean }) {
  const { data } = useQuery(failedFilesQuery(workspace))
  const uploads = useUploads()
  const [open, setOpen] = useState(false)
  const queries = useQueryClient()
  const dismiss = useMutation({
    mutationFn: (filenames: string[]) => api.dismissFailedFiles({ workspace_id: workspace, filenames }),
    onError: (error) => announce(errorText(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: failedFilesQuery(workspace).queryKey }),
  })
  // A file of an upload that is still shown is listed with that upload.
  const uploadingNames = new Set(
    uploads
      .filter((upload) => upload.workspace === workspace)
      .flatMap(({ files }) => files.map(({ name }) => name)),
  )
  const files = data?.data.filter(({ filename }) => !uploadingNames.has(filename)) ?? []
  if (files.length === 0) return null
  return (
    <section
      aria-label={t('Files that could not be read')}
      className="mb-3 rounded-lg border border-line text-sm"
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 px-3 py-2 text-left"
      >
        <CircleAlert size={14} className="shrink-0 text-bad" aria-hidden />
        <span className="min-w-0 flex-1">
          {plural(
            files.length,
            '{count} file of the last 30 days could not be read and is not searched',
            '{count} files of the last 30 days could not be read and are not searched',
          )}
        </span>
        <ChevronRight
          size={14}
          aria-hidden
          className={`shrink-0 text-soft transition-transform duration-100 ${open ? 'rotate-90' : ''}`}
        />
      </button>
      {open && (
        <ul className="max-h-64 divide-y divide-line overflow-y-auto border-t border-line">
          {files.map(({ job_id, filename, error, failed_at }) => (
            <li key={`${job_id} ${filename}`} className="px-3 py-2">
              <div className="flex gap-3">
                <span className="min-w-0 flex-1 font-medium break-words">{filename}</span>
                <span className="shrink-0 text-soft">{formatAgo(failed_at)}</span>
                {mayEdit && (
                  <IconButton
                    label={t('Remove {filename} from this list', { filename })}
                    className="-my-1 -mr-2"
                    disabled={dismiss.isPending}
                    onClick={() => dismiss.mutate([filename])}
                  >
                    <X size={14} />
                  </IconButton>
                )}
              </div>
              <p className="text-soft">{reasonText(error)}</p>
            </li>
          ))}
          <li className="px-3 py-2 text-soft">
            {t(
              'A file is removed from this list when a file of the same name and folder is uploaded and can be read.',
            )}{' '}
            {mayEdit && files.length > 1 && (
              <button
                type="button"
                disabled={dismiss.isPending}
                onClick={() => dismiss.mutate(files.map(({ filename }) => filename))}
                className="text-accent underline"
              >
                {t('Remove all from this list')}
              </button>
            )}
          </li>
        </ul>
      )}
    </section>
  )
}
