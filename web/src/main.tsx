import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { KenningError } from '../../src/client/client.ts'
import { errorText } from './language/error-text.ts'
import { loadCatalogue } from './language/text.tsx'
import { isGone } from './parts/states.tsx'
import { announce } from './parts/toast.tsx'
import { router } from './router.tsx'
import { forgetGone } from './shell/gone.ts'
import { applyTheme } from './shell/theme.ts'
import './style.css'

applyTheme()

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // After an error the old data stays, with a message. If the page's own object no longer exists, the page says so.
    onError: (error, query) => {
      if (isGone(error)) forgetGone(queries, query.queryKey)
      else if (query.state.data !== undefined) announce(errorText(error))
    },
  }),
  defaultOptions: {
    // Requests are sent even if the browser reports no connection, because the service may run on this machine. A request that
    // fails shows an error, and is repeated when there is a connection.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      // The client itself retries requests that may succeed. An error of the service is final.
      retry: (count, error) => !(error instanceof KenningError) && count < 2,
    },
  },
})

// Images of pages stay in memory under their object URLs until they are revoked.
queries.getQueryCache().subscribe(({ type, query }) => {
  const { url } = (query.state.data ?? {}) as { url?: unknown }
  if (type === 'removed' && typeof url === 'string' && url.startsWith('blob:')) URL.revokeObjectURL(url)
})

// A catalogue that cannot be loaded leaves the console in English.
await loadCatalogue().catch(() => undefined)

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
