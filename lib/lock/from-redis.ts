import { LockError, type LockErrorCode } from './errors.js';

type Sentence = (said: string, key: string) => string;

const KINDS: [pattern: RegExp, code: LockErrorCode, sentence: Sentence][] = [
  [
    /WRONGTYPE/,
    'WRONG_TYPE',
    (said, key) =>
      `The key ${key} holds something that is no lock, so it was left alone (${said}).`,
  ],
  [
    /NOPERM|NOAUTH|WRONGPASS|The user executing the script can't|ACL failure in script/,
    'REDIS_FORBIDS',
    (said) =>
      `Redis forbids this user what a lock needs (${said}); aclRule() prints the rule that allows it.`,
  ],
  [
    /Connection is (closed|aborted)|connection close|ECONN|ETIMEDOUT|EPIPE|EHOSTUN|ENETUN|ENOTFOUND|EAI_AGAIN|[Tt]imed? ?out|max retries per request|Stream isn't writeable|Cluster isn't ready|Cluster is|startup nodes|slots cache|Cluster redirections|sentinels are unreachable/,
    'REDIS_UNREACHABLE',
    (said) => `Redis cannot be reached (${said}).`,
  ],
  [
    // It starts, it is or becomes a replica, its replicas are away, it runs a script, its slots are on the move.
    /^(LOADING|READONLY|MASTERDOWN|NOREPLICAS|BUSY |CLUSTERDOWN|TRYAGAIN|MOVED|ASK )|non local key/,
    'REDIS_UNREACHABLE',
    (said) => `Redis takes no writes for now (${said}).`,
  ],
];

/** Turns what ioredis or Redis said into an error of ours; its text stays in the message and in `cause`. */
export function fromRedis(error: unknown, key = ''): LockError {
  if (error instanceof LockError) return error;
  const said = error instanceof Error ? error.message : `${error}`;
  const kind = KINDS.find(([pattern]) => pattern.test(said));
  const [, code, sentence] = kind ?? [
    null,
    'REDIS_ERROR' as const,
    (text: string) => `Redis refused: ${text}`,
  ];
  const fields = key === '' ? { said } : { key, said };
  return new LockError(code, sentence(said, key), fields, error);
}
