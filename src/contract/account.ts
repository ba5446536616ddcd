// Bodies of the routes beside /v1: signing in and making an account (auth.md, "Accounts and sessions: fixed routes").

import { z } from 'zod'

const password = z.string().min(1).max(4000)

export const SignIn = z.object({ email: z.string().min(1).max(254), password })
export type SignIn = z.infer<typeof SignIn>

export const AccountCreate = z.object({
  // Also what intranets use, such as admin@localhost; control characters and spaces are in no address.
  email: z
    .string()
    .max(254)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is what it is for
    .regex(/^[^\s@\u0000-\u001f\u007f]{1,64}@[^\s@\u0000-\u001f\u007f]+$/, 'This is not an e-mail address'),
  password,
  setup_token: z.string().max(200).optional(),
})
export type AccountCreate = z.infer<typeof AccountCreate>

export const BearerToken = z.object({ access_token: z.string(), expires_in: z.int() })
export type BearerToken = z.infer<typeof BearerToken>
