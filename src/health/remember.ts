// The last good answer of a server that may cost money for each request, so that a page that is open all day asks it seldom.

const ANSWER_MS = 15 * 60_000

const answers = new WeakMap<object, { at: number; answer: unknown }>()

/**
 * What `ask` returned within the last quarter of an hour, if it was good; otherwise what it returns now.
 * @param server its memory ends with it: one that was set anew is asked at once
 */
export async function remembered<T extends { status: string }>(
  server: object,
  ask: () => Promise<T>,
): Promise<T> {
  const last = answers.get(server)
  if (last && Date.now() - last.at < ANSWER_MS) return last.answer as T
  const answer = await ask()
  if (answer.status === 'ok') answers.set(server, { at: Date.now(), answer })
  else answers.delete(server)
  return answer
}
