// The places of a workspace, in the order in which they are shown. The keys `g` and then `key` open a place. `pages` are routes
// that belong to a place but have another address. Labels are translated where they are shown.

import { message } from '../language/text.tsx'

export const PLACES = [
  {
    to: '/w/$workspace',
    label: message('Ask'),
    exact: true,
    key: 'a',
    pages: ['/w/$workspace/check', '/w/$workspace/shared/$thread'],
  },
  {
    to: '/w/$workspace/search',
    label: message('Search'),
    exact: false,
    key: 's',
    pages: ['/w/$workspace/inspect'],
  },
  {
    to: '/w/$workspace/documents',
    label: message('Documents'),
    exact: false,
    key: 'd',
    pages: ['/w/$workspace/d/$document', '/w/$workspace/trash'],
  },
  { to: '/w/$workspace/graph', label: message('Graph'), exact: false, key: 'g', pages: [] },
  { to: '/w/$workspace/activity', label: message('Activity'), exact: false, key: 'h', pages: [] },
  { to: '/w/$workspace/settings', label: message('Settings'), exact: false, key: 'e', pages: [] },
] as const satisfies readonly { pages: readonly string[]; [key: string]: unknown }[]

export type Place = (typeof PLACES)[number]
