'use client';

import { useEffect } from 'react';
import { badgeText, drawBadge, type Unattended } from './tab-icon';

const ICON = '/icon.svg';
const COUNT = /^\(\d+\) /;

/** The count of what nobody looks after in the tab's title and icon; neither where there is nothing. */
export function useTabBadge({ critical, warning }: Unattended): void {
  useEffect(() => {
    const count = critical + warning;
    const prefix = count === 0 ? '' : `(${badgeText({ critical, warning })}) `;
    return keepInHead(() => {
      const title = prefix + document.title.replace(COUNT, '');
      if (document.title !== title) document.title = title;
    });
  }, [critical, warning]);

  useEffect(() => {
    if (critical + warning === 0) return undefined;
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    let isOver = false;
    let end = (): void => undefined;
    const show = async (): Promise<void> => {
      const drawn = await drawnIcon({ critical, warning }, scheme.matches);
      if (isOver || drawn === null) return;
      end();
      end = keepInHead(() => setIcon(drawn));
    };
    const redraw = (): void => void show();
    redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      isOver = true;
      end();
      scheme.removeEventListener('change', redraw);
      setIcon(ICON);
    };
  }, [critical, warning]);
}

async function drawnIcon(unattended: Unattended, isDark: boolean): Promise<string | null> {
  const icon = new Image();
  icon.src = ICON;
  try {
    await icon.decode();
    return drawBadge(icon, unattended, isDark);
  } catch {
    // The icon cannot be had: the tab keeps the plain one, and the title has the count.
    return null;
  }
}

function setIcon(address: string): void {
  for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) {
    if (link.getAttribute('href') !== address) link.setAttribute('href', address);
  }
}

/** Does it now and whenever a page writes its own title or icon. Returns what ends it. */
function keepInHead(apply: () => void): () => void {
  apply();
  const observer = new MutationObserver(apply);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => observer.disconnect();
}
