// The places of a workspace, in the order in which they are shown. `key` after a `g` opens the place. `pages` are the routes
// below a place that have other addresses.

export const PLACES = [
  { to: '/w/$workspace', label: 'Ask', exact: true, key: 'a', pages: [] },
  { to: '/w/$workspace/search', label: 'Search', exact: false, key: 's', pages: ['/w/$workspace/inspect'] },
  {
    to: '/w/$workspace/documents',
    label: 'Documents',
    exact: false,
    key: 'd',
    pages: ['/w/$workspace/d/$document'],
  },
  { to: '/w/$workspace/graph', label: 'Graph', exact: false, key: 'g', pages: [] },
  { to: '/w/$workspace/activity', label: 'Activity', exact: false, key: 'h', pages: [] },
  { to: '/w/$workspace/settings', label: 'Settings', exact: false, key: 'e', pages: [] },
] as const satisfies readonly { pages: readonly string[]; [key: string]: unknown }[]
