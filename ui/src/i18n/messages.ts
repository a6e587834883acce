import type { en } from './en/index.ts';

/** A string for each string: a translation with a missing or an additional key does not compile. */
type Translated<Tree> = { readonly [Key in keyof Tree]: Tree[Key] extends string ? string : Translated<Tree[Key]> };

export type Messages = Translated<typeof en>;

/** The messages of one subject, for example `TranslationOf<typeof import('../en/alerts.ts').alerts>`. */
export type TranslationOf<Tree> = Translated<Tree>;
