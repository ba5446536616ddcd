// The path under which the console lies, such as /kenning; empty at the root of a host.

// Scripts are one folder below it, in development as in the build.
const address: string = import.meta.url
export const SITE = address.startsWith('http') ? new URL('..', address).pathname.replace(/\/$/, '') : ''
