import type { Role } from '@/lib/protocol/actions';

/** Who asks. Every query and action gets one; there is no anonymous actor. */
export interface Actor {
  id: string;
  /** What the audit shows: an e-mail address, or `token:admin`. */
  name: string;
  role: Role;
  kind: 'user' | 'token';
  /** Namespaces the actor may act in; `null` = all. */
  namespaces: string[] | null;
}

const RANK: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

export const hasRole = (actor: Actor, needed: Role): boolean => RANK[actor.role] >= RANK[needed];
