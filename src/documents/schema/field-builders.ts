import type { FieldSpec, GroupContent, GroupRule, ValueContent } from './field-spec.ts';
import { NEW_ID, NOW, UNRESTRICTED } from './field-spec.ts';
import { PLAIN_TRAITS } from './field-types.ts';

/** A field under construction: every method returns a new one. `Absent`: a document may be without it. */
export class Field<Value, Absent extends boolean = false> {
  declare readonly Value: Value;
  declare readonly Absent: Absent;
  readonly spec: FieldSpec;

  constructor(spec: FieldSpec) {
    this.spec = spec;
  }

  /** May be absent: an empty string, null or no key; with a default null alone. */
  optional(): Field<Value, true> {
    return new Field({ ...this.spec, optional: true });
  }

  /** Like `optional`, but rejects an empty string instead of treating it as absent. */
  optionalNotEmpty(): Field<Value, true> {
    return new Field({ ...this.spec, optional: true, emptyRefused: true });
  }

  list(): Field<Value[], Absent> {
    return new Field({ ...this.spec, list: true });
  }

  default(value: Value | Record<string, unknown>): Field<Value, Absent> {
    return new Field({ ...this.spec, default: value });
  }

  /** Kept in the document, never searchable. */
  notIndexed(): Field<Value, Absent> {
    return new Field({ ...this.spec, indexed: false });
  }

  /** Left out of first-version search answers. */
  notStored(): Field<Value, Absent> {
    return new Field({ ...this.spec, stored: false });
  }

  /** Kept in the document alone: never searchable, and left out of first-version search answers. */
  internal(): Field<Value, Absent> {
    return new Field({ ...this.spec, indexed: false, stored: false });
  }

  /** Hides a member of the document from searches: from queries, sorts, facets and answers. */
  secret(): Field<Value, Absent> {
    return new Field({ ...this.spec, secret: true });
  }

  /** Left out of answers when it is absent, instead of shown as null or with its default. */
  leftOut(): Field<Value, Absent> {
    return new Field({ ...this.spec, leftOut: true });
  }

  /** Found by words without a field name. */
  copyToText(): Field<Value, Absent> {
    return new Field({ ...this.spec, copyToText: true });
  }

  /** Limits what searches find of a value of prose to its first tokens. */
  searchedTokens(most: number): Field<Value, Absent> {
    return new Field({ ...this.spec, searchedTokens: most });
  }

  /** Adds a check between the fields of an object. */
  withRule(rule: GroupRule): Field<Value, Absent> {
    return new Field({ ...this.spec, content: { ...(this.spec.content as GroupContent), rule } });
  }

  /** Accepted with a warning. */
  deprecated(description?: string): Field<Value, Absent> {
    return new Field({ ...this.spec, deprecated: true, deprecatedDescription: description });
  }
}

/** A field of any type. */
export type AnyField = Field<unknown, boolean>;
export type FieldRecord = Readonly<Record<string, AnyField>>;

type PresentKeys<F extends FieldRecord> = { [K in keyof F]: F[K]['Absent'] extends true ? never : K }[keyof F];
type AbsentKeys<F extends FieldRecord> = { [K in keyof F]: F[K]['Absent'] extends true ? K : never }[keyof F];

/** The TypeScript type of an object with these fields. */
export type ObjectOf<F extends FieldRecord> = { [K in PresentKeys<F>]: F[K]['Value'] } & {
  [K in AbsentKeys<F>]?: F[K]['Value'] | undefined;
};

type ValueSettings = Partial<Omit<ValueContent, 'kind' | 'type'>>;

function value<Value>(type: ValueContent['type'], description: string, settings: ValueSettings = {}): Field<Value> {
  const content: ValueContent = {
    kind: 'value',
    type,
    values: undefined,
    regex: undefined,
    minimum: undefined,
    lowerCased: false,
    upperCased: false,
    textOnly: false,
    ofUser: false,
    ...settings,
  };
  return new Field({ ...PLAIN, content, description });
}

