import {
  BellOff,
  BellRing,
  CircleCheck,
  EyeOff,
  Eye,
  Hand,
  Hourglass,
  MailCheck,
  MailX,
  Pencil,
  Repeat,
  RotateCcw,
  UserCheck,
} from 'lucide-react';
import type { AlertEventKind } from '@/lib/protocol/alert';

/** What the timeline can be narrowed to: what the console saw, what people did, to whom it was told. */
export const EVENT_SORTS = ['seen', 'done', 'told'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** Each kind has its own outline, so that it is told without colour. */
export const EVENT_LOOK: Record<AlertEventKind, { sort: EventSort; icon: typeof BellRing }> = {
  pending: { sort: 'seen', icon: Hourglass },
  fired: { sort: 'seen', icon: BellRing },
  changed: { sort: 'seen', icon: Pencil },
  acknowledged: { sort: 'done', icon: UserCheck },
  silenced: { sort: 'done', icon: BellOff },
  unsilenced: { sort: 'done', icon: BellRing },
  doubtful: { sort: 'seen', icon: EyeOff },
  certain: { sort: 'seen', icon: Eye },
  flapping: { sort: 'seen', icon: Repeat },
  resolved: { sort: 'seen', icon: CircleCheck },
  reopened: { sort: 'seen', icon: RotateCcw },
  acted: { sort: 'done', icon: Hand },
  notified: { sort: 'told', icon: MailCheck },
  'notify-failed': { sort: 'told', icon: MailX },
};
