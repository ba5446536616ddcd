// Where the user is signed in, and signing out: here, in one other browser, or everywhere.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '../../../src/contract/account.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { formatAgo, formatDate } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { account, signOut } from '../session.ts'
import { SITE } from '../site.ts'
import { Section } from './page.tsx'
import { clientOf } from './user-agent.ts'

const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async () => (await account<{ data: Session[] }>('GET', '/sessions')).data,
})

function nameOf({ user_agent }: Session): string {
  const { browser, system } = clientOf(user_agent ?? '')
  if (browser && system) return t('{browser} on {system}', { browser, system })
  return browser ?? system ?? t('Another program')
}

export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: (id: string) => account('DELETE', `/sessions/${id}`),
    onError: (problem) => announce(errorText(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const signOutEverywhere = useMutation({
    mutationFn: () => account('DELETE', '/sessions'),
    onSuccess: () => location.assign(`${SITE}/sign-in`),
    onError: (problem) => announce(errorText(problem)),
  })
  return (
    <Section title={t('Where you are signed in')}>
      {error && !sessions && <Problem error={error} retry={() => void refetch()} />}
      {!error && !sessions && <Skeleton lines={3} />}
      {sessions && (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {sessions.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <div className="min-w-0 flex-1 basis-60">
                <div className="truncate">
                  {session.is_current
                    ? t('{browser} (this one)', { browser: nameOf(session) })
                    : nameOf(session)}
                </div>
                <div className="text-sm text-soft">
                  {t('last used {ago} · since {date}', {
                    ago: formatAgo(session.used_at),
                    date: formatDate(session.created_at),
                  })}
                </div>
              </div>
              {!session.is_current && (
                <Button
                  aria-label={t('End the session: {browser}', { browser: nameOf(session) })}
                  disabled={end.isPending}
                  onClick={() => end.mutate(session.id)}
                >
                  {t('End')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="mb-3 text-soft">
        {t(
          '“Sign out everywhere” ends all your sessions, this one included. API keys and connections keep working until you revoke them.',
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void signOut(queries).catch((problem: Error) => announce(errorText(problem)))}>
          {t('Sign out')}
        </Button>
        <Button disabled={signOutEverywhere.isPending} onClick={() => signOutEverywhere.mutate()}>
          {t('Sign out everywhere')}
        </Button>
      </div>
    </Section>
  )
}
