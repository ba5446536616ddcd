import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { KenningError } from '../../src/client/client.ts'
import { isGone } from './parts/states.tsx'
import { announce } from './parts/toast.tsx'
import { router } from './router.tsx'
import { applyTheme } from './shell/theme.ts'
import './style.css'

applyTheme()

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // What is shown stays; only who is looking at it learns that it may be old. What is gone its page says.
    onError: (error, query) => {
      const [place, id, ...rest] = query.queryKey
      if (!isGone(error)) {
        if (query.state.data !== undefined) announce(error.message)
      } else if (place === 'workspace' && rest.length > 0) {
        // Something in it, or all of it.
        void queries.invalidateQueries({ queryKey: [place, id], exact: true })
      }
    },
  }),
  defaultOptions: {
    // The browser's word on the connection is not asked for: the service may run on this very machine. What was not reached says
    // so, and is asked for again when there is a connection.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      // The client itself tries again what may be; what was refused is refused.
      retry: (count, error) => !(error instanceof KenningError) && count < 2,
    },
  },
})

// Pictures of pages are kept in memory by their addresses until they are let go.
queries.getQueryCache().subscribe(({ type, query }) => {
  const { url } = (query.state.data ?? {}) as { url?: unknown }
  if (type === 'removed' && typeof url === 'string' && url.startsWith('blob:')) URL.revokeObjectURL(url)
})

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
