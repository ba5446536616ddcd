// Descriptions and examples of ../webhooks.ts.

import type * as module from '../webhooks.ts'
import { firstPage, ID, JOB_ID, onlyPage } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const url = 'https://tidewick.example/hooks/kenning'
const webhook = {
  id: ID.webhook,
  url,
  paused: false,
  error: null,
  created_at: '2026-11-24T10:28:12.832Z',
}
const delivery = {
  id: ID.delivery,
  type: 'job.done' as const,
  job_id: JOB_ID,
  state: 'delivered' as const,
  attempts: 1,
  status: 204,
  error: null,
  created_at: '2026-11-24T10:31:00.120Z',
  tried_at: '2026-11-24T10:31:00.310Z',
  next_attempt_at: null,
}
const missing = 'the workspace or the webhook'
const invalid = 'the service may not call the address'

export const schemas: SchemaTexts<typeof module> = {
  WebhookCreate: { description: 'The address that events are sent to.', example: { url } },
  WebhookUpdate: {
    description: 'The fields of a webhook to change. A field that is absent stays as it is.',
    example: { paused: true },
  },
  Webhook: {
    description:
      'An address that the service sends events to. `error` says why the service has paused it, null if it has not.',
    example: webhook,
  },
  WebhookPage: { description: 'A page of a list of webhooks.', example: onlyPage(webhook) },
  WebhookCreated: {
    description: 'A new webhook with the secret that signs its events. No other answer has the secret.',
    example: { ...webhook, secret: 'whsec_bLnPmS+ziw3iFmkBhrjOmEVUWdVoJQF9T0Cn/47JK6Y=' },
  },
  WebhookDelivery: {
    description:
      'An event that was sent, or has to be. `status` is that of the last answer, null if there was none. `error` is that of the last attempt, null if it succeeded.',
    example: delivery,
  },
  WebhookDeliveryPage: { description: 'A page of the events of a webhook.', example: firstPage(delivery) },
}

export const operations: OperationTexts<typeof module.webhooks> = {
  listWebhooks: {
    does: 'Lists the webhooks of a workspace, oldest first, in pages.',
    callers: 'readingOwner',
  },
  createWebhook: {
    does: 'Sends an event to an address whenever a job of the workspace is done, and returns the webhook with the secret that signs the events. The secret is shown only here. Events are signed as standardwebhooks.com describes.',
    callers: 'owner',
    invalid: `${invalid}, or the workspace has too many webhooks`,
  },
  updateWebhook: {
    does: 'Changes the address of a webhook, or pauses it and lets it go on, and returns it.',
    callers: 'owner',
    missing,
    invalid,
    output: { ...webhook, paused: true },
  },
  deleteWebhook: {
    does: 'Deletes a webhook with the events that it still had to send.',
    callers: 'owner',
    missing,
  },
  testWebhook: {
    does: 'Sends an event of the type `webhook.test`, and returns it as a delivery, which shows later what came of it.',
    callers: 'owner',
    missing,
    limited: 'too many test events were sent',
    output: {
      ...delivery,
      type: 'webhook.test',
      job_id: null,
      state: 'waiting',
      attempts: 0,
      status: null,
      tried_at: null,
      next_attempt_at: delivery.created_at,
    },
  },
  listWebhookDeliveries: {
    does: 'Lists the events that a webhook has to send, and those of the last 30 days that it has sent, newest first, in pages.',
    callers: 'readingOwner',
    missing,
  },
}
