import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

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

/** Loads the messages of a language, one file of the build, and shows them from now on. */
export async function showLanguage(language: Language): Promise<void> {
  const messages = await LOADERS[language]();
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      lng: language,
      resources: { [language]: { translation: messages } },
      // React writes text nodes: nothing in a value becomes markup.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  } else {
    i18next.addResourceBundle(language, 'translation', messages);
    await i18next.changeLanguage(language);
  }
  document.documentElement.lang = language;
}
