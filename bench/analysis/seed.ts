import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '../../scripts/script-arguments.ts';
import { DEMO_CLASSIFICATION } from '../../src/classification/builtin-definitions.ts';
import { loadClassification } from '../../src/classification/classification.ts';
import { openEmbeddedDatastore } from '../../src/datastore/embedded/embedded-datastore.ts';
import { type BulkItem, throwBulkFailure } from '../../src/datastore/port/collection.ts';
import type { Datastore } from '../../src/datastore/port/datastore.ts';
import { unrestricted } from '../../src/datastore/port/read-access.ts';
import { fileDocument } from '../../src/documents/kinds/analysis/file.ts';
import { resultDocument } from '../../src/documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../src/documents/kinds/analysis/submission.ts';
import type { DocumentDefinition } from '../../src/documents/schema/document-definition.ts';
import { readDocument } from '../../src/documents/schema/read-document.ts';
import { isTriadError } from '../../src/errors/errors.ts';
import { classifiedCollection } from '../../src/identity/accounts/classified-collection.ts';
import { LARGE_FILES, largeSubmission, RESULTS_OF_LARGE_FILE, smallSubmission } from './submission-documents.ts';

const HELP = `node bench/analysis/seed.ts --folder FOLDER --submissions N --results N --large N

Stores submissions with their results in the data folder of a demo, which no program may use meanwhile.
  --large N   submissions of ${LARGE_FILES} files with ${LARGE_FILES * RESULTS_OF_LARGE_FILE} results among them, whose files are stored too`;
const { values: flags } = readArguments(HELP, {
  folder: { type: 'string', default: '' },
  submissions: { type: 'string', default: '200000' },
  results: { type: 'string', default: '1000000' },
  large: { type: 'string', default: '100' },
});
const [SUBMISSIONS, RESULTS, LARGE] = [Number(flags.submissions), Number(flags.results), Number(flags.large)];
/** Documents of one write. */
const BATCH = 1000;
const NOW = Date.now();
/** Milliseconds since the first submission. */
const AGE = 90 * 24 * 3_600_000;
const SEEDED = unrestricted('the bench counts what it stored');
const classification = loadClassification(DEMO_CLASSIFICATION);

/** Writes documents of one kind in batches, with defaults and hidden access fields. */
class Writer<T extends object> {
  readonly #definition: DocumentDefinition<T>;
  readonly #collection: ReturnType<typeof classifiedCollection<T>>;
  #waiting: BulkItem<T>[] = [];

  constructor(datastore: Datastore, definition: DocumentDefinition<T>) {
    this.#definition = definition;
    this.#collection = classifiedCollection(datastore.collection(definition), definition, classification);
  }

  async add(inputs: readonly { readonly id: string; readonly document: unknown }[]): Promise<void> {
    for (const { id, document: input } of inputs) {
      const { document } = readDocument(this.#definition, input, { unknown: 'refuse', classification });
      this.#waiting.push({ kind: 'save', id, document });
    }
    if (this.#waiting.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const items = this.#waiting;
    this.#waiting = [];
    if (items.length > 0) throwBulkFailure(await this.#collection.bulk(items));
  }

  /** Resolves when searches are fast: with the columns of everything. */
  async settle(): Promise<number> {
    await this.flush();
    const everything = { query: { kind: 'all' } } as const;
    for (;;) {
      try {
        return await this.#collection.count(everything, SEEDED);
      } catch (error) {
        // Columns that follow or are built answer nothing meanwhile.
        if (!isTriadError(error) || error.kind !== 'unavailable') throw error;
        await sleep(1000);
      }
    }
  }
}

const datastore = await openEmbeddedDatastore({ folder: flags.folder, prefix: 'svc' });
try {
  const [submissions, results, files] = [
    new Writer(datastore, submissionDocument),
    new Writer(datastore, resultDocument),
    new Writer(datastore, fileDocument),
  ];
  const step = Math.floor(SUBMISSIONS / Math.max(1, LARGE));
  let [large, result] = [0, 0];
  for (let n = 0; n < SUBMISSIONS; n += 1) {
    // They came one after the other, the last ones now.
    const submitted = NOW - AGE * (1 - (n + 1) / SUBMISSIONS);
    const isLarge = n % step === step - 1 && large < LARGE;
    const spare = RESULTS - result - (LARGE - large) * LARGE_FILES * RESULTS_OF_LARGE_FILE;
    const share = Math.max(0, Math.round(spare / (SUBMISSIONS - n - (LARGE - large))));
    const made = isLarge ? largeSubmission(large, result, submitted) : smallSubmission(n, result, share, submitted);
    if (isLarge) large += 1;
    result += made.results.length;
    await submissions.add([made.submission]);
    await results.add(made.results);
    await files.add(made.files);
    if ((n + 1) % 20_000 === 0) process.stderr.write(`  ${n + 1} submissions, ${result} results\n`);
  }
  for (const writer of [submissions, results, files]) await writer.settle();
} finally {
  await datastore.close();
}
