// The form of the service's mails: plain text, and the same text as HTML with a button for the link.

import type { Texts } from '../messages/texts.ts'
import type { Letter } from '../ports/mail/mail.ts'

export interface LetterContent {
  to: string
  subject: string
  /** The first sentence. Undefined: the subject is the heading of the HTML part and is not repeated in the text part. */
  heading?: string
  paragraphs: string[]
  action: { label: string; link: string }
  /** Paragraphs after the link: how long it is valid, and what to do if the mail was not expected. */
  notes: string[]
}

/** @param siteUrl the address of the service, by which the receiver recognises the sender */
export function makeLetter({ language, t }: Texts, content: LetterContent, siteUrl: string): Letter {
  const { to, subject, heading, paragraphs, action, notes } = content
  const sender = t('This email was sent by Kenning at {address}.', { address: siteUrl })
  const textParts = [heading ?? [], ...paragraphs, `${action.label}\n${action.link}`, ...notes, sender].flat()
  const link = escapeText(action.link)
  const paragraph = (text: string): string => `<p>${escapeText(text)}</p>`
  return {
    to,
    subject,
    text: `${textParts.join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      // Without the language, a screen reader speaks it as another one; without the colour schemes, a dark mail program shows a white page.
      `<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">`,
      `<title>${escapeText(subject)}</title>`,
      // In two elements, because some mail programs ignore a whole style element with one rule that they do not support.
      `<style>${STYLE}</style><style>${OTHER_SCREENS}</style></head><body><div class="letter">`,
      '<p class="name">Kenning</p>',
      `<h1>${escapeText(heading ?? subject)}</h1>`,
      ...paragraphs.map(paragraph),
      `<p class="action"><a class="button" href="${link}">${escapeText(action.label)}</a></p>`,
      ...notes.map(paragraph),
      '<div class="end">',
      `<p>${escapeText(t('If the button does not work, open this address in your browser:'))}<br><a href="${link}">${link}</a></p>`,
      `<p>${escapeText(sender)}</p>`,
      '</div></div></body></html>',
    ].join('\n'),
  }
}

const STYLE = `
body { margin: 0; padding: 24px 12px; background: #f6f6f4; color: #1a1c1f; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.letter { max-width: 520px; margin: 0 auto; padding: 24px; border: 1px solid #e4e4e0; border-radius: 12px; background: #ffffff; overflow-wrap: anywhere; }
.name { margin: 0 0 16px; color: #5c6169; font-weight: 600; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.35; text-wrap: balance; }
p { margin: 0 0 14px; }
.action { margin: 22px 0; }
.button { display: inline-block; padding: 11px 20px; border-radius: 8px; background: #1f4fa3; color: #ffffff; font-weight: 600; text-decoration: none; }
.end { margin-top: 24px; padding-top: 16px; border-top: 1px solid #e4e4e0; color: #5c6169; font-size: 14px; }
.end a { color: #1f4fa3; }
.end p:last-child { margin: 0; }
`
const OTHER_SCREENS = `
@media (max-width: 480px) {
h1 { font-size: 18px; }
.letter { padding: 20px; }
}
@media (prefers-color-scheme: dark) {
body { background: #101214; color: #e9eaec; }
.letter { border-color: #2b2f35; background: #17191c; }
.name { color: #a2a8b1; }
.button { background: #8fb3f5; color: #0f1c33; }
.end { border-color: #2b2f35; color: #a2a8b1; }
.end a { color: #8fb3f5; }
}
`

/** Without line breaks and marks of direction, by which a name could look like other parts of the mail. */
export const oneLine = (name: string): string =>
  name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replace(/\s+/g, ' ')

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
