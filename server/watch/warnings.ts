import { RELEASE_RULES, WAKE_CHANNEL_RULE } from '@/server/redis/acl-rules';
import { listOf, sentence, verbatim, type Word } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import type { TargetWarning } from '@/lib/protocol/target';
import { displayAddress, userOf } from '@/server/redis/connection-options';
import type { NodeState } from './node-status';
import { otherDbWarnings } from './other-db-warnings';
import { refusedWrites } from './refused-writes';
import { blindReplicas } from './blind-replicas';
import type { Capability } from './server-facts';
import { blindTo } from './sight';
import { ALL_KEYEVENT, ALL_KEYSPACE } from './subscription';
import { inWords, type ToldWarning } from './told-warning';

/** A cut stays a warning for this long. */
const CUT_WARNING_MS = 10 * 60 * 1000;
const CHANNEL_RULES = `&${ALL_KEYSPACE} &${ALL_KEYEVENT}`;
const WANTED_FLAGS = 'KEAn';

/** Everything an operator should know about this node, each with a remedy that can be pasted. */
export function nodeWarnings(state: NodeState): TargetWarning[] {
  return [
    ...connectionWarnings(state),
    ...sightWarnings(state),
    ...serverWarnings(state),
    ...refusedWrites(state),
    ...blindReplicas(state),
    ...[...state.problems].map(([task, error]) => ({
      code: 'blind' as const,
      message: [sentence(`failing:${task}`, { error })],
      remedy: sentence('warning:failing-remedy', {
        user: userOf(state.url),
        address: displayAddress(state.url),
      }),
    })),
  ].map(inWords);
}

function connectionWarnings(state: NodeState): ToldWarning[] {
  const address = displayAddress(state.url);
  const warnings: ToldWarning[] = [];
  if (!state.connected) {
    warnings.push({
      code: 'blind',
      message: [
        state.connectionError
          ? sentence('warning:down-because', { address, error: state.connectionError })
          : sentence('warning:down', { address }),
      ],
      remedy: sentence('warning:down-remedy', {}),
    });
  }
  const cut = cutWarning(state);
  if (cut) warnings.push(cut);
  return warnings;
}

/** That another client was cut and not we is as likely where nothing of our own tells. */
function cutWarning({ gaps, now }: NodeState): ToldWarning | null {
  const isSure = gaps.has('buffer-cut', now - CUT_WARNING_MS);
  if (!isSure && !gaps.has('perhaps-buffer-cut', now - CUT_WARNING_MS)) return null;
  return {
    code: 'buffer-cut',
    message: [sentence(isSure ? 'warning:buffer-cut' : 'warning:perhaps-buffer-cut', {})],
    remedy: verbatim('CONFIG SET client-output-buffer-limit "pubsub 256mb 64mb 60"'),
    evidence: isSure ? 'inferred' : 'unknown',
  };
}

function sightWarnings(state: NodeState): ToldWarning[] {
  if (!state.connected) return [];
  if (!state.sight.speaksResp3) {
    return [
      {
        code: 'blind',
        message: [sentence('warning:no-resp3', {})],
        remedy: sentence('warning:no-resp3-remedy', {}),
      },
    ];
  }
  const user = userOf(state.url);
  const { refusal } = state.sight.subscribed;
  if (refusal !== null) {
    return [
      {
        code: 'blind',
        message: [sentence('warning:no-subscription', { user, error: refusal })],
        remedy: verbatim(`ACL SETUSER ${user} +psubscribe ${CHANNEL_RULES}`),
      },
    ];
  }
  const { facts } = state;
  const { sight, isBlind } = state.sight;
  if (!sight) return [];
  const blind = blindTo(sight);
  if (blind.length === 0) return [];
  return [
    {
      code: 'blind',
      message: [
        unannounced(blind, facts.notifyFlags, sight.missingClasses.join('')),
        ...(isBlind ? [sentence('warning:polling', {})] : []),
      ],
      remedy: facts.capabilities.config
        ? verbatim(`CONFIG SET notify-keyspace-events ${WANTED_FLAGS}`)
        : sentence('warning:provider-flags', { flags: WANTED_FLAGS, user }),
    },
  ];
}

function unannounced(unseen: readonly Word[], flags: string | null, missing: string): Sentence {
  const unseenWords = listOf(unseen);
  if (flags === null) return sentence('warning:unannounced-unreadable', { unseenWords });
  return missing === ''
    ? sentence('warning:unannounced', { unseenWords, flags })
    : sentence('warning:unannounced-missing', { unseenWords, flags, missing });
}

function serverWarnings(state: NodeState): ToldWarning[] {
  const { facts } = state;
  const address = displayAddress(state.url);
  const warnings: ToldWarning[] = [];
  const major = Number(facts.version?.split('.')[0]);
  if (facts.version !== null && major < 7) {
    warnings.push({
      code: 'old-redis',
      message: [sentence('warning:old-redis', { version: facts.version })],
      remedy: sentence('warning:old-redis-remedy', {}),
    });
  }
  if ((facts.maxMemory ?? 0) > 0 && facts.evictionPolicy && facts.evictionPolicy !== 'noeviction') {
    warnings.push({
      code: 'eviction-risk',
      message: [sentence('warning:eviction-risk', { policy: facts.evictionPolicy })],
      remedy: sentence('warning:eviction-risk-remedy', {}),
    });
  }
  if (facts.role === 'replica') {
    warnings.push({
      code: 'replica-attached',
      message: [sentence('warning:replica', { address })],
      remedy: sentence('warning:replica-remedy', {}),
    });
  }
  if (state.insecure) {
    warnings.push({
      code: 'insecure-redis',
      message: [sentence('warning:insecure', { address })],
      remedy: sentence('warning:insecure-remedy', {}),
    });
  }
  return [...warnings, ...otherDbWarnings(state)];
}

/** Who subscribes by prefix may use all channels, and another channel rule would be refused. */
function releaseRules({ sight }: NodeState): string {
  const isNarrow = sight.subscribed.patterns.some((pattern) => !/^__key\w+@\*__:\*$/.test(pattern));
  return isNarrow ? RELEASE_RULES : `${RELEASE_RULES} ${WAKE_CHANNEL_RULE}`;
}

/** Rules that would give the user what is missing, in the form of ACL SETUSER. */
export function missingRules(state: NodeState): { capability: string; rule: string }[] {
  const { facts, url } = state;
  const needed: [capability: Capability, rule: string][] = [
    ['config', '+config|get'],
    ['info', '+info'],
    ['client', '+client|list'],
    ['eval', releaseRules(state)],
    ['pubsub', '+pubsub'],
  ];
  const rules: [string, string][] = needed.filter(([name]) => !facts.capabilities[name]);
  if (state.sight.subscribed.refusal !== null) {
    rules.push(['psubscribe', `+psubscribe ${CHANNEL_RULES}`]);
  }
  return [...rules, ...state.otherRules].map(([capability, rule]) => ({
    capability,
    rule: `ACL SETUSER ${userOf(url)} ${rule}`,
  }));
}