const PLAIN: Omit<FieldSpec, 'content' | 'description'> = {
  ...PLAIN_TRAITS,
  emptyRefused: false,
  default: undefined,
  secret: false,
  leftOut: false,
};

/** Exact text. `regex`: must match; `lowerCased`/`upperCased`: stored so; `textOnly`: no numbers. */
export const keyword = (
  description: string,
  settings: Pick<ValueSettings, 'regex' | 'lowerCased' | 'upperCased' | 'textOnly'> = {},
): Field<string> => value('keyword', description, settings);
/** Exact text whose case does not matter in searches. */
export const caseInsensitiveKeyword = (description: string): Field<string> =>
  value('case_insensitive_keyword', description);
/** Prose, searched by words. */
export const text = (description: string): Field<string> => value('text', description);
/** Identifier that is made when none is given. */
export const identifier = (description: string): Field<string> =>
  new Field({ ...value<string>('uuid', description).spec, default: NEW_ID });
/** One of a few values, in the order in which people should see them. */
export const enumeration = <const V extends readonly string[]>(description: string, values: V): Field<V[number]> =>
  value('enum', description, { values });
export const boolean = (description: string): Field<boolean> => value('boolean', description);
/** Whole number of 32 bits. */
export const integer = (description: string, settings: { readonly minimum?: number } = {}): Field<number> =>
  value('integer', description, { minimum: settings.minimum });
/** Integer of 64 bits: a number where that is exact, a bigint beyond ±(2^53 - 1). */
export const long = (description: string): Field<number | bigint> => value('long', description);
export const float = (description: string): Field<number> => value('float', description);
/** Time, `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export const date = (description: string): Field<string> => value('date', description);
/** Time that is the present one when none is given. */
export const dateNow = (description: string): Field<string> => date(description).default(NOW);
export const ip = (description: string): Field<string> => value('ip', description);
export const domain = (description: string): Field<string> => value('domain', description);
export const email = (description: string): Field<string> => value('email', description);
export const uri = (description: string): Field<string> => value('uri', description);
export const mac = (description: string): Field<string> => value('mac', description);
export const md5 = (description: string): Field<string> => value('md5', description);
export const sha1 = (description: string): Field<string> => value('sha1', description);
export const sha256 = (description: string): Field<string> => value('sha256', description);
export const ssdeep = (description: string): Field<string> => value('ssdeep', description);
/** Up to 64 hexadecimal digits in lower case. */
export const hexHash = (description: string): Field<string> => value('hash', description);
/** JSON as text; other values are turned into it. */
export const json = (description: string): Field<string> => value('json', description);
/** Any JSON, which is kept as it is. */
export const anyJson = (description: string): Field<unknown> => value('any', description);
/** Defines the classification of a document. Default: unrestricted. */
export const classification = (description: string): Field<string> =>
  new Field({ ...value<string>('classification', description).spec, default: UNRESTRICTED });
/** Defines the classification of a user. */
export const userClassification = (description: string): Field<string> =>
  new Field({ ...value<string>('classification', description, { ofUser: true }).spec, default: UNRESTRICTED });

/** `{key: value}` with free keys. The item's own description is not used. `keys`: allowed keys. */
export function mapping<Value>(
  description: string,
  item: Field<Value, boolean>,
  settings: { readonly keys?: RegExp } = {},
): Field<Record<string, Value>> {
  return new Field({ ...PLAIN, description, content: { kind: 'mapping', item: item.spec, keys: settings.keys } });
}

/** An object with known fields. `name` is its model's name in error texts and schemas. */
export function group<const F extends FieldRecord>(name: string, description: string, fields: F): Field<ObjectOf<F>> {
  const specs: Record<string, FieldSpec> = {};
  for (const [key, field] of Object.entries(fields)) {
    if (!FIELD_NAME.test(key)) throw new Error(`The field name ${key} of ${name} is not allowed.`);
    specs[key] = field.spec;
  }
  const content: GroupContent = { kind: 'group', name, fields: specs, rule: undefined };
  return new Field({ ...PLAIN, description, content });
}

const FIELD_NAME = /^[a-z_][a-z0-9_-]*$/;
