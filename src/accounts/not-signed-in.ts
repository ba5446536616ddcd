import { ApiError } from '../errors.ts'

export const notSignedIn = (): ApiError =>
  new ApiError(401, 'unauthorized', 'You are not signed in. Sign in and try again.')
