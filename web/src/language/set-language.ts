// Sets the language of the account and of this browser.

import type { Language } from '../../../src/messages/messages.ts'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'
import { errorText } from './error-text.ts'
import { chooseLanguage } from './locale.ts'

/** @param next null: the language of the browser */
export async function setLanguage(next: Language | null): Promise<void> {
  try {
    await account('PATCH', '', { language: next })
    chooseLanguage(next)
  } catch (error) {
    announce(errorText(error as Error))
  }
}
