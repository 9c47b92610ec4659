import type { Template } from '@/lib/messages/sentence-template';

/** Why something is not done, or cannot be answered. */
export const refusals = {
  'release:nobody-holds': 'Nobody holds this lock now.',
  'release:own-tools':
    "Locks of {library} are not released here: the library's own tools do it safely.",
  'release:not-connected':
    'The console is not connected to Redis, so the holder shown may be an old one.',
  'release:no-script-right':
    "The console's Redis user may not run the release script. Grant it: {rule}",
  'release:not-read': 'The value of this lock has not been read yet.',
  'release:too-large': 'The value is {size} long, too large to be compared before a delete.',
  'release:needs-role': 'Releasing needs the role operator; yours is {role}.',
  'release:namespace': 'You may not act in {namespace}.',
  'release:no-namespace': 'You may not act in no namespace.',
  'release:gone': 'Not released: nobody holds {key} any more.',
  'release:gone-from':
    'Not released: nobody holds {key} any more; it was shown as held by {expected}.',
  'release:still':
    'Not released: holder is still {owner}, but the value changed since it was shown (depth {depth}).',
  'release:now': 'Not released: holder is now {owner} (since {seconds} s).',
  'release:now-not':
    'Not released: holder is now {owner} (since {seconds} s), and not {expected} as it was shown.',
  'release:failed': 'The release failed; see the audit.',
  'release:not-confirmed':
    'Redis did not confirm that it ran the script ({error}). Look at the lock before trying again.',
  'drop:no-queue': 'Locks of {library} have no queue to drop from.',
  'drop:not-queued': '{waiter} does not stand in the queue any more.',

  'repair:needs-role': 'Repairing needs the role operator; yours is {role}.',
  'repair:no-script-right':
    "The console's Redis user may not run the repair script. Grant it: {rule}",
  'repair:not-connected': 'The console is not connected to Redis, so what is shown may be old.',
  'repair:own-tools':
    "Locks of {library} are not repaired here: the library's own tools do it safely.",
  'wake:nothing': 'Locks of {library} have nothing by which a waiter could be woken.',
  'wake:held': 'Nobody is woken while the lock is held, now by {owner}.',
  'wake:nobody': 'Nobody is there to be woken.',
  'remove:not-several': 'Of locks of {library} no single holder can be taken out.',
  'remove:nobody': 'Nobody holds it now.',
  'remove:gone': 'Not removed: {member} does not hold it any more.',
  'remove:changed': 'Not removed: {member} holds it otherwise than it was shown.',
  'drop:nobody': 'Nobody stands in its queue.',

  'pin:too-wide':
    'pattern: {pattern} would match nearly every key; it must contain at least two bytes that stand for themselves.',
  'pin:too-many': 'There are {most} pins already, as many as there may be; take one away first.',
  'pin:unknown-format': 'format: there is no library {format}.',
  'pin:none': 'Nothing is pinned to the pattern {pattern}.',
  'discover:running': 'A run of {actor} is under way; wait for its end, or stop it.',
  'discover:unknown': 'There is no such run; only the last five are kept, and none over a restart.',
  'discover:no-script':
    "The console's Redis user may not run the script that reads values. Grant it: +eval_ro",
  'discover:no-db': 'db: Redis has no db {db}.',

  'forbidden:role': '{action} needs the role {role}; {actor} is {actual}.',
  'forbidden:namespace': '{actor} may not act in {namespace}.',
  'forbidden:no-namespace': '{actor} may not act in no namespace.',
  'forbidden:all-namespaces': '{actor} may not act in all namespaces.',
  'forbidden:viewer': 'Reading needs the role viewer.',
  'forbidden:audit': 'You may not read the audit.',
  'forbidden:users': 'Only an administrator may see or change users.',
  'forbidden:request-from-other-site': 'This request came from another site.',
  'forbidden:read': 'Redis refused the read: {error}',
  'forbidden:other-site': 'This connection came from another site.',
  'unauthenticated:session-ended':
    'There is no session, or it has ended: sign in, or send a valid bearer token.',
  'unauthenticated:sign-in': 'Sign in, or send a valid bearer token.',

  'not-found:lock': 'No lock with the key {key} is known in db {db}.',
  'not-found:unwatched-db': 'db {db} is not watched: LOCKSCOPE_DBS={setting} watches it too.',
  'not-found:alert': 'There is no open alert of this id; it may have resolved.',
  'not-found:any-alert': 'There is no alert of this id.',
  'acknowledge:failed': 'It could not be acknowledged; see the audit.',
  'not-found:silence': 'There is no silence of this id; it may be over.',
  'not-found:rule': 'Nothing is set for {code} and this class.',
  'alert:pending': 'The alert has not fired yet: there is nothing to look after or to silence.',
  'document:changed':
    'Somebody else changed it meanwhile, here or on another console. Look at what it is now, and change that.',
  'document:changed-by':
    '{actor} changed it meanwhile, at {changedAt}. Look at what it is now, or save yours over it.',
  'document:removed-by': '{actor} took it back meanwhile, at {changedAt}.',
  'order:intended-by':
    '{actor} said so meanwhile, at {changedAt}: {reason}. Look at what it is now, or save yours over it.',
  'alerts:too-many': 'There are {most} already, as many as there may be; end one first.',
  'rule:no-threshold': 'threshold: {code} has none; leave it null.',
  'rule:needs-threshold': 'threshold: {code} needs one.',
  'rule:not-adaptive': 'threshold: {code} counts no time, so it cannot follow how long holds last.',
  'rule:least': 'threshold: of {code} no less than {least} can be seen.',
  'rule:moment': 'forMs: {code} tells of what happened in one moment, so it cannot last.',
  'matcher:empty':
    'matcher: must name at least one of code, severity, namespace, class, key and owner, and more than a pattern that every name fits.',
  'not-found:target': 'No target is named {target}; there is {known}.',
  'not-found:action': 'There is no action named {action}.',
  'not-found:query': 'There is no query named {query}.',

  'invalid:range': 'from: must lie before to.',
  'invalid:key': 'keyB64 is not base64url.',
  'invalid:export': 'as: must be markdown or json.',
  'invalid:until': 'untilMs: must lie within the next 30 days (epoch milliseconds).',
  'invalid:body': 'The body must be a JSON object.',
  'invalid:new-password': 'newPassword: 10 to 128 characters are required.',

  'user:exists': 'There is already a user {email}.',
  'user:token-password': 'A token has no password: sign in as a user.',
  'user:has-password': 'There is a password already: change it by giving the present one.',

  'audit:unavailable': 'Nothing was done, because the audit cannot be written: {because}',
  'too-many:queries': 'More than {most} queries are open on this connection; close some first.',
  'invalid:path': 'The path is not percent-encoded as it must be.',
  'internal:unanswered': 'The request could not be answered.',
  'internal:logged': 'Something went wrong in the console; its log has the details under {id}.',
  'unreachable:not-sent':
    'The console cannot be reached from this page. Nothing was sent; try again when the connection is back.',
  'unreachable:unanswered':
    'The connection was lost before the answer came. Nothing is known about the outcome: look before trying again.',
  'unreachable:credentials':
    'Redis at {address} refused the credentials of user {user} ({error}): check user and password.',
  'unreachable:no-password': 'Redis at {address} asks for a password, and none was given.',
  'unreachable:host':
    'The host of {address} cannot be resolved ({error}): check the host name in the Redis URL.',
  'unreachable:certificate':
    "The certificate of Redis at {address} is not trusted ({error}): give its authority's file in NODE_EXTRA_CA_CERTS.",
  'unreachable:no-db': 'Redis at {address} has no database of that number ({error}).',
  'unreachable:no-redis':
    'What answers at {address} does not speak as a Redis does: check host and port.',
  'unreachable:redis':
    'Redis at {address} cannot be reached ({error}): check that it runs and that the address is right.',
  'unreachable:now': 'Redis cannot be reached at the moment.',
  'unreachable:lost': 'The connection to Redis was lost.',
  'unreachable:not-watching': 'The watch of this Redis is not running.',
} as const satisfies Record<string, Template>;
