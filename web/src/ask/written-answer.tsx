// The text of an answer, also while it is written. Then its marks only look like those of the whole answer, whose sources come at
// its end.

import { lazy, type ReactNode, Suspense } from 'react'
import { loadWithRetries } from '../parts/patiently.ts'
import { Skeleton } from '../parts/states.tsx'
import { MARK, QUIET_MARK } from './mark.ts'

// Loaded after the page, so that one can type before it has arrived. Markdown is a third of the page's scripts.
const Markdown = lazy(() =>
  loadWithRetries(() => import('../parts/markdown.tsx')).then((module) => ({ default: module.Markdown })),
)

interface Props {
  text: string
  /** The value that the question asks for, with the number of its source. It is marked in the text. */
  value?: { text: string; citation: number } | undefined
  /** Whether the value stands above the text, too. Not if it came after text that is being read, which it would move. */
  isValueAbove: boolean
  citation: (number: number, key: string) => ReactNode
}

export const AnswerText = ({ text, value, isValueAbove, citation }: Props) => (
  <>
    {value && isValueAbove && (
      <p className="mb-2 font-serif text-2xl leading-snug font-semibold wrap-anywhere">
        {value.text} {citation(value.citation, 'value')}
      </p>
    )}
    <Suspense fallback={<Skeleton lines={3} />}>
      <Markdown text={text} citation={citation} markedText={value?.text} />
    </Suspense>
  </>
)

const mark = (number: number, key: string) => (
  <span key={key} className={`${MARK} ${QUIET_MARK}`}>
    {number}
  </span>
)

export const WrittenAnswer = (props: Omit<Props, 'citation'>) => <AnswerText {...props} citation={mark} />
