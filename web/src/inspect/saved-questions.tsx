// The questions saved for evaluation, and their export together with the feedback on answers.

import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Trash2 } from 'lucide-react'
import { errorText } from '../language/error-text.ts'
import { rich, t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { saveFile } from '../parts/download.ts'
import { Problem } from '../parts/states.tsx'
import { evaluationQuestionsQuery } from '../queries.ts'
import { api } from '../session.ts'

export function SavedQuestions({ workspace }: { workspace: string }) {
  const list = useInfiniteQuery(evaluationQuestionsQuery(workspace))
  const queries = useQueryClient()
  const download = useMutation({
    mutationFn: async () => {
      const response = await api.bytes('exportEvaluationSet', { workspace_id: workspace })
      await saveFile(response, 'evaluation-set.jsonl')
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteEvaluationQuestion({ workspace_id: workspace, question_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: evaluationQuestionsQuery(workspace).queryKey }),
  })
  const questions = list.data?.pages.flatMap(({ data }) => data) ?? []
  const error = download.error ?? remove.error
  return (
    <section aria-labelledby="saved" className="mt-10 border-t border-line pt-6">
      <div className="mb-2 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id="saved" className="font-semibold">
            {t('Evaluation questions')}
          </h2>
          <p className="text-sm text-soft">
            {rich(
              'Saved queries with the passage that they should find. The export contains them and the feedback on answers: yours, or everybody’s if you own the workspace. {command} reads it.',
              { command: <code className="font-mono text-xs">kenning eval</code> },
            )}
          </p>
        </div>
        <Button onClick={() => download.mutate()} disabled={download.isPending}>
          <Download size={14} /> {t('Export evaluation questions')}
        </Button>
      </div>
      {error && (
        <p role="alert" className="mb-2 text-sm text-bad">
          {errorText(error)}
        </p>
      )}
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.data && questions.length === 0 && (
        <p className="text-sm text-soft">
          {t('None yet. Inspect a query, open “Why this result?”, and save it with the right passage.')}
        </p>
      )}
      <ul className="divide-y divide-line text-sm">
        {questions.map(({ id, query, document_id, document_title, chunk_id, own: isOwn }) => (
          <li key={id} className="flex items-center gap-3 py-1.5">
            <span className="min-w-0 flex-1">
              <Link
                to="/w/$workspace/inspect"
                params={{ workspace }}
                search={{ q: query }}
                className="block truncate font-medium text-accent hover:underline"
              >
                {query}
              </Link>
              <span className="block truncate text-soft">
                {document_title === null ? (
                  t('The document was deleted, so the question is not exported')
                ) : (
                  <Link
                    to="/w/$workspace/d/$document"
                    params={{ workspace, document: document_id }}
                    search={chunk_id ? { chunk: chunk_id } : {}}
                    className="hover:underline"
                  >
                    {t('should find {title}', { title: document_title })}
                  </Link>
                )}
                {!isOwn && ` · ${t('saved by somebody else')}`}
              </span>
            </span>
            <IconButton
              label={t('Delete the evaluation question “{query}”', { query })}
              onClick={() => remove.mutate(id)}
            >
              <Trash2 size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button kind="quiet" className="mt-1 -ml-3" onClick={() => void list.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </section>
  )
}
