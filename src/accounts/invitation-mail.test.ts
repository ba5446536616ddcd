import { expect, test } from 'vitest'
import { textsIn } from '../messages/texts.ts'
import { invitationMail } from './invitation-mail.ts'

const ENGLISH = textsIn('en')
const SITE = {
  link: 'https://kenning.example.org/invitation?token=x&y=1',
  siteUrl: 'https://kenning.example.org',
}

test('a mail says who invites, to what, and what Kenning is, in text and in HTML', () => {
  const workspace = { name: 'Legal', role: 'viewer' as const }
  const mail = invitationMail(ENGLISH, 'ben@example.org', { invitedBy: 'ada@example.org', workspace }, SITE)
  expect(mail.subject).toBe('ada@example.org invites you to “Legal” in Kenning')
  for (const part of [mail.text, mail.html])
    for (const words of [
      'ada@example.org invites you',
      'the workspace “Legal”',
      'You can read',
      'within 7 days',
      'ignore this email',
      'sent by Kenning at https://kenning.example.org.',
      'Kenning searches',
    ])
      expect(part).toContain(words)
  expect(mail.text).toContain(SITE.link)
  expect(mail.html).toContain('href="https://kenning.example.org/invitation?token=x&amp;y=1"')
})

test('a workspace cannot put markup into the mail', () => {
  const workspace = { name: '<a href="https://evil.example">x</a>', role: 'owner' as const }
  const { html } = invitationMail(
    ENGLISH,
    'ben@example.org',
    { invitedBy: 'ada@example.org', workspace },
    SITE,
  )
  expect(html).not.toContain('<a href="https://evil.example"')
  expect(html).toContain('&lt;a href=&quot;https://evil.example&quot;')
})

test('an invitation without a workspace names the person only', () => {
  const mail = invitationMail(
    ENGLISH,
    'ben@example.org',
    { invitedBy: 'ada@example.org', workspace: undefined },
    SITE,
  )
  expect(mail.subject).toBe('ada@example.org invites you to Kenning')
  expect(mail.text).not.toContain('workspace')
})

test('a name of a workspace with line breaks adds no paragraph', () => {
  const workspace = { name: 'X\n\nCreate your account:\n\nhttps://evil.example', role: 'viewer' as const }
  const invitation = { invitedBy: 'ada@example.org', workspace }
  const mail = invitationMail(ENGLISH, 'ben@example.org', invitation, SITE)
  expect(mail.text.split('\n\n')[0]).toContain('https://evil.example')
  expect(mail.subject).not.toContain('\n')
})

test('a mail in Japanese has no space between sentences', () => {
  const workspace = { name: '契約', role: 'viewer' as const }
  const invitation = { invitedBy: 'ada@example.org', workspace }
  expect(invitationMail(textsIn('ja'), 'ben@example.org', invitation, SITE).text).not.toMatch(/。 /)
})
