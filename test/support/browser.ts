// A person with a browser, over TCP: follows redirects of the service, signs in, allows, and is sent to the client.

import { hiddenOf } from './oauth.ts'

export interface Credentials {
  email: string
  password: string
}

/** @returns where the client is answered: an address of its own, not visited */
export async function allowInBrowser(address: URL, who: Credentials): Promise<URL> {
  const { origin } = address
  let cookie = ''
  const visit = async (url: URL, form?: Record<string, string>): Promise<URL | string> => {
    const answer = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        ...(cookie ? { cookie } : {}),
        ...(form ? { origin, 'sec-fetch-site': 'same-origin' } : {}),
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    const set = answer.headers.getSetCookie()[0]?.split(';')[0]
    if (set) cookie = set
    const location = answer.headers.get('location')
    if (location !== null) return new URL(location, url)
    if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`)
    return answer.text()
  }
  let step = await visit(address)
  for (let steps = 0; steps < 10; steps++) {
    if (step instanceof URL) {
      if (step.origin !== origin) return step
      step = await visit(step)
      continue
    }
    const hiddenText = hiddenOf(step)
    const isSignIn = step.includes('action="/sign-in"')
    step = isSignIn
      ? await visit(new URL('/sign-in', origin), { ...hiddenText, ...who })
      : await visit(new URL('/oauth/consent', origin), { ...hiddenText, write: 'yes', decision: 'allow' })
  }
  throw new Error('the browser goes round in circles')
}
