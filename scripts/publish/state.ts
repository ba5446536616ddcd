// Whether a version may be released from the state of the repository: what speaks against it, a sentence each. Pure.

import type { VersionSection } from './changelog.ts'

export interface RepositoryState {
  version: string
  /** Files that differ from the commit, as git lists them. */
  changes: readonly string[]
  /** The commit of the version's tag, if it has one. */
  taggedCommit: string | undefined
  commit: string
  sections: readonly VersionSection[]
  /** Versions of the other packages and of the chart, by the files that name them. */
  versions: Readonly<Record<string, string>>
}

/** @param isTagged whether the release is published, from its tag, or tried before there is one */
export function refusalsOf(state: RepositoryState, isTagged: boolean): string[] {
  const { version, changes, taggedCommit, commit, sections, versions } = state
  const section = sections.find((one) => one.version === version)
  const tag = `v${version}`
  return [
    ...(changes.length > 0 ? [`These files are not as the commit has them: ${changes.join(', ')}`] : []),
    ...(section === undefined ? [`CHANGELOG.md has no section "## ${version} - unreleased"`] : []),
    ...(section?.releasedOn !== undefined
      ? [
          `CHANGELOG.md says that ${version} was released on ${section.releasedOn}: choose the next version in package.json`,
        ]
      : []),
    ...(section !== undefined && section.text === '' ? [`CHANGELOG.md says nothing about ${version}`] : []),
    ...Object.entries(versions)
      .filter(([, other]) => other !== version)
      .map(([file, other]) => `${file} says ${other}, and package.json ${version}`),
    ...(isTagged && taggedCommit !== commit
      ? [taggedCommit === undefined ? `There is no tag ${tag}` : `The tag ${tag} is of another commit`]
      : []),
    ...(!isTagged && taggedCommit !== undefined ? [`There is a tag ${tag} already`] : []),
  ]
}
