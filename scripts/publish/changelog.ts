// CHANGELOG.md by version. The heading of a version is `## 0.1.0 - unreleased` until it is published, then `## 0.1.0 - 2026-12-05`.

export interface VersionSection {
  version: string
  /** The day of its release; undefined before it. */
  releasedOn: string | undefined
  /** What stands below its heading. */
  text: string
}

const HEADING = /^## (\d+\.\d+\.\d+\S*) - (unreleased|\d{4}-\d{2}-\d{2})$/

/** The newest first, as they stand. @throws Error at a heading of the second level that is none of a version */
export function sectionsOf(changelog: string): VersionSection[] {
  return changelog
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith('## '))
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const [, version, day] = HEADING.exec(heading) ?? []
      if (version === undefined)
        throw new Error(
          `CHANGELOG.md: "${heading}" should be "## VERSION - unreleased" or "## VERSION - DAY"`,
        )
      return { version, releasedOn: day === 'unreleased' ? undefined : day, text: lines.join('\n').trim() }
    })
}

export const withReleaseDay = (changelog: string, version: string, day: string): string =>
  changelog.replace(`## ${version} - unreleased`, `## ${version} - ${day}`)
