// An empty workspace as viewers see it: they cannot add documents, so they are not asked to.

import { t } from '../language/text.tsx'

export const EmptyForViewers = () => (
  <div className="py-12 text-center">
    <h2 className="mb-2 text-lg font-semibold">{t('This workspace is empty')}</h2>
    <p className="text-soft">{t('Its owners and editors add documents. Then you can ask about them.')}</p>
  </div>
)
