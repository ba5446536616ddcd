// What can be done with a folder of the list: a menu of it, its dialogs, and what a reader sees afterwards.

import { FolderInput, Pencil, Trash2 } from 'lucide-react'
import { type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../language/text.tsx'
import { Menu, type MenuPlace } from '../parts/menu.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { type FolderMove, folderToFollow, isWithin, lastStep, pathIn } from './folders.ts'
import { announceProblem, useMoveFolder } from './use-move.ts'
import { useTrashFolder } from './use-trash-folder.ts'

export interface FolderActions {
  openMenu: (folder: string, place: MenuPlace) => void
  /** Opens the menu at a button that was clicked, or leaves it closed if the button is what closed it. */
  toggleMenu: (folder: string, click: Pick<MouseEvent, 'currentTarget' | 'detail'>) => void
  rename: (folder: string) => void
  trash: (folder: string) => void
  /** Moves a folder into another one at once. */
  moveInto: (folder: string, destination: string) => void
  /** The last move. The tree has the folder open and focused where it is now, as it was before. */
  lastMove: FolderMove | undefined
}

export function useFolderActions(
  workspace: string,
  { folder: shownFolder, choose }: { folder: string; choose: (path: string) => void },
): {
  actions: FolderActions
  /** The folder whose menu is open. */
  menuFolder: string | undefined
  overlays: ReactNode
} {
  const [menu, setMenu] = useState<{ folder: string; place: MenuPlace }>()
  const [dialog, setDialog] = useState<{ folder: string; action: 'move' | 'rename'; open: boolean }>()
  const [lastMove, setLastMove] = useState<FolderMove>()
  // What is open belongs to the workspace in which it was opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another workspace is shown
  useEffect(
    () => () => {
      setMenu(undefined)
      setDialog(undefined)
      setLastMove(undefined)
    },
    [workspace],
  )
  // The folder whose menu was open when the pointer was pressed. The browser closes a menu before it tells of the click.
  const pressedFolder = useRef<string>(undefined)
  const menuFolder = menu?.folder
  useEffect(() => {
    const onPress = (): void => {
      pressedFolder.current = menuFolder
    }
    addEventListener('pointerdown', onPress, true)
    return () => removeEventListener('pointerdown', onPress, true)
  }, [menuFolder])
  // An undo comes when the reader may be in another folder, workspace or page.
  const current = useRef<{ workspace: string; folder: string }>(undefined)
  useEffect(() => {
    current.current = { workspace, folder: shownFolder }
    return () => {
      current.current = undefined
    }
  }, [workspace, shownFolder])
  const follow = useCallback(
    (move: FolderMove, movedPaths?: readonly string[]): void => {
      if (current.current?.workspace !== workspace) return
      setLastMove(move)
      const next = folderToFollow(current.current.folder, move, movedPaths)
      if (next !== undefined) choose(next)
    },
    [workspace, choose],
  )
  const { trashFolder, isTrashing } = useTrashFolder(workspace, (trashed, parent) => {
    if (isWithin(shownFolder, trashed)) choose(parent)
  })
  const { mutateAsync: move } = useMoveFolder(workspace, follow)
  const actions = useMemo(
    (): FolderActions => ({
      openMenu: (folder, place) => setMenu({ folder, place }),
      toggleMenu: (folder, { currentTarget, detail: clicks }) => {
        // A key clicks without a pointer.
        if (clicks > 0 && pressedFolder.current === folder) return
        const { left, bottom } = currentTarget.getBoundingClientRect()
        setMenu({ folder, place: { left, top: bottom } })
      },
      rename: (folder) => setDialog({ folder, action: 'rename', open: true }),
      trash: (folder) => isTrashing || trashFolder(folder),
      moveInto: (folder, destination) =>
        void move({ from: folder, to: pathIn(destination, lastStep(folder)) }).catch(announceProblem),
      lastMove,
    }),
    [trashFolder, isTrashing, move, lastMove],
  )
  const overlays = (
    <>
      {menu && (
        <Menu
          key={`${menu.folder} ${menu.place.left} ${menu.place.top}`}
          label={t('Actions for “{folder}”', { folder: lastStep(menu.folder) })}
          place={menu.place}
          // The browser tells of a closed menu a moment later. Another one may be open then.
          close={() => setMenu((latest) => (latest === menu ? undefined : latest))}
          actions={[
            {
              label: t('Move …'),
              icon: FolderInput,
              run: () => setDialog({ folder: menu.folder, action: 'move', open: true }),
            },
            { label: t('Rename …'), icon: Pencil, run: () => actions.rename(menu.folder) },
            { label: t('Move to trash'), icon: Trash2, run: () => actions.trash(menu.folder) },
          ]}
        />
      )}
      {dialog && (
        <FolderDialog
          {...dialog}
          workspace={workspace}
          close={() => setDialog({ ...dialog, open: false })}
          follow={follow}
        />
      )}
    </>
  )
  return { actions, menuFolder, overlays }
}
