import { BellRing, Mail, MessageSquare, Siren, Webhook } from 'lucide-react';
import type { ChannelKind } from '@/lib/protocol/notify';

export const KIND_ICON: Record<ChannelKind, typeof Mail> = {
  webhook: Webhook,
  slack: MessageSquare,
  alertmanager: BellRing,
  pagerduty: Siren,
  email: Mail,
};
