import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { t } from '../language/text.tsx'
import { Field } from '../parts/field.tsx'
import { foldersQuery } from '../queries.ts'

interface Props {
  workspace: string
  value: string
  onChange: (folder: string) => void
  /** Whether a folder is offered. Any can be typed. */
  isOffered?: (path: string) => boolean
  hint?: string | undefined
  problem: string | undefined
}

/** A field for the folder to which something is moved: an existing one, or the name of a new one. */
export function FolderField({ workspace, value, onChange, isOffered, hint, problem }: Props) {
  const { data } = useQuery(foldersQuery(workspace))
  const list = useId()
  const paths = (data?.data ?? []).map(({ path }) => path)
  return (
    <>
      <Field
        label={t('Folder')}
        list={list}
        value={value}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        hint={hint ?? t('Such as Contracts/2026. Empty: in no folder.')}
        problem={problem}
      />
      <datalist id={list}>
        {(isOffered ? paths.filter(isOffered) : paths).map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}
