// The queries of the account's pages. They use the routes beside /v1, with the session's cookie.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Account, Grant, Invitation, Key, User } from '../../../src/contract/account.ts'
import { account } from '../session.ts'
import { followAccount } from '../shell/set-language.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => {
    const me = await account<Account>('GET', '')
    followAccount(me.language)
    return me
  },
  staleTime: 300_000,
})

/** The ids of the workspaces that the account owns. Its key lets it be asked again with the list of workspaces. */
export const ownedWorkspacesQuery = queryOptions({
  queryKey: ['workspaces', 'owned'],
  queryFn: async () => new Set((await account<{ data: string[] }>('GET', '/owned-workspaces')).data),
  staleTime: 60_000,
})

export const keysQuery = queryOptions({
  queryKey: ['account', 'keys'],
  queryFn: async () => (await account<{ data: Key[] }>('GET', '/keys')).data,
})

export const grantsQuery = queryOptions({
  queryKey: ['account', 'grants'],
  queryFn: async () => (await account<{ data: Grant[] }>('GET', '/grants')).data,
})

export const invitationsQuery = queryOptions({
  queryKey: ['account', 'invitations'],
  queryFn: async () => (await account<{ data: Invitation[] }>('GET', '/invitations')).data,
})

export const usersQuery = infiniteQueryOptions({
  queryKey: ['account', 'users'],
  queryFn: ({ pageParam }) =>
    account<{ data: User[]; has_more: boolean }>('GET', `/users${pageParam ? `?after=${pageParam}` : ''}`),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ data, has_more }) => (has_more ? data.at(-1)?.id : undefined),
})
