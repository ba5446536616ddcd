// What a page shows instead of its content: loading, nothing there, an error, no permission.

import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { KenningError } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button, buttonClass } from './button.tsx'
import { isNotLoaded } from './patiently.ts'

/** Grey lines in place of the text, so that nothing moves when it arrives. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-label={t('Loading')} className="animate-pulse space-y-3 py-2">
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without identity
        <div key={i} className="h-4 rounded bg-line" style={{ width: `${95 - ((i * 17) % 40)}%` }} />
      ))}
    </div>
  )
}

/** In place of a page whose script or data is on its way. */
export function PageSkeleton() {
  return (
    <div className="mx-auto w-full max-w-3xl p-6">
      <Skeleton lines={8} />
    </div>
  )
}

/** The way out of a page that has nothing for the reader. */
export const ToWorkspaces = () => (
  <Link to="/" className={buttonClass()}>
    {t('To your workspaces')}
  </Link>
)

export function Empty({
  title,
  children,
  action,
  page = false,
}: {
  title: string
  /** Whether it is the only content of the page, so that its title is the page's heading. */
  page?: boolean | undefined
  children?: ReactNode
  action?: ReactNode
}) {
  const Heading = page ? 'h1' : 'h2'
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-16 text-center">
      <Heading className="text-base font-semibold">{title}</Heading>
      {children && <div className="text-balance text-soft">{children}</div>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

/** Whether the object was deleted or the viewer may not see it. */
export const isGone = (error: unknown): boolean => error instanceof KenningError && error.status === 404

/** An error in place of the content: what went wrong and what can be done. */
export function Problem({ error, retry, page }: { error: unknown; retry?: () => void; page?: boolean }) {
  const { status, message } =
    error instanceof KenningError
      ? { status: error.status, message: errorText(error) }
      : { status: -1, message: t('This page could not be shown.') }
  if (status === 404)
    return (
      <Empty page={page} title={t('Not found')} action={<ToWorkspaces />}>
        {t('It may have been deleted, or you have no access to it.')}
      </Empty>
    )
  if (status === 403)
    return (
      <Empty page={page} title={t('Not allowed')} action={<ToWorkspaces />}>
        {message} {t('An owner of the workspace can change your role.')}
      </Empty>
    )
  if (isNotLoaded(error))
    return (
      <div role="alert">
        <Empty
          page={page}
          title={t('This page could not be loaded')}
          action={<Button onClick={() => location.reload()}>{t('Load the page again')}</Button>}
        >
          {t('The connection was lost, or Kenning was upgraded meanwhile.')}
        </Empty>
      </div>
    )
  return (
    <div role="alert">
      <Empty
        page={page}
        title={status === 0 ? t('The service cannot be reached') : t('Something went wrong')}
        action={retry && <Button onClick={retry}>{t('Try again')}</Button>}
      >
        {status === 0 ? t('Check your connection. Nothing is lost.') : message}
      </Empty>
    </div>
  )
}

export function PageProblem({ error }: { error: unknown }) {
  const router = useRouter()
  return <Problem page error={error} retry={() => void router.invalidate()} />
}

export function NotFound() {
  return <Empty page title={t('There is no page at this address')} action={<ToWorkspaces />} />
}
