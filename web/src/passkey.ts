// The script of the sign-in page that asks for a passkey. It shows the button, asks the browser, and sends the answer with the form.

import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'

const form = document.querySelector<HTMLFormElement>('#passkey-form')
const problem = document.querySelector<HTMLElement>('#passkey-problem')
const answer = form?.querySelector<HTMLInputElement>('input[name="passkey"]')

async function askForPasskey(): Promise<void> {
  if (!form || !answer) return
  if (problem) problem.hidden = true
  try {
    const optionsJSON: PublicKeyCredentialRequestOptionsJSON = JSON.parse(form.dataset.options ?? '')
    answer.value = JSON.stringify(await startAuthentication({ optionsJSON }))
    form.submit()
  } catch {
    // The person has cancelled, or the browser has no such passkey. A code still works.
    if (problem) problem.hidden = false
  }
}

if (form && 'PublicKeyCredential' in globalThis) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void askForPasskey()
  })
}
