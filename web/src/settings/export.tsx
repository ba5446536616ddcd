// Exports a workspace as one file. Only owners see this section.

import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '../parts/button.tsx'
import { saveLarge } from '../parts/download.ts'
import { announce } from '../parts/toast.tsx'
import type { Workspace } from '../queries.ts'
import { api } from '../session.ts'

export function Export({ workspace: { id, name } }: { workspace: Workspace }) {
  const save = useMutation({
    mutationFn: () => saveLarge(() => api.bytes('exportWorkspace', { workspace_id: id }), `${name}.zip`),
    onSuccess: (isSaved) => isSaved && announce('The workspace was exported.'),
  })
  return (
    <section className="mb-10">
      <h2 className="mb-1 text-lg font-semibold">Export</h2>
      <p className="mb-3 text-soft">
        One file with the documents and their versions, corrections of the graph and your conversations. “New
        workspace” or <code>kenning import</code> creates a workspace from it, here or on another server.
      </p>
      {save.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {save.error.message}
        </p>
      )}
      <Button disabled={save.isPending} onClick={() => save.mutate()}>
        <Download size={14} /> {save.isPending ? 'Exporting …' : 'Export this workspace'}
      </Button>
    </section>
  )
}
