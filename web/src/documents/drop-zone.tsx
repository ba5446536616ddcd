import { useSearch } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../language/text.tsx'
import { announce } from '../parts/toast.tsx'
import { filesOfDrop, inFolder } from './selected-files.ts'
import { startUpload } from './uploads.ts'

interface Props {
  workspace: string
  /** Otherwise dropped files are refused: without that the browser would leave the page and open them. */
  mayUpload: boolean
  children: ReactNode
}

/** Accepts files and folders that are dropped anywhere on its content. */
export function DropZone({ workspace, mayUpload, children }: Props) {
  const { folder = '' } = useSearch({ strict: false })
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  // The elements inside send enter and leave events, too, so they are counted.
  const depth = useRef(0)
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')
  const drop = async (event: DragEvent): Promise<void> => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setIsDraggedOver(false)
    if (!mayUpload) return announce(t('You can read this workspace, but not add documents to it.'))
    try {
      const files = await filesOfDrop(event.dataTransfer)
      if (files.length === 0) announce(t('There is no file in what was dropped.'))
      startUpload(workspace, inFolder(files, folder))
    } catch {
      announce(t('The browser could not read what was dropped. Choose the files with the button instead.'))
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button beside it that does the same
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return
        // Where the pointer comes to another element, this event alone decides whether a drop is taken (HTML, 6.11.5).
        event.preventDefault()
        depth.current++
        setIsDraggedOver(true)
      }}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault()
      }}
      onDragLeave={(event) => {
        if (hasFiles(event) && --depth.current === 0) setIsDraggedOver(false)
      }}
      onDrop={(event) => void drop(event)}
    >
      {children}
      {isDraggedOver && mayUpload && (
        <div className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center rounded-xl border-2 border-dashed border-accent bg-tint/90">
          <span className="flex items-center gap-2 font-medium">
            <Upload size={18} />{' '}
            {folder
              ? t('Drop to upload into “{folder}”', { folder })
              : t('Drop to upload into this workspace')}
          </span>
        </div>
      )}
    </div>
  )
}
