import i18next from 'i18next';
import { importPart } from '../design/late/import-part.ts';
import { common as englishCommon } from './en/common.ts';
import { connection as englishConnection } from './en/connection.ts';
import { common as frenchCommon } from './fr/common.ts';
import { connection as frenchConnection } from './fr/connection.ts';

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const LOADERS = {
  en: async () => (await import('./en/index.ts')).en,
  fr: async () => (await import('./fr/index.ts')).fr,
} as const;

/** Returns the first language of the browser that the interface has; English otherwise. */
export function browserLanguage(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return wanted.find((tag): tag is Language => LANGUAGES.some((language) => language === tag)) ?? 'en';
}

/** The messages that a page may need before it has the file with all of them, or instead of it. */
const FIRST = {
  en: { common: englishCommon, connection: englishConnection },
  fr: { common: frenchCommon, connection: frenchConnection },
} as const;

/** Shows the first messages of a language at once; `showLanguage` loads the others. */
export function beginInLanguage(language: Language): void {
  void i18next.init({
    lng: language,
    // Without it, the first page would have no words until the next task.
    initAsync: false,
    resources: { [language]: { translation: FIRST[language] } },
    // React writes text nodes: nothing in a value becomes markup.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
}

/** Loads the messages of a language, one file, and shows them from now on. @throws PartMissing */
export async function showLanguage(language: Language): Promise<void> {
  const messages = await importPart(LOADERS[language]);
  if (!i18next.isInitialized) beginInLanguage(language);
  i18next.addResourceBundle(language, 'translation', messages, true, true);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
