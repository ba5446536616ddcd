// Leads from documents that can be searched to the page to ask.

import { Link } from '@tanstack/react-router'
import { t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'

export function AskLink({ workspace }: { workspace: string }) {
  return (
    <Link
      to="/w/$workspace"
      params={{ workspace }}
      activeOptions={{ exact: true }}
      activeProps={{ className: 'hidden' }}
      className={buttonClass('quiet', 'text-accent!')}
    >
      {t('Ask about them')}
    </Link>
  )
}
