// The same action for many documents, of which the API takes one at a time.

import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'

const MAX_CONCURRENT = 4

/** Runs `act` for every document, even if it fails for some. @throws the first error, with the number of documents that failed */
export async function forEachDocument(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<void> {
  const queue = [...ids]
  const errors: Error[] = []
  const next = async (): Promise<void> => {
    for (let id = queue.shift(); id; id = queue.shift())
      await act(id).catch((error: unknown) =>
        errors.push(error instanceof Error ? error : new Error(String(error))),
      )
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, next))
  const [firstError] = errors
  if (firstError)
    throw errors.length === 1
      ? firstError
      : new Error(
          t('{documents} failed. {reason}', {
            documents: plural(errors.length, 'document'),
            reason: errorText(firstError),
          }),
        )
}
