import { after, before } from 'node:test';
import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import type { Collection } from '../port/collection.ts';
import type { Capabilities, Datastore } from '../port/datastore.ts';
import { type ThingOptions, thingDefinition } from './things.ts';

/** One adapter in one mode, as the suite takes it. */
export interface DatastoreSubject {
  readonly name: string;
  /** The exact capabilities that the adapter must declare. */
  readonly expectedCapabilities: Capabilities;
  /** True if the server lacks index lifecycles: it must reject policies and every reference to one. */
  readonly withoutLifecycles?: true;
  /** Fresh, empty, isolated from every other. */
  open(): Promise<Datastore>;
  /** Closes the store and opens it again on the same data. Absent for a mode that keeps nothing. */
  readonly reopen?: (store: Datastore) => Promise<Datastore>;
  /** Why it cannot be tested here; the suite then registers one skipped test. */
  readonly unavailable?: string;
}

export interface OpenedForArea {
  readonly store: Datastore;
  /** A new, empty collection of things. */
  things(options?: ThingOptions): Collection<StoredDocument>;
  /** A collection under a definition that the caller made. */
  collection(definition: CollectionDefinition<StoredDocument>): Collection<StoredDocument>;
}

/** Opens the subject once for the tests of an area and closes it after them. */
export function openForArea(subject: DatastoreSubject): OpenedForArea {
  let opened: Datastore | undefined;
  before(async () => {
    opened = await subject.open();
  });
  after(() => opened?.close());
  const store = (): Datastore => {
    if (opened === undefined) throw new Error('The subject is not open yet.');
    return opened;
  };
  return {
    get store() {
      return store();
    },
    things: (options) => store().collection(thingDefinition(options)),
    collection: (definition) => store().collection(definition),
  };
}
