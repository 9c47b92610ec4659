import type { Template } from '@/lib/messages/sentence-template';

/** What is told by mail and message, and how telling fares. */
export const notify = {
  'notify:title-firing': '[{severity}] {code}: {subject}',
  'notify:title-acknowledged': '[acknowledged] {code}: {subject}',
  'notify:title-resolved': '[resolved] {code}: {subject}',
  'notify:title-test': '[test] Lockscope',
  'notify:title-joined': '[{severity}] {count} alerts: {first}',
  'notify:joined': '{count} notices came at once and are told together.',
  'notify:joined-more': { plural: 'count', one: 'And {count} more.', other: 'And {count} more.' },
  'notify:test-summary': 'This is a test: alerts of Lockscope arrive here.',
  'notify:label-lock': 'Lock',
  'notify:label-about': 'About',
  'notify:label-class': 'Class',
  'notify:label-holder': 'Holder',
  'notify:label-since': 'Condition since',
  'notify:label-alerted': 'Alerted at',
  'notify:label-was': 'It was',
  'notify:label-resolved': 'Resolved at',
  'notify:label-evidence': 'Evidence',
  'notify:label-redis': 'Redis',
  'notify:label-remedy': 'What to do',
  'notify:label-open': 'Open in Lockscope',
  'notify:more-locks': {
    plural: 'count',
    one: '{locks} and {count} more',
    other: '{locks} and {count} more',
  },

  'notify:delivered': 'The test message arrived at {destination} in {tookMs}.',
  'notify:status': '{host} answered {status}.',
  'notify:status-said': '{host} answered {status}: {said}',
  'notify:redirect':
    '{host} answered {status}, a redirect: it is not followed. Give the final URL.',
  'notify:dns': 'The name {host} cannot be resolved ({error}).',
  'notify:refused': 'Nobody listens at {host} ({error}).',
  'notify:timeout': '{host} did not answer within {withinMs}.',
  'notify:stopped': 'The console stopped before {host} answered.',
  'notify:tls': 'The certificate of {host} is not trusted, or is of another name ({error}).',
  'notify:broken': 'The connection to {host} broke ({error}).',
  'notify:fault': 'The message could not be made: a fault in Lockscope. Its log has the details.',
  'notify:smtp': 'The mail server {host} refused: {said}',
  'notify:login': 'The mail server {host} refused user or password: {said}',
  'notify:sealed':
    'The secret of this channel cannot be read: it was kept under another secret of the console. Edit the channel and give it again.',
  'notify:given-up': 'Given up after {afterMs}. {last}',
  'notify:channel-gone': 'The channel was removed.',

  'notify:event-told': 'Told {channel}: {event}.',
  'notify:event-failed': '{channel} could not be told and is tried again: {error}',
  'notify:event-given-up': '{channel} was not told: {error}',

  'notify-failing:summary': 'The channel {channel} has failed for {lastsMs}: {error}',
  'notify-failing:waiting': {
    plural: 'count',
    one: '{count} notice waits for it.',
    other: '{count} notices wait for it.',
  },
  'notify-failing:remedy':
    'Nobody hears of alerts by this channel. Repair the receiver or the settings under Notifications, then press Test; what waits is told as soon as it answers.',

  'notify:no-channel': 'There is no such channel.',
  'notify:needs-secret-slack': 'settings.secret: give the URL that the messages are sent to.',
  'notify:bad-secret-url': 'settings.secret: must be a URL that begins with https:// or http://.',
  'notify:needs-secret-pagerduty': 'settings.secret: give the routing key of the service.',
  'notify:user-without-secret': 'settings.secret: give the password of {user}.',
  'notify:secret-again':
    'settings.secret: give it again, because the destination changes and a secret is sent nowhere it was not given for.',
  'notify:sealed-secret':
    'settings.secret: give it again; what was given cannot be read, because it was kept under another secret of the console.',
  'notify:credentials-in-url':
    'settings.url: must not contain a user or password; they would be shown.',
  'notify:too-many-channels': 'There are {most} channels already, as many as there may be.',
  'notify:unknown-channel': 'routes: there is no channel {channel}.',
} as const satisfies Record<string, Template>;
