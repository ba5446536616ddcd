// The console: built into dist/web, from where the API serves it. `npx vite web` with KENNING_API serves it while developing.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const api = process.env.KENNING_API ?? 'http://127.0.0.1:8080'
const proxied = [
  '/v1',
  '/docs',
  '/session',
  '/account',
  '/sign-in',
  '/invitation',
  '/reset',
  '/oauth',
  '/setup',
  '/pages.css',
]

/** Beside each file its compressed forms: the server sends what the browser takes, and compresses nothing itself. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  // After the files are written: Vite still edits them in its own last step.
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      if (!/\.(js|css|svg)$/.test(name)) continue
      const bytes = readFileSync(join(dir, name))
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params }))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compressed],
  build: { outDir: '../dist/web', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: api, changeOrigin: true }])) },
})
