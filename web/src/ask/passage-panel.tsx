// The passage behind a citation: the image of its page with the place marked, and the text with the cited sentences marked.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { PageImage } from '../document/page-image.tsx'
import { t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'
import { ChunkText } from '../parts/chunk-text.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { passageWithSource } from '../parts/passage-text.ts'
import { SidePanel } from '../parts/side-panel.tsx'
import { boxesWith, type Span, spansText } from '../parts/spans.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { turnCitationsQuery } from '../queries.ts'

interface Props {
  workspace: string
  thread: string
  turn: number
  number: number
  /** The address at which a person can open it. */
  url: string | null | undefined
  close: () => void
}

/** The cited sentences, or the whole text if they are not known. */
const citedText = (text: string, spans: readonly Span[]): string =>
  spans.map(({ start, end }) => text.slice(start, end).trim()).join('\n\n') || text

export function PassagePanel({ workspace, thread, turn, number, url, close }: Props) {
  const { data, error, refetch } = useQuery(turnCitationsQuery(workspace, thread, turn))
  const passage = data?.data.find((one) => one.number === number)
  const citedBoxes = boxesWith(passage?.text ?? '', passage?.boxes ?? [], passage?.spans)
  const text = useRef<HTMLDivElement>(null)
  // In a long table the mark may be below the visible part.
  const isLoaded = passage !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another passage is shown
  useEffect(() => {
    const mark = text.current?.querySelector('mark')
    if (mark && mark.getBoundingClientRect().bottom > innerHeight) mark.scrollIntoView({ block: 'center' })
  }, [turn, number, isLoaded])
  const boxes = citedBoxes.filter((box) => box.page === passage?.page).map(({ bbox }) => bbox)
  return (
    <SidePanel
      label={t('Source')}
      openId={`${turn}.${number}`}
      close={close}
      className="xl:w-[32rem]"
      heading={
        <>
          <span className="mr-1.5 text-accent tabular-nums">{number}</span>
          {passage?.document_title}
          {passage?.page && (
            <span className="font-normal text-soft"> · {t('page {page}', { page: passage.page })}</span>
          )}
        </>
      }
    >
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {passage?.state === 'deleted' && (
        <p className="text-soft">{t('The document was deleted; its text can no longer be shown.')}</p>
      )}
      {passage?.state === 'changed' && (
        <p className="text-soft">
          {t('The document has a new version in which this passage no longer stands as it was cited.')}
        </p>
      )}
      {passage?.text != null && passage.document_id && (
        <>
          <div className="mb-3 flex flex-wrap gap-2">
            <Link
              to="/w/$workspace/d/$document"
              params={{ workspace, document: passage.document_id }}
              search={{
                ...(passage.chunk_id ? { chunk: passage.chunk_id } : {}),
                ...(passage.page ? { page: passage.page } : {}),
                ...(passage.spans.length ? { span: spansText(passage.spans) } : {}),
              }}
              className={buttonClass()}
            >
              <BookOpen size={14} aria-hidden /> {t('Open in the document')}
            </Link>
            <CopyButton
              name={t('Copy with source')}
              text={passageWithSource(citedText(passage.text, passage.spans), {
                title: passage.document_title,
                page: passage.page,
                url,
              })}
            />
          </div>
          <div ref={text}>
            <ChunkText text={passage.text} type={passage.type ?? 'text'} spans={passage.spans} />
          </div>
          {passage.page && (
            <PageImage
              workspace={workspace}
              document={passage.document_id}
              page={passage.page}
              boxes={boxes}
            />
          )}
        </>
      )}
    </SidePanel>
  )
}
