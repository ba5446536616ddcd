// Who uploaded a document, in words. Only owners may list the members, so others learn only what they have uploaded themselves.

import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { t } from '../language/text.tsx'
import { membershipQuery, membersQuery, meQuery } from '../queries.ts'

/** @returns a function whose result is empty if the account is not known */
export function useUploaderName(workspace: string): (accountId: string | null) => string {
  const { data: me } = useQuery(meQuery)
  const { data: membership } = useQuery(membershipQuery(workspace))
  const isOwner = membership?.role === 'owner'
  const { data: members } = useQuery({ ...membersQuery(workspace), enabled: isOwner, staleTime: 60_000 })
  const emails = useMemo(
    () => members && new Map(members.map(({ user_id, email }) => [user_id, email])),
    [members],
  )
  const myId = me?.id
  return useCallback(
    (accountId) => {
      if (accountId === null || myId === undefined) return ''
      if (accountId === myId) return t('You')
      if (emails) return emails.get(accountId) ?? t('A former member')
      return isOwner ? '' : t('Someone else')
    },
    [myId, emails, isOwner],
  )
}
