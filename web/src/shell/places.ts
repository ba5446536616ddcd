// The places of a workspace, in the order in which they are shown; `key` goes there after a `g`.

export const PLACES = [
  { to: '/w/$workspace', label: 'Ask', exact: true, key: 'a' },
  { to: '/w/$workspace/search', label: 'Search', exact: false, key: 's' },
  { to: '/w/$workspace/documents', label: 'Documents', exact: false, key: 'd' },
  { to: '/w/$workspace/graph', label: 'Graph', exact: false, key: 'g' },
  { to: '/w/$workspace/activity', label: 'Activity', exact: false, key: 'h' },
  { to: '/w/$workspace/settings', label: 'Settings', exact: false, key: 'e' },
] as const
