// The suite of Kenning with the laboratory's tests in it, which share its processes: the gate runs both in one go.
// `npm --prefix lab test` runs those of the laboratory alone.

import { defineConfig } from 'vitest/config'
import { suite } from '../vitest.config.ts'

export default defineConfig({
  test: suite({
    unit: ['lab/**/*.test.ts'],
    database: ['lab/mcp.test.ts', 'lab/processor-time.test.ts', 'lab/speed/bulk.test.ts'],
  }),
})
