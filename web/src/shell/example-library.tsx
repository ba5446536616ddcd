// Offers example documents in an empty workspace.

import { useMutation } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { followJob } from '../documents/uploads.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { randomId } from '../parts/random-id.ts'
import { announce } from '../parts/toast.tsx'
import { api } from '../session.ts'

export function ExampleLibrary({ workspace }: { workspace: string }) {
  const add = useMutation({
    mutationFn: () => api.addExamples({ workspace_id: workspace }, { idempotencyKey: randomId() }),
    onSuccess: (job) => followJob(workspace, job),
    onError: (error) => announce(errorText(error)),
  })
  return (
    <div className="text-center">
      <Button disabled={add.isPending || add.isSuccess} onClick={() => add.mutate()}>
        <BookOpen size={14} /> {t('Try it with an example library')}
      </Button>
      <p className="mt-2 text-sm text-soft" role="status">
        {add.isSuccess
          ? t('The documents are being read. They appear here as soon as each can be searched.')
          : t('Fifteen documents of a small company: a lease, accounts, minutes, scans, spreadsheets.')}
      </p>
    </div>
  )
}
