// Webhooks (extensions): the service sends events to other programs, signed as standardwebhooks.com describes. A delivery is one
// event for one webhook.

import { z } from 'zod'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, text, uuid } from './fields.ts'

const url = text(1, 2000, { trim: true })

export const WebhookCreate = z.object({ url })
export type WebhookCreate = z.infer<typeof WebhookCreate>

export const WebhookUpdate = z.object({ url: url.optional(), paused: z.boolean().optional() })
export type WebhookUpdate = z.infer<typeof WebhookUpdate>

/** `error`: why the service paused the webhook by itself; otherwise null, also after every change of the webhook. */
export const Webhook = z.object({
  id: uuid,
  url: z.string(),
  paused: z.boolean(),
  error: z.string().nullable(),
  created_at: instant,
})
export type Webhook = z.infer<typeof Webhook>
export const WebhookPage = page(Webhook)

/** The answer to the creation of a webhook, the only one that contains its secret. */
export const WebhookCreated = Webhook.extend({ secret: z.string() })
export type WebhookCreated = z.infer<typeof WebhookCreated>

/**
 * `status`: the HTTP status that the last attempt got; null if it got none, or before the first attempt. `error`: why the last
 * attempt failed; null if it succeeded, or before the first attempt.
 */
export const WebhookDelivery = z.object({
  id: uuid,
  type: z.enum(['job.done', 'webhook.test']),
  job_id: z.string().nullable(),
  state: z.enum(['waiting', 'delivered', 'given_up']),
  attempts: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  created_at: instant,
  tried_at: instant.nullable(),
  next_attempt_at: instant.nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
export const WebhookDeliveryPage = page(WebhookDelivery)

const webhookParams = workspace.extend({ webhook_id: uuid })
const errors = [403, 404, 422] as const

export const webhooks = {
  listWebhooks: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/webhooks',
    summary: 'List the webhooks of a workspace; for its owners',
    ability: 'read',
    params: workspace,
    query: z.object({ limit, cursor }),
    status: 200,
    output: WebhookPage,
    errors,
    extension: true,
  },
  createWebhook: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/webhooks',
    summary:
      'Create a webhook: it sends an event to its address whenever a job is done. The secret that signs the events is shown once; for owners',
    ability: 'write',
    params: workspace,
    body: WebhookCreate,
    status: 201,
    output: WebhookCreated,
    errors,
    extension: true,
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/workspaces/{workspace_id}/webhooks/{webhook_id}',
    summary: 'Change the address of a webhook, or pause or resume it; for owners',
    ability: 'write',
    params: webhookParams,
    body: WebhookUpdate,
    status: 200,
    output: Webhook,
    errors,
    extension: true,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/webhooks/{webhook_id}',
    summary: 'Delete a webhook with its deliveries; what is still waiting is not sent; for owners',
    ability: 'write',
    params: webhookParams,
    status: 204,
    errors,
    extension: true,
  },
  testWebhook: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/webhooks/{webhook_id}/test',
    summary: 'Send an event of the type webhook.test; for owners',
    ability: 'write',
    params: webhookParams,
    status: 202,
    output: WebhookDelivery,
    errors: [...errors, 429],
    extension: true,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/webhooks/{webhook_id}/deliveries',
    summary:
      'List the deliveries of a webhook, newest first; those that have ended are kept for 30 days; for owners',
    ability: 'read',
    params: webhookParams,
    query: z.object({ limit, cursor }),
    status: 200,
    output: WebhookDeliveryPage,
    errors,
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
