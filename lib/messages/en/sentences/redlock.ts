import type { Template } from '@/lib/messages/sentence-template';

/** Alerts about locks that are meant to be kept on several servers, or in one db. */
export const redlock = {
  'not-independent:server':
    '{together} of the {nodes} Redlock addresses of {app} are one server ({server}): it has several votes, and its failure takes them all',
  'not-independent:machine':
    '{together} of the {nodes} Redlock servers of {app} are on one machine ({machine}): they fail together',
  'not-independent:machine-majority':
    '{together} of the {nodes} Redlock servers of {app} are on one machine ({machine}): when it fails no majority is left',
  'not-independent:dbs': {
    plural: 'count',
    one: '{lock} is taken with one token in db {dbs} of this one server, as if they were servers of a Redlock',
    other:
      '{count} locks, {lock} among them, are taken with one token in db {dbs} of this one server, as if they were servers of a Redlock',
  },
  'not-independent:remedy':
    'A majority means something only on servers that fail apart: give the client an odd number of Redis servers on machines of their own. On one server a plain lock is as safe and cheaper.',

  'redlock-partial:silent': {
    plural: 'silent',
    one: '{silent} of the {nodes} nodes of {app} does not vote ({names}); a majority is left, and is lost when more than {spare} of the others fail',
    other:
      '{silent} of the {nodes} nodes of {app} do not vote ({names}); a majority is left, and is lost when more than {spare} of the others fail',
  },
  'redlock-partial:no-majority': {
    plural: 'silent',
    one: '{silent} of the {nodes} nodes of {app} does not vote ({names}): no majority is left, and no lock can be taken',
    other:
      '{silent} of the {nodes} nodes of {app} do not vote ({names}): no majority is left, and no lock can be taken',
  },
  'redlock-partial:nodes-remedy':
    'Bring the nodes back. One that was empty at its start must not vote before the longest lease has passed: locks that it granted before are unknown to it.',
  'redlock-partial:dbs': 'held by {owner}, but not in db {missing}, where it has nodes as well',
  'redlock-partial:dbs-remedy':
    'The lock was lost, or never granted, on part of its nodes. With a majority it still counts; without, it is a leftover that is in the way until its lease ends. Release it on the page of each.',

  'db-mismatch:service':
    'instances of {app} use different dbs, {places}: they do not exclude each other',
  'db-mismatch:service-remedy':
    'Give every instance the same db number in its redis_url. If these are separate environments, give each a name of its own.',
} as const satisfies Record<string, Template>;
