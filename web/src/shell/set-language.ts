// Sets the language of the account and of this browser.

import type { Language } from '../../../src/messages/messages.ts'
import { hasUnsentFiles } from '../documents/uploads.ts'
import { errorText } from '../language/error-text.ts'
import { adoptLanguage, storeLanguage } from '../language/locale.ts'
import { t } from '../language/text.tsx'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'

/** @param next null: the language of the browser */
export async function setLanguage(next: Language | null): Promise<void> {
  try {
    await account('PATCH', '', { language: next })
    if (storeLanguage(next)) loadAgain()
  } catch (error) {
    announce(errorText(error as Error))
  }
}

/** Uses the language of the account, as it was read from the service. */
export function followAccount(ofAccount: Language | null): void {
  if (adoptLanguage(ofAccount)) loadAgain()
}

/** Loads the page again. While files are sent, which would be lost, the reader decides when. */
function loadAgain(): void {
  const reload = (): void => location.reload()
  if (hasUnsentFiles())
    announce(t('Files are still being sent. The language changes when the page is loaded again.'), {
      label: t('Load now'),
      run: reload,
    })
  else reload()
}
