// In the place of a service where a test is about its process only.

import { createServer } from 'node:http'

const server = createServer((_, response) => response.end())
server.listen(Number(process.env.KENNING_PORT), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
