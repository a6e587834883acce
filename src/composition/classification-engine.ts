import { createHash } from 'node:crypto';
import { DEFAULT_CLASSIFICATION, DEMO_CLASSIFICATION } from '../classification/builtin-definitions.ts';
import { type ClassificationEngine, loadClassification } from '../classification/classification.ts';
import type { Config } from '../config/config.ts';
import type { Collection, Versioned } from '../datastore/port/collection.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { ABSENT, type Version } from '../datastore/port/versions.ts';
import { type InstallationFact, installationDocument } from '../documents/kinds/installation.ts';
import { Conflict, isConflict } from '../errors/errors.ts';

const FACT = 'classification';
const ACCESS = unrestricted('the definition decides what access means');

/** The recorded classification definition: stored access depends on it, so all processes need the same. */
export class ClassificationRecord {
  readonly engine: ClassificationEngine;
  readonly #datastore: Pick<Datastore, 'collection' | 'admin'>;

  constructor(engine: ClassificationEngine, datastore: Pick<Datastore, 'collection' | 'admin'>) {
    this.engine = engine;
    this.#datastore = datastore;
  }

  /** Returns the sections in which the definition differs from the recorded one; none without a record. */
  async differences(): Promise<readonly string[]> {
    const fact = (await this.#recorded())?.document;
    const { accessRules } = this.engine;
    if (fact === undefined || fact.digest === digestOf(JSON.stringify(accessRules))) return [];
    const recorded = JSON.parse(fact.value) as Readonly<Record<string, unknown>>;
    const sections = Object.entries(accessRules).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(recorded[name]),
    );
    return sections.map(([name]) => name);
  }

  /**
   * Records the definition unless there is a record; of several processes at once, one succeeds.
   * The collections have to exist. @throws Conflict `classification_differs`
   */
  async claim(): Promise<void> {
    if ((await this.#recorded()) === undefined) {
      try {
        await this.#save(ABSENT);
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    this.refuse(await this.differences());
  }

  /** Replaces the record. Every process of the installation has to be stopped. */
  async replace(): Promise<void> {
    await this.#save((await this.#recorded())?.version ?? ABSENT);
  }

  /** @throws Conflict `classification_differs` when there are differences */
  refuse(differences: readonly string[]): void {
    if (differences.length > 0) throw new Conflict('classification_differs', this.#sentence(differences));
  }

  async health(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    const differences = await this.differences();
    const ok = differences.length === 0;
    return { ok, detail: ok ? 'The definition is that of the installation.' : this.#sentence(differences) };
  }

  /** A command may look before the first start has made the collection, and makes none. */
  async #recorded(): Promise<Versioned<InstallationFact> | undefined> {
    const { admin } = this.#datastore;
    const indices = await admin.list(`${admin.prefix}-${installationDocument.name}*`);
    return indices.length === 0 ? undefined : this.#facts.getVersioned(FACT, ACCESS);
  }

  get #facts(): Collection<InstallationFact> {
    return this.#datastore.collection(installationDocument);
  }

  async #save(ifVersion: Version): Promise<void> {
    const value = JSON.stringify(this.engine.accessRules);
    const changed_at = new Date().toISOString();
    const fact = { fact: FACT, digest: digestOf(value), value, changed_at };
    await this.#facts.save(FACT, fact, { visible: 'now', ifVersion });
  }

  #sentence(differences: readonly string[]): string {
    return `The classification definition (${this.engine.fileName}) is not the one that this installation uses; it differs in ${differences.join(', ')}. Every process and command of an installation needs the same classification.yml. To change the definition, stop all processes and run: triad classification change.`;
  }
}

/**
 * Opens the configured definition, else the recorded built-in one, else that of the demo or default.
 * @param options.check false accepts another definition than the recorded one; default true
 * @throws Conflict `classification_differs`; InvalidInput `invalid_classification_definition`
 */
export async function openClassification(
  { classification }: Config,
  datastore: Pick<Datastore, 'collection' | 'admin'>,
  options: { readonly demo: boolean; readonly check?: boolean },
): Promise<ClassificationRecord> {
  const builtIn = options.demo
    ? [DEMO_CLASSIFICATION, DEFAULT_CLASSIFICATION]
    : [DEFAULT_CLASSIFICATION, DEMO_CLASSIFICATION];
  const engines =
    classification === undefined
      ? builtIn.map((text) => loadClassification(text, 'the built-in one'))
      : [loadClassification(classification.text, classification.path)];
  const records = engines.map((engine) => new ClassificationRecord(engine, datastore));
  const differences = await Promise.all(records.map((record) => record.differences()));
  const [first] = records;
  const same = records.find((_record, index) => differences[index]?.length === 0) ?? first;
  if (first === undefined || same === undefined) throw new Error('there is a built-in definition');
  if (options.check !== false && same === first) first.refuse(differences[0] ?? []);
  return same;
}

function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
