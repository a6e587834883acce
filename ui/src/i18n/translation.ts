import i18next, { type i18n } from 'i18next';
import { useTranslation as useI18next } from 'react-i18next';
import type { en } from './en/index.ts';

type WithoutPlural<Key extends string> = Key extends `${infer Name}_${'one' | 'other'}` ? Name : Key;

type KeysOf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? WithoutPlural<Key> : `${Key}.${KeysOf<Tree[Key]>}`;
}[keyof Tree & string];

/** The path of a message, without the ending of a plural. */
export type MessageKey = KeysOf<typeof en>;

/** Returns a message in the language of the reader. `count` chooses the plural. */
export type Translate = (key: MessageKey, values?: Readonly<Record<string, unknown>>) => string;

/**
 * Returns the messages of the present language. The types of i18next itself are not used: with some
 * hundred messages, they are too deep for the compiler.
 */
export function useTranslation(): { readonly t: Translate; readonly i18n: i18n } {
  const { t, i18n } = useI18next();
  return { t: t as unknown as Translate, i18n };
}

/** Returns a message outside of components, in the language at the time of the call. */
export const translate: Translate = (key, values) => String(i18next.t(key, { ...values }));

/** Returns the messages of one language, which was shown before. */
export function translationIn(language: string): Translate {
  return i18next.getFixedT(language) as unknown as Translate;
}
