// Exports a workspace as one file. Only owners see this section.

import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { errorText } from '../language/error-text.ts'
import { rich, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { saveLarge } from '../parts/download.ts'
import { announce } from '../parts/toast.tsx'
import type { Workspace } from '../queries.ts'
import { api } from '../session.ts'

export function Export({ workspace: { id, name } }: { workspace: Workspace }) {
  const save = useMutation({
    mutationFn: () => saveLarge(() => api.bytes('exportWorkspace', { workspace_id: id }), `${name}.zip`),
    onSuccess: (isSaved) => isSaved && announce(t('The workspace was exported.')),
  })
  return (
    <section className="mb-10">
      <h2 className="mb-1 text-lg font-semibold">{t('Export')}</h2>
      <p className="mb-3 text-soft">
        {rich(
          'One file with the documents and their versions, corrections of the graph and your conversations. “New workspace” or {command} creates a workspace from it, here or on another server.',
          { command: <code>kenning import</code> },
        )}
      </p>
      {save.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {errorText(save.error)}
        </p>
      )}
      <Button disabled={save.isPending} onClick={() => save.mutate()}>
        <Download size={14} /> {save.isPending ? t('Exporting …') : t('Export this workspace')}
      </Button>
    </section>
  )
}
