// Requests to addresses that the guard has checked. They go through the proxy for the URL if there is one.

import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { lookupAlways } from './guard.ts'
import { isResolvedByProxy, proxyFor, trust } from './network.ts'
import { requestByProxy } from './send.ts'
import { tunnelAgent } from './tunnel.ts'

/**
 * The connection goes to `address`. A proxy is also told to connect to `address` and not to the name, unless the proxy resolves
 * names.
 * @param address the result of `checkAddress`
 */
export function requestChecked(
  url: URL,
  address: string,
  options: RequestOptions & { ca?: string },
): ClientRequest {
  const proxy = proxyFor(url)
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  if (!proxy)
    return request(url, {
      agent: false,
      lookup: lookupAlways(address),
      ...(options.ca === undefined ? trust() : {}),
      ...options,
    })
  if (url.protocol === 'http:' && isResolvedByProxy(url)) return requestByProxy(proxy, url, options)
  return request(url, { ...options, agent: tunnelAgent(proxy, url.protocol, { address }) })
}
