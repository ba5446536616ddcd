// Request and response bodies of the account routes beside /v1.

import { z } from 'zod'
import { LANGUAGES, type Language } from '../messages/messages.ts'
import { instant, text, uuid } from './fields.ts'
import { proof } from './second-factor.ts'

export const MemberRole = z.enum(['owner', 'editor', 'viewer'])

const password = z.string().min(1).max(4000)

/** An email address that is only looked up, so its format does not matter. */
export const anyEmail = text(1, 254)

export const SignIn = z.object({ email: anyEmail, password })
export type SignIn = z.infer<typeof SignIn>

/**
 * No invisible characters and no compatibility forms (NFKC): two addresses that look alike, or are one account for Kenning, may
 * be different mailboxes for a mail server.
 */
const isPlain = (address: string): boolean =>
  !/\p{C}/u.test(address) && address.normalize('NFKC') === address.normalize('NFC')

export const Email = z
  // Allows intranet addresses such as admin@localhost, but no spaces and control characters.
  .string()
  .max(254)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is what it is for
  .regex(/^[^\s@\u0000-\u001f\u007f]{1,64}@[^\s@\u0000-\u001f\u007f]+$/, 'This is not a valid email address')
  .refine(isPlain, 'This is not a valid email address')

export const AccountCreate = z.object({
  email: Email,
  password,
  setup_token: z.string().max(200).optional(),
  invitation: z.string().max(200).optional(),
})
export type AccountCreate = z.infer<typeof AccountCreate>

/** The proof of the second factor is optional only for accounts without one. */
export const PasswordChange = z.object({
  password,
  new_password: password,
  ...proof,
})
/** The password is optional only for accounts without one, the proof for those without a second factor. */
export const AccountDelete = z.object({ password: password.optional(), ...proof })

/** Null: the language of the browser. */
export const AccountUpdate = z.object({ language: z.enum(LANGUAGES).nullable() })

/** Requests a reset link, or uses one to set a password. */
export const Reset = z.union([
  z.object({ token: z.string().min(1).max(200), password }),
  z.object({ email: anyEmail }),
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
  /** Whether signing in with the password asks for a code. */
  second_factor: boolean
  /** Whether a group of the company gives the right of an administrator, so that it ends with the group. */
  admin_by_group: boolean
  created_at: string
}

/** With a workspace (owned by the administrator) the new user becomes a member, by default as viewer. */
export const InvitationCreate = z
  .object({ email: Email.optional(), workspace_id: uuid.optional(), role: MemberRole.optional() })
  .refine(({ workspace_id, role }) => role === undefined || workspace_id !== undefined, {
    message: 'role requires workspace_id',
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

/** The only response that contains the link. */
export interface NewInvitation extends Invitation {
  link: string
}

export interface Grant {
  id: string
  client_id: string
  client_name: string
  scopes: string[]
  created_at: string
  /** When the client last received a token. A token is valid for an hour. */
  last_used_at: string
  /** The address to which the client was redirected when it received access. Null if that is not known any more. */
  returns_to: { kind: 'web' | 'loopback' | 'application'; shown: string } | null
}

/** Who is signed in, and the properties of this server that the account pages need. */
export interface Account {
  id: string
  email: string
  admin: boolean
  /** Of the console and of mail. Null: the language of the browser. */
  language: Language | null
  has_password: boolean
  /** Name of the company sign-in, if there is one. */
  company: string | null
  /** Invitations and reset links are sent by mail. */
  sends_mail: boolean
  api_url: string
  mcp_url: string
}

/** Where somebody is signed in. */
export interface Session {
  id: string
  /** As the browser names itself; null until it has asked for an access token. */
  user_agent: string | null
  created_at: string
  /** Accurate to 15 minutes. */
  used_at: string
  /** The session that asks. */
  is_current: boolean
}

/** A link that signs the same person in on another device, once; `next` is the path of the console that it opens. */
export const SignInLinkCreate = z.object({
  next: z
    .string()
    .max(2000)
    .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'This must be a path of this server, such as /w/…')
    .default('/'),
})
export interface SignInLink {
  link: string
  expires_in: number
}

export const BearerToken = z.object({ access_token: z.string(), expires_in: z.int() })

/** The workspaces that a key can read; its owner's current access is checked on each request as well. */
export const KeyCreate = z.object({
  name: text(1, 100, { trim: true }),
  workspace_ids: z.array(uuid).min(1).max(200),
  expires_at: instant.nullable().optional(),
})
export type KeyCreate = z.infer<typeof KeyCreate>

export const Key = z.object({
  id: uuid,
  name: z.string(),
  last_four: z.string(),
  workspace_ids: z.array(uuid),
  created_at: instant,
  expires_at: instant.nullable(),
  /** Accurate to a minute. */
  last_used_at: instant.nullable(),
})
export type Key = z.infer<typeof Key>

/** The only response that contains the key itself. */
export const NewKey = Key.extend({ key: z.string() })
export type NewKey = z.infer<typeof NewKey>
