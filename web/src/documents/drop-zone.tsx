import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { announce } from '../parts/toast.tsx'
import { filesOfDrop } from './selected-files.ts'
import { startUpload } from './uploads.ts'

/** Accepts files and folders that are dropped anywhere on its content. */
export function DropZone({ workspace, children }: { workspace: string; children: ReactNode }) {
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  // The elements inside send enter and leave events, too, so they are counted.
  const depth = useRef(0)
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')
  const drop = async (event: DragEvent): Promise<void> => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setIsDraggedOver(false)
    try {
      const files = await filesOfDrop(event.dataTransfer)
      if (files.length === 0) announce('There is no file in what was dropped.')
      startUpload(workspace, files)
    } catch {
      announce('The browser could not read what was dropped. Choose the files with the button instead.')
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a button beside it that does the same
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return
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
      {isDraggedOver && (
        <div className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center rounded-xl border-2 border-dashed border-accent bg-tint/90">
          <span className="flex items-center gap-2 font-medium">
            <Upload size={18} /> Drop to upload into this workspace
          </span>
        </div>
      )}
    </div>
  )
}
