// Bodies of the routes beside /v1: signing in and making an account.

import { z } from 'zod'
import { instant, text, uuid } from './fields.ts'

export const MemberRole = z.enum(['owner', 'editor', 'viewer'])

const password = z.string().min(1).max(4000)

/** An address to be looked up: whatever it is, no database refuses it. */
const address = text(1, 254)

export const SignIn = z.object({ email: address, password })
export type SignIn = z.infer<typeof SignIn>

/**
 * Nothing that cannot be seen, and no letters that stand for others (NFKC): of two addresses that look alike to people or
 * are one account to us, mail servers and providers may make two mailboxes.
 */
const isPlain = (address: string): boolean =>
  !/\p{C}/u.test(address) && address.normalize('NFKC') === address.normalize('NFC')

export const Email = z
  // Also what intranets use, such as admin@localhost; control characters and spaces are in no address.
  .string()
  .max(254)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is what it is for
  .regex(/^[^\s@\u0000-\u001f\u007f]{1,64}@[^\s@\u0000-\u001f\u007f]+$/, 'This is not an e-mail address')
  .refine(isPlain, 'This is not an e-mail address')

export const AccountCreate = z.object({
  email: Email,
  password,
  setup_token: z.string().max(200).optional(),
  invitation: z.string().max(200).optional(),
})
export type AccountCreate = z.infer<typeof AccountCreate>

export const PasswordChange = z.object({ password, new_password: password })
/** Without the password only where the account has none. */
export const AccountDelete = z.object({ password: password.optional() })

/** Asks for a link, or redeems one. */
export const Reset = z.union([
  z.object({ token: z.string().min(1).max(200), password }),
  z.object({ email: address }),
])

export const UserUpdate = z.object({
  status: z.enum(['active', 'suspended']).optional(),
  admin: z.boolean().optional(),
})
export type UserUpdate = z.infer<typeof UserUpdate>

export interface User {
  id: string
  email: string
  admin: boolean
  status: 'active' | 'suspended'
  created_at: string
}

/** With a workspace, of which the administrator is an owner: into it, as a viewer unless a role is named. */
export const InvitationCreate = z
  .object({ email: Email.optional(), workspace_id: uuid.optional(), role: MemberRole.optional() })
  .refine(({ workspace_id, role }) => role === undefined || workspace_id !== undefined, {
    message: 'A role needs a workspace_id',
    path: ['workspace_id'],
  })
export type InvitationCreate = z.infer<typeof InvitationCreate>

export interface Invitation {
  id: string
  email: string | null
  workspace_id: string | null
  role: 'owner' | 'editor' | 'viewer' | null
  created_at: string
  expires_at: string
}

/** The one answer that has the link. */
export interface NewInvitation extends Invitation {
  link: string
}

export interface Grant {
  id: string
  client_id: string
  client_name: string
  scopes: string[]
  created_at: string
}

export const BearerToken = z.object({ access_token: z.string(), expires_in: z.int() })
export type BearerToken = z.infer<typeof BearerToken>

/** Which workspaces a key may read; never more than its owner may, asked on each request. */
export const KeyCreate = z.object({
  name: text(1, 100, { trim: true }),
  workspace_ids: z.array(uuid).min(1).max(200),
  expires_at: instant.nullable().optional(),
})
export type KeyCreate = z.infer<typeof KeyCreate>

export interface Key {
  id: string
  name: string
  last_four: string
  workspace_ids: string[]
  created_at: string
  expires_at: string | null
  /** Exact to a minute. */
  last_used_at: string | null
}

/** The one answer that has the key itself. */
export interface NewKey extends Key {
  key: string
}
