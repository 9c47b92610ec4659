'use client';

import { Moon, Sun } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useTranslations } from 'use-intl';
import { IconButton } from '@/components/ui/icon-button';
import { useIsHydrated } from './use-is-hydrated';

export function ThemeToggle() {
  const t = useTranslations('shell.theme');
  const { resolvedTheme, setTheme } = useTheme();
  // The server cannot know the theme; until the page runs the button offers the dark one.
  const isDark = useIsHydrated() && resolvedTheme === 'dark';
  return (
    <IconButton
      label={isDark ? t('light') : t('dark')}
      icon={isDark ? <Sun size={15} aria-hidden /> : <Moon size={15} aria-hidden />}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    />
  );
}
