import i18next from 'i18next';
import { type Translate, translationIn } from '../../i18n/translation.ts';
import { useDisplaySettings } from './display-settings.ts';

export interface Words {
  readonly t: Translate;
  readonly language: string;
}

const byLanguage = new Map<string, Words>();

// A language may have got its messages.
i18next.on('languageChanged', () => byLanguage.clear());

/**
 * Returns the messages for the components of this folder. `useTranslation` subscribes each component
 * by itself: with it a row of ten cells takes 40 % more script to draw. These follow the language of
 * the display settings.
 */
export function useWords(): Words {
  const { language } = useDisplaySettings();
  const shown = language ?? i18next.language;
  const known = byLanguage.get(shown);
  if (known !== undefined) return known;
  const words: Words = { t: translationIn(shown), language: shown };
  byLanguage.set(shown, words);
  return words;
}
