// The text of an answer while it is written. Its marks look like those of the whole answer, whose sources come at its end.

import { lazy, Suspense } from 'react'
import { loadWithRetries } from '../parts/patiently.ts'
import { Skeleton } from '../parts/states.tsx'
import { MARK, QUIET_MARK } from './mark.ts'

// Loaded after the page, so that one can type before it has arrived. Markdown is a third of the page's scripts.
export const Markdown = lazy(() =>
  loadWithRetries(() => import('../parts/markdown.tsx')).then((module) => ({ default: module.Markdown })),
)

const mark = (number: number, key: string) => (
  <span key={key} className={`${MARK} ${QUIET_MARK}`}>
    {number}
  </span>
)

export const WrittenAnswer = ({ text }: { text: string }) => (
  <Suspense fallback={<Skeleton lines={3} />}>
    <Markdown text={text} citation={mark} />
  </Suspense>
)
