// A list of what is in the trash: each line with its name, until when it can be restored, and what can be done with it. A folder
// has its documents below it.

import { Folder, Trash2, Undo2 } from 'lucide-react'
import { t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { formatDate, formatDateTime } from '../parts/format.ts'

export interface Line {
  id: string
  name: string
  /** What tells it from others of the same name, such as its path. */
  detail: string
  trashed_at: string
  expires_at: string
  /** The documents of a folder. */
  lines?: readonly Line[]
}

interface Props {
  label: string
  lines: readonly Line[]
  isBusy: boolean
  restore: (line: Line) => void
  remove: (line: Line) => void
}

export function TrashList({ label, lines, isBusy, restore, remove }: Props) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-y border-line">
      {lines.map((line) => (
        <li key={line.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
          <div className="min-w-48 flex-1">
            <div className="truncate font-medium" title={line.name}>
              {line.lines && <Folder size={15} aria-hidden className="mr-1.5 mb-0.5 inline text-soft" />}
              {line.name}
            </div>
            <div className="text-xs text-soft wrap-anywhere">{line.detail}</div>
          </div>
          <div
            className="text-xs text-soft"
            title={t('Moved to the trash {date}', { date: formatDateTime(line.trashed_at) })}
          >
            {t('Until {date}', { date: formatDate(line.expires_at) })}
          </div>
          <div className="flex gap-1">
            <Button
              aria-label={t('Restore {name}', { name: line.name })}
              disabled={isBusy}
              onClick={() => restore(line)}
            >
              <Undo2 size={14} /> {t('Restore')}
            </Button>
            <IconButton
              label={t('Delete {name} for good', { name: line.name })}
              disabled={isBusy}
              onClick={() => remove(line)}
              className="hover:text-bad"
            >
              <Trash2 size={16} />
            </IconButton>
          </div>
          {line.lines && (
            <details className="w-full">
              <summary className="cursor-pointer text-xs text-soft hover:text-ink">
                {t('Show its documents')}
              </summary>
              <div className="mt-1 ml-4">
                <TrashList label={line.name} lines={line.lines} {...{ isBusy, restore, remove }} />
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}
