import i18next, { type i18n } from 'i18next';
import { useSyncExternalStore } from 'react';
import type { en } from './en/index.ts';

type WithoutPlural<Key extends string> = Key extends `${infer Name}_${'one' | 'other'}` ? Name : Key;

type KeysOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? WithoutPlural<Key> : `${Key}.${KeysOf<Tree[Key]>}`;
}[keyof Tree & string];

/** The path of a message, without the ending of a plural. */
export type MessageKey = KeysOf<typeof en>;

/** Returns a message in the language of the reader. `count` chooses the plural. */
export type Translate = (key: MessageKey, values?: Readonly<Record<string, unknown>>) => string;

export interface Translation {
  readonly t: Translate;
  readonly i18n: i18n;
}

/** Undefined until it is asked for again, after the language has changed or got its messages. */
let present: Translation | undefined;

// Before the listeners of components, which ask for the next one.
i18next.on('languageChanged', () => {
  present = undefined;
});

function presentTranslation(): Translation {
  present ??= { t: translationIn(i18next.language), i18n: i18next };
  return present;
}

function onLanguage(listener: () => void): () => void {
  i18next.on('languageChanged', listener);
  return () => i18next.off('languageChanged', listener);
}

/**
 * Returns the messages of the present language.
 * The types of i18next itself are not used: with some hundred messages, they are too deep for the compiler. Nor is
 * react-i18next, with which messages took a tenth of the script that shows the next alert.
 */
export function useTranslation(): Translation {
  return useSyncExternalStore(onLanguage, presentTranslation);
}

/** Returns the function that looks each message without values up once. */
function remembering(translate: Translate): Translate {
  const known = new Map<MessageKey, string>();
  return (key, values) => {
    if (values !== undefined) return translate(key, values);
    const found = known.get(key);
    if (found !== undefined) return found;
    const text = translate(key);
    known.set(key, text);
    return text;
  };
}

/** Returns a message outside of components, in the language at the time of the call. */
export const translate: Translate = (key, values) => String(i18next.t(key, { ...values }));

/** Returns the messages of one language, which was shown before. Each without values is looked up once. */
export function translationIn(language: string): Translate {
  return remembering(i18next.getFixedT(language) as unknown as Translate);
}
