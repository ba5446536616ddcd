// The package as it was installed for the end-to-end tests; other tests use the build.

import { inject } from 'vitest'
import type { Installed } from './install-package.ts'

export const installed = (): Installed => inject('installed')

export const installedMain = (): string =>
  (inject('installed') as Installed | undefined)?.main ?? 'dist/src/main.js'
