// Shares a conversation with the members of the workspace by a link, and takes that back.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Link2, Link2Off, Share2 } from 'lucide-react'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { announce } from '../parts/toast.tsx'
import { threadQuery } from '../queries.ts'
import { api } from '../session.ts'

interface Props {
  workspace: string
  thread: string
  isShared: boolean
}

export function Share({ workspace, thread, isShared }: Props) {
  const queries = useQueryClient()
  const ids = { workspace_id: workspace, thread_id: thread }
  const { href } = useRouter().buildLocation({
    to: '/w/$workspace/shared/$thread',
    params: { workspace, thread },
  })
  const link = new URL(href, location.href).href
  const refresh = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: threadQuery(workspace, thread).queryKey })
  const copy = (): Promise<void> => navigator.clipboard.writeText(link).catch(() => undefined)
  const copyLink = async (): Promise<void> => {
    await copy()
    announce(t('The link was copied.'))
  }
  const sharing = useMutation({
    mutationFn: () => api.putShare(ids),
    onSuccess: async () => {
      await copy()
      announce(t('Members of this workspace can read the conversation as it is now. The link was copied.'))
      await refresh()
    },
  })
  return (
    <div className="-ml-3 flex flex-wrap items-center gap-1 text-sm">
      {isShared && (
        <Button kind="quiet" onClick={() => void copyLink()}>
          <Link2 size={14} aria-hidden /> {t('Copy the link for members')}
        </Button>
      )}
      <Button kind="quiet" disabled={sharing.isPending} onClick={() => sharing.mutate()}>
        <Share2 size={14} aria-hidden /> {isShared ? t('Share it as it is now') : t('Share with members')}
      </Button>
      {isShared && <Withdraw {...{ workspace, thread }} done={refresh} />}
      {isShared && <p className="text-soft">{t('Members do not see what was asked after you shared it.')}</p>}
      {sharing.error && (
        <span role="alert" className="text-bad">
          {t('That did not work. Try again.')}
        </span>
      )}
    </div>
  )
}

interface WithdrawProps {
  workspace: string
  thread: string
  done: () => Promise<void> | void
}

/** Ends the sharing: for the conversation's owner, and on the shared page for owners of the workspace. */
export function Withdraw({ workspace, thread, done }: WithdrawProps) {
  const withdrawing = useMutation({
    mutationFn: () => api.deleteShare({ workspace_id: workspace, thread_id: thread }),
    onSuccess: async () => {
      announce(t('The link no longer works.'))
      await done()
    },
  })
  return (
    <>
      <Button kind="quiet" disabled={withdrawing.isPending} onClick={() => withdrawing.mutate()}>
        <Link2Off size={14} aria-hidden /> {t('Stop sharing')}
      </Button>
      {withdrawing.error && (
        <span role="alert" className="text-bad">
          {t('That did not work. Try again.')}
        </span>
      )}
    </>
  )
}
