// The answer to a request that needs a session and has none, or one that has ended.

import { ApiError } from '../errors.ts'

export const notSignedIn = (): ApiError =>
  new ApiError(401, 'unauthorized', 'You are not signed in. Sign in and try again.')
