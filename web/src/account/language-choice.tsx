// The language of the account. Each language is named in itself, for people who cannot read the present one.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Account } from '../../../src/contract/account.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../src/messages/messages.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { setLanguage } from '../shell/set-language.ts'
import { Section } from './page.tsx'
import { accountQuery } from './queries.ts'

const CHOICES: readonly (Language | null)[] = [null, ...LANGUAGES]

export function LanguageChoice({ me }: { me: Account }) {
  const queries = useQueryClient()
  const choose = useMutation({
    mutationFn: setLanguage,
    onSuccess: () => queries.invalidateQueries(accountQuery),
  })
  return (
    <div id="language" className="scroll-mt-12">
      <Section title={t('Language')}>
        <p className="mb-3 text-soft">{t('Of the console, and of the mails that you get.')}</p>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
        <div role="group" aria-label={t('Language')} className="flex flex-wrap gap-2">
          {CHOICES.map((choice) => (
            <Button
              key={choice ?? 'browser'}
              lang={choice ?? undefined}
              aria-pressed={choice === me.language}
              className={choice === me.language ? 'border-accent text-accent' : ''}
              disabled={choose.isPending}
              onClick={() => choose.mutate(choice)}
            >
              {choice ? LANGUAGE_NAMES[choice] : t('As in the browser')}
            </Button>
          ))}
        </div>
      </Section>
    </div>
  )
}
