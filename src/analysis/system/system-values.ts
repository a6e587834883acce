import { createHash } from 'node:crypto';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { RecentDocuments } from '../../datastore/port/recent-documents.ts';
import type { InstallationFact } from '../../documents/kinds/installation.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';

/** Values that administrators change while the program runs, by name. */
export const SYSTEM_VALUES = [
  'system_message',
  'tag_safelist',
  'actions',
  'classification_aliases',
  'metadata_suggestions',
  'inactive_components',
  'identify_magic',
  'identify_mimes',
  'identify_patterns',
  'identify_yara',
] as const;
export type SystemValueName = (typeof SYSTEM_VALUES)[number];

export interface SystemValuesDependencies {
  readonly facts: Collection<InstallationFact>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

const ACCESS = unrestricted('values of the installation have no classification');
const PREFIX = 'analysis.';

/** Stores JSON values of the installation; every process sees a change within a second. */
export class SystemValues {
  readonly #facts: Collection<InstallationFact>;
  readonly #recent: RecentDocuments<InstallationFact>;

  constructor({ facts, now }: SystemValuesDependencies) {
    this.#facts = facts;
    this.#recent = new RecentDocuments({ collection: facts, access: ACCESS, now });
  }

  /** Returns a value at most a second old; undefined when there is none. */
  async get(name: SystemValueName): Promise<unknown> {
    const fact = await this.#recent.get(PREFIX + name);
    return fact === undefined ? undefined : JSON.parse(fact.value);
  }

  async set(name: SystemValueName, value: unknown): Promise<void> {
    const id = PREFIX + name;
    const json = JSON.stringify(value);
    const fact = {
      fact: id,
      digest: createHash('sha256').update(json).digest('hex'),
      value: json,
      changed_at: formatDate(new Date()),
    };
    await this.#recent.writing(id, () => this.#facts.save(id, fact, { visible: 'now' }));
  }

  async remove(name: SystemValueName): Promise<void> {
    const id = PREFIX + name;
    await this.#recent.writing(id, () => this.#facts.delete(id, { visible: 'now' }));
  }

  /** Returns a function that reads a value through `read`, which is called again when the value changes. */
  reader<T>(name: SystemValueName, read: (value: unknown) => T): () => Promise<T> {
    let known: { readonly digest: string | undefined; readonly value: T } | undefined;
    return async () => {
      const fact = await this.#recent.get(PREFIX + name);
      if (known === undefined || known.digest !== fact?.digest) {
        known = { digest: fact?.digest, value: read(fact === undefined ? undefined : JSON.parse(fact.value)) };
      }
      return known.value;
    };
  }
}
