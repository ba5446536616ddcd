// The dialog in which the selected documents are moved to a folder.

import { type FormEvent, useState } from 'react'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FolderField } from './folder-field.tsx'
import { ROOT, typedFolder } from './folders.ts'
import { moveProblem } from './moving.ts'
import { belowOf, deepPathOf, inOrderOfMove, newPathOf, type SelectedFrom } from './selected-from.ts'
import { useMoveDocuments } from './use-move.ts'

interface Props {
  workspace: string
  selected: ReadonlySet<string>
  from: SelectedFrom
  open: boolean
  close: () => void
  /** After these documents were moved. */
  onMoved: (documentIds: readonly string[]) => void
}

export function MoveDialog({ open, ...props }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && props.close()}
      title={plural(
        props.selected.size,
        'Move {count} document to a folder',
        'Move {count} documents to a folder',
      )}
      description={t('Links stay as they are. Choose a folder, or type the name of a new one.')}
    >
      <MoveForm {...props} />
    </Dialog>
  )
}

function MoveForm({ workspace, selected, from, close, onMoved }: Omit<Props, 'open'>) {
  const [typedText, setTypedText] = useState('')
  const [keepsFolders, setKeepsFolders] = useState(belowOf(from) !== undefined)
  const folder = typedText.trim()
  const deepPath = deepPathOf(from)
  const below = keepsFolders && deepPath !== undefined ? from.folder : undefined
  const move = useMoveDocuments(workspace, (documentIds) => {
    close()
    onMoved(documentIds)
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const documentIds = inOrderOfMove([...selected], from.pathById, { destination: folder, below })
    move.mutate({ documentIds, folder, below })
  }
  return (
    <form onSubmit={submit}>
      <FolderField
        workspace={workspace}
        value={typedText}
        onChange={setTypedText}
        problem={moveProblem(move.error)}
      />
      {deepPath !== undefined && (
        <label className="mb-4 flex gap-2 text-sm">
          <input
            type="checkbox"
            checked={keepsFolders}
            onChange={({ target }) => setKeepsFolders(target.checked)}
            className="mt-1 self-start"
          />
          <span className="min-w-0">
            {from.folder === ROOT
              ? t('Keep the folders in which they are')
              : t('Keep the folders below “{folder}”', { folder: from.folder })}
            <span className="block break-words text-soft">
              {t('For example: {path}', {
                path: newPathOf(deepPath, typedFolder(folder), below),
              })}
            </span>
          </span>
        </label>
      )}
      <div className="flex justify-end">
        <Button kind="primary" type="submit" disabled={move.isPending}>
          {t('Move to folder')}
        </Button>
      </div>
    </form>
  )
}
