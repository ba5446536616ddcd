// Webhooks (extensions): messages that the service sends to other programs. They are signed as standardwebhooks.com describes.

import { z } from 'zod'
import { cursor, type Endpoint, limit, workspace } from './endpoint.ts'
import { instant, page, text, uuid } from './fields.ts'

const url = text(1, 2000, { trim: true })

export const WebhookCreate = z.object({ url })
export type WebhookCreate = z.infer<typeof WebhookCreate>

export const WebhookUpdate = z.object({ url: url.optional(), paused: z.boolean().optional() })
export type WebhookUpdate = z.infer<typeof WebhookUpdate>

/** `error`: why Kenning has paused the webhook, null if it has not. */
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

/** `status`: the status of the last answer, null if there was none. `error`: that of the last attempt, null if it succeeded. */
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

const webhook = workspace.extend({ webhook_id: uuid })
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
      'Send an event to this address whenever a job is done; the secret that signs them is shown once; for owners',
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
    summary: 'Change the address of a webhook, or pause it and go on; for owners',
    ability: 'write',
    params: webhook,
    body: WebhookUpdate,
    status: 200,
    output: Webhook,
    errors,
    extension: true,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/workspaces/{workspace_id}/webhooks/{webhook_id}',
    summary: 'Delete a webhook and what it still had to send; for owners',
    ability: 'write',
    params: webhook,
    status: 204,
    errors,
    extension: true,
  },
  testWebhook: {
    method: 'POST',
    path: '/workspaces/{workspace_id}/webhooks/{webhook_id}/test',
    summary: 'Send an event of the type webhook.test; for owners',
    ability: 'write',
    params: webhook,
    status: 202,
    output: WebhookDelivery,
    errors: [...errors, 429],
    extension: true,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/workspaces/{workspace_id}/webhooks/{webhook_id}/deliveries',
    summary: 'List what a webhook has sent and has to send, newest first, for 30 days; for owners',
    ability: 'read',
    params: webhook,
    query: z.object({ limit, cursor }),
    status: 200,
    output: WebhookDeliveryPage,
    errors,
    extension: true,
  },
} as const satisfies Record<string, Endpoint>
