import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import {
  boolean,
  caseInsensitiveKeyword,
  classification,
  date,
  float,
  group,
  integer,
  ip,
  keyword,
  long,
  mapping,
  text,
} from '../../documents/schema/field-builders.ts';
import type { Collection } from '../port/collection.ts';
import { type ReadAccess, unrestricted } from '../port/read-access.ts';
import type { Selection } from '../port/search.ts';
import type { Version } from '../port/versions.ts';
import { compileQuery } from '../query-language/compile-query.ts';

export interface ThingOptions {
  /** Documents carry `__access_lvl__`; see `readsUpTo`. Default false. */
  readonly classified?: boolean;
  /**
   * Users see the things with the name `shared` and those that carry theirs as a tag.
   * Default: every user sees all.
   */
  readonly owned?: boolean;
  /** Default: a name that no other collection has. */
  readonly name?: string;
}

let named = 0;

/** A kind of document with a field of every search kind. */
export function thingDefinition({
  classified = false,
  owned = false,
  name,
}: ThingOptions = {}): CollectionDefinition<StoredDocument> {
  named += 1;
  const definition = defineDocument({
    name: name ?? `thing${named}`,
    title: 'Thing',
    description: 'Documents of the conformance suite.',
    idField: 'thing_id',
    defaultSort: [{ field: 'seen', order: 'desc' }],
    ...(classified ? { classificationField: 'classification' } : {}),
    ...(owned ? { visibleTo: { everyone: { name: 'shared' }, users: ['tags'] } } : {}),
    fields: {
      thing_id: keyword('Identifier.'),
      name: keyword('Name.').optional(),
      title: caseInsensitiveKeyword('Title.').optional(),
      note: text('Prose.').optional().copyToText(),
      port: integer('Whole number.').optional(),
      size: long('Large whole number.').optional(),
      score: float('Number.').optional(),
      active: boolean('Yes or no.').optional(),
      seen: date('Time.').optional(),
      address: ip('Address.').optional(),
      tags: keyword('Words.').list().optional(),
      ports: integer('Whole numbers.').list().optional(),
      labels: mapping('Free keys.', keyword('Value.')).optional(),
      secret: keyword('Kept and never found.').optional().notIndexed(),
      owner: group('Owner', 'Nested object.', {
        name: keyword('Name.').optional(),
        age: integer('Years.').optional(),
      }).optional(),
      comments: group('Comment', 'Objects in a list.', {
        user: keyword('Writer.').optional(),
        value: text('Prose.').optional(),
        stars: integer('Whole number.').optional(),
      })
        .list()
        .optional(),
      classification: classification('Who may see it.').optional(),
    },
  });
  return definition as unknown as CollectionDefinition<StoredDocument>;
}

export const EVERYTHING: ReadAccess = unrestricted('the suite asks about the store, not about a caller');

/** Admits documents up to a level, as a classification engine would. */
export function readsUpTo(level: number): ReadAccess {
  return {
    filter: { kind: 'range', field: '__access_lvl__', upper: { value: level, inclusive: true } },
    username: undefined,
    admits: (document) => Number(document.__access_lvl__) <= level,
  };
}

/** Sees every classification, and of things that belong to users those of one. */
export function readsAs(username: string): ReadAccess {
  return { ...EVERYTHING, username };
}

/** The documents that a query text finds. */
export function where(things: Collection<StoredDocument>, queryText: string): Selection {
  return { query: compileQuery(queryText, things.definition) };
}

export const ALL: Selection = { query: { kind: 'all' } };

/** Stores documents under their `thing_id`, found by searches when it resolves. */
export async function fill(
  things: Collection<StoredDocument>,
  documents: readonly StoredDocument[],
): Promise<Version[]> {
  const results = await things.bulk(
    documents.map((document) => ({ kind: 'save', id: idOf(document), document })),
    { visible: 'now' },
  );
  return results.map((result) => {
    if (!result.ok) throw new Error(`${result.id} was not stored: ${result.code} ${result.message}`);
    return result.version;
  });
}

/** So many things: `t0000`, `t0001`, ... */
export function series(count: number, make: (index: number) => StoredDocument = () => ({})): StoredDocument[] {
  return Array.from({ length: count }, (_, index) => ({
    thing_id: `t${String(index).padStart(4, '0')}`,
    ...make(index),
  }));
}

export function idOf(document: StoredDocument): string {
  return String(document.thing_id);
}

/** Identifiers of a search, in the order of its answer. */
export async function idsOf(
  things: Collection<StoredDocument>,
  request: Parameters<Collection<StoredDocument>['search']>[0],
  access: ReadAccess = EVERYTHING,
): Promise<string[]> {
  return (await things.search({ rows: 1000, ...request }, access)).items.map(({ id }) => id);
}

/** Returns the sorted identifiers of a search without a defined order. */
export async function found(
  things: Collection<StoredDocument>,
  queryText: string,
  access: ReadAccess = EVERYTHING,
): Promise<string[]> {
  return (await idsOf(things, where(things, queryText), access)).toSorted();
}
