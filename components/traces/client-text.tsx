import { KeyText } from '@/components/labels';

/** The name that a client gave itself, and its address. */
export function ClientText({ client }: { client: { addr: string; name: string | null } }) {
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      {client.name !== null && <KeyText text={client.name} />}
      <span className="font-mono text-xs text-ink-3">{client.addr}</span>
    </span>
  );
}
