import { createTranslator } from 'use-intl/core';
import { en } from './en';

export type Messages = typeof en;
export type Section = keyof Messages;
export type Locale = 'en';

// Gives `useTranslations` the sections and keys of the catalogue, so that a wrong key does not compile.
declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
    Locale: Locale;
  }
}

export const DEFAULT_LOCALE: Locale = 'en';

export const messagesOf: Record<Locale, Messages> = { en };

/** Those sections of a language and no others. */
export const sectionsOf = (locale: Locale, names: readonly Section[]): Partial<Messages> =>
  Object.fromEntries(names.map((name) => [name, messagesOf[locale][name]]));

/** Translates outside React: page titles, tests. */
export const translator = (locale: Locale = DEFAULT_LOCALE) =>
  createTranslator({ locale, messages: messagesOf[locale] });
