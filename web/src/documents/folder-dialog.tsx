// The dialogs in which a folder is moved to another one, or gets another name.

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { usePausedText } from '../parts/use-paused-text.ts'
import { foldersQuery } from '../queries.ts'
import { api } from '../session.ts'
import { FolderField } from './folder-field.tsx'
import {
  type FolderMove,
  isFolderName,
  isWithin,
  lastStep,
  parentOf,
  pathIn,
  ROOT,
  typedFolder,
} from './folders.ts'
import { moveProblem } from './moving.ts'
import { useMoveFolder } from './use-move.ts'

const TYPING_PAUSE_MS = 150

interface Props {
  workspace: string
  folder: string
  action: 'move' | 'rename'
  open: boolean
  close: () => void
  follow: (move: FolderMove, movedPaths?: readonly string[]) => void
}

export function FolderDialog({ open, ...props }: Props) {
  const { folder, action, close } = props
  const name = lastStep(folder)
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={
        action === 'move'
          ? t('Move “{folder}” to a folder', { folder: name })
          : t('Rename “{title}”', { title: name })
      }
      description={
        action === 'move'
          ? t(
              'Everything in it comes along. Links stay as they are. Choose a folder, or type the name of a new one.',
            )
          : t('Links stay as they are.')
      }
    >
      <FolderForm {...props} />
    </Dialog>
  )
}

/**
 * Whether there is a folder of this path. The service is asked for those that are not listed, because the list may be a minute old
 * and leaves out the deepest folders of large workspaces.
 */
function useDoesExist(workspace: string, folder: string): boolean {
  const { data: folders } = useQuery(foldersQuery(workspace))
  const isListed = folders?.data.some(({ path }) => path === folder) ?? false
  const askedFolder = usePausedText(folder, TYPING_PAUSE_MS)
  const { data: documents } = useQuery({
    queryKey: ['workspace', workspace, 'folder', askedFolder],
    queryFn: ({ signal }) =>
      api.listDocumentDetails({ workspace_id: workspace, folder: askedFolder, limit: 1 }, { signal }),
    enabled: askedFolder !== ROOT && askedFolder === folder && !isListed,
  })
  return isListed || (askedFolder === folder && documents !== undefined && documents.data.length > 0)
}

function FolderForm({ workspace, folder, action, close, follow }: Omit<Props, 'open'>) {
  const [typedText, setTypedText] = useState(action === 'move' ? '' : lastStep(folder))
  const [problem, setProblem] = useState<string>()
  const move = useMoveFolder(workspace, follow)
  const parent = parentOf(folder) ?? ROOT
  const to =
    action === 'move'
      ? pathIn(typedFolder(typedText), lastStep(folder))
      : pathIn(parent, typedText.normalize('NFC').trim())
  const change = (text: string): void => {
    setTypedText(text)
    setProblem(undefined)
    move.reset()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (action === 'rename' && !isFolderName(typedText.trim()))
      setProblem(t('This cannot be the name of a folder.'))
    else if (action === 'rename' && to === folder) close()
    else if (to === folder) setProblem(t('The folder is there already.'))
    else if (action === 'move' && isWithin(typedFolder(typedText), folder))
      setProblem(t('A folder cannot be moved into itself.'))
    else move.mutate({ from: folder, to }, { onSuccess: close })
  }
  const doesExist = useDoesExist(workspace, to)
  const isOther = !isWithin(to, folder) && doesExist
  const fieldProps = {
    value: typedText,
    hint: isOther
      ? t('There is a folder “{folder}” already: the two become one.', { folder: to })
      : undefined,
    problem: problem ?? moveProblem(move.error),
  }
  return (
    <form onSubmit={submit}>
      {action === 'move' ? (
        <FolderField
          {...fieldProps}
          workspace={workspace}
          onChange={change}
          isOffered={(path) => path !== parent && !isWithin(path, folder)}
        />
      ) : (
        <Field
          {...fieldProps}
          label={t('Name')}
          required
          maxLength={500}
          autoComplete="off"
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => change(target.value)}
        />
      )}
      <div className="flex justify-end">
        <Button kind="primary" type="submit" disabled={move.isPending}>
          {action === 'move' ? t('Move to folder') : t('Rename')}
        </Button>
      </div>
    </form>
  )
}
