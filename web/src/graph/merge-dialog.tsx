// The dialog in which a person chooses the entity to merge and confirms the merge.

import { useState } from 'react'
import { plural, rich, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { EntityChoice } from './entity-choice.tsx'
import { typeLabel } from './types.ts'
import { useMerging } from './use-merging.ts'

export interface MergeCandidate {
  id: string
  name: string
  type?: string
  mention_count?: number
}

interface Props {
  workspace: string
  into: { id: string; name: string }
  /** Undefined if the entity is chosen in the dialog. */
  preselected: MergeCandidate | undefined
  close: () => void
}

export function MergeDialog({ workspace, into, preselected, close }: Props) {
  const [other, setOther] = useState(preselected)
  const { merge } = useMerging(workspace, into)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={
        other ? t('Are these the same?') : t('Which entity is the same as “{name}”?', { name: into.name })
      }
    >
      {other ? (
        <>
          <p className="mb-3">
            {rich('{other} becomes another name of {into}.', {
              other: (
                <>
                  <strong>{other.name}</strong>
                  {other.mention_count !== undefined &&
                    ` (${typeLabel(other.type ?? '')}, ${plural(other.mention_count, 'mention')})`}
                </>
              ),
              into: <strong>{into.name}</strong>,
            })}
          </p>
          <p className="mb-4 text-soft">
            {t(
              'Their mentions, relations and passages count together, for everyone in this workspace. Documents do not change. You can undo it here at any time.',
            )}
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button
              kind="primary"
              disabled={merge.isPending}
              onClick={() => merge.mutate(other, { onSettled: close })}
            >
              {t('Merge')}
            </Button>
          </div>
        </>
      ) : (
        <EntityChoice workspace={workspace} excludedId={into.id} choose={setOther} />
      )}
    </Dialog>
  )
}
