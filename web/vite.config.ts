// The console: built into dist/web, from where the API serves it. `npx vite web` with KENNING_API serves it while developing.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { numberedMessages } from './src/language/messages-plugin.ts'

const api = process.env.KENNING_API ?? 'http://127.0.0.1:8080'
const proxied = [
  '/v1',
  '/docs',
  '/d/',
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

/** What the first page of the console is made of: all that its entry imports, by the ids of the modules. */
const ofFirstPage = new Set<string>()

/**
 * On a slow network each way there and back is felt, and a browser asks for six files at a time: what the first page needs
 * is one file, and the token is asked for while that is still loading.
 */
const ahead: Plugin = {
  name: 'ahead',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: join(import.meta.dirname, 'src/early.ts'), name: 'early' })
    // Of the sign-in page (src/http/pages/second-step.ts), which finds it by its name.
    this.emitFile({ type: 'chunk', id: join(import.meta.dirname, 'src/passkey.ts'), name: 'passkey' })
  },
  buildEnd() {
    const add = (id: string): void => {
      if (ofFirstPage.has(id)) return
      ofFirstPage.add(id)
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) add(next)
    }
    add(join(import.meta.dirname, 'src/main.tsx'))
  },
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const early = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'early')
      if (!early) throw new Error('the build has no early script')
      return [
        {
          tag: 'script',
          attrs: { type: 'module', async: true, src: `/${early.fileName}` },
          injectTo: 'head',
        },
      ]
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  // The console may lie under a path, which the server knows and the build does not.
  base: './',
  plugins: [numberedMessages, react(), tailwindcss(), ahead, compressed],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'first', test: (id) => ofFirstPage.has(id) }] } },
    },
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: api, changeOrigin: true }])) },
})
