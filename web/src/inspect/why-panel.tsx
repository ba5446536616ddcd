// "Why this result?": the explanation of one hit beside the list of results.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../language/text.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { inspectQuery, type SearchParams } from '../queries.ts'
import { Explanation } from './explanation.tsx'

interface Props {
  workspace: string
  search: SearchParams
  chunk: string
  close: () => void
}

export function WhyPanel({ workspace, search, chunk, close }: Props) {
  const { data, error, refetch } = useQuery(inspectQuery(workspace, search))
  const index = data?.data.findIndex((hit) => hit.chunk.id === chunk) ?? -1
  const hit = data?.data[index]
  return (
    <SidePanel
      label={t('Why this result?')}
      openId={chunk}
      close={close}
      className="xl:w-[30rem]"
      heading={
        <>
          {hit ? t('Why result {rank}?', { rank: index + 1 }) : t('Why this result?')}
          <span className="block truncate font-normal text-soft">
            {hit?.chunk.document_title}
            {hit?.chunk.page && ` · ${t('page {page}', { page: hit.chunk.page })}`}
          </span>
        </>
      }
    >
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && !hit && (
        <p className="text-sm text-soft">
          {t('This passage is not among the results any more: the documents or the query have changed.')}
        </p>
      )}
      {data && hit && (
        <>
          <Explanation key={chunk} workspace={workspace} inspection={data} hit={hit} />
          <p className="mt-5 text-sm">
            <Link
              to="/w/$workspace/d/$document"
              params={{ workspace, document: hit.chunk.document_id ?? '' }}
              search={{ chunk, ...(hit.chunk.page ? { page: hit.chunk.page } : {}) }}
              className="text-accent underline"
            >
              {t('Open in the document')}
            </Link>
          </p>
        </>
      )}
    </SidePanel>
  )
}
