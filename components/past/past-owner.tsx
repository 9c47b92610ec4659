'use client';

import { createContext, useContext, type ReactNode } from 'react';
import { OwnerName, usePlaceText } from '@/components/labels';
import type { PlacedOwner } from '@/lib/protocol/measures';

const Places = createContext<readonly PlacedOwner[]>([]);

interface Props {
  /** Who says where it runs. */
  places: readonly PlacedOwner[] | undefined;
  children: ReactNode;
}

/** Within it each {@link PastOwner} is called by where it runs. */
export function PastOwners({ places = [], children }: Props) {
  return <Places.Provider value={places}>{children}</Places.Provider>;
}

/** Who held or waited: the service and host where that is still known, and the token. */
export function PastOwner({ owner }: { owner: string }) {
  const places = useContext(Places);
  const placeText = usePlaceText();
  const name = placeText(places.find((place) => place.owner === owner)) ?? owner;
  return <OwnerName owner={owner} name={name} />;
}
