import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { QueueWorker, type Workers } from '../../coordination/queue-worker.ts';
import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Log } from '../../http/request-log.ts';
import type { ArchiveCollections } from '../archive-access/archive-collections.ts';
import type { FileUse } from '../files/file-use.ts';
import { fileOfKey, isEmptyResultKey } from '../result-views/empty-result.ts';
import { automaticLabels, withLabels } from './automatic-labels.ts';

/** Queue of submissions that are to be archived; items are `ArchiveOrder`. */
export const ARCHIVE_QUEUE = 'analysis:archive';

/** A submission that is to be copied into the archive. */
export interface ArchiveOrder {
  readonly sid: string;
  /** The submission is deleted outside of the archive afterwards. */
  readonly deleteAfter: boolean;
  /** Metadata that it gets before, where it has none of the name. */
  readonly metadata: Readonly<Record<string, string>>;
  /** It is deleted after `core.archiver.alternate_dtl` days. */
  readonly alternateLife: boolean;
}

export interface ArchiverDependencies {
  readonly coordination: Pick<Coordination, 'queues' | 'locks'>;
  /** Documents outside of the archive. Collections of classified kinds stamp what they store. */
  readonly submissions: Collection<Submission>;
  readonly files: Collection<FileRecord>;
  readonly results: Collection<Result>;
  readonly errors: Collection<ErrorRecord>;
  readonly archive: ArchiveCollections;
  readonly storage: Pick<FileStorage, 'stat'>;
  readonly fileUse: Pick<FileUse, 'hold' | 'release'>;
  readonly classification: ClassificationEngine;
  /** Deletes a submission with everything that only it refers to. */
  readonly deleteSubmission: (sid: string) => Promise<void>;
  readonly settings: Pick<Settings['analysis'], 'core' | 'submission'>;
  readonly log: Log;
  readonly now?: () => Date;
}

interface Life {
  readonly archive_ts: string;
  /** Absent: never. */
  readonly expiry_ts?: string;
}

const EVERYTHING = unrestricted('the archive holds submissions of every classification');
const DAY = 86_400_000;
/** Documents that are read or written at once. */
const CHUNK = 100;

/** Copies submissions with files, results and errors into the archive. Each copy may be repeated. */
export class Archiver implements Workers {
  readonly #dependencies: ArchiverDependencies;
  readonly #worker: QueueWorker;

  constructor(dependencies: ArchiverDependencies) {
    this.#dependencies = dependencies;
    const { coordination, log } = dependencies;
    this.#worker = new QueueWorker({
      ...{ queue: ARCHIVE_QUEUE, coordination, log },
      ...{ batchSize: 1, batchTimeout: 0 },
      work: async (items) => {
        for (const order of items as readonly ArchiveOrder[]) await this.archive(order);
      },
    });
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Orders a copy; durable once it resolves. */
  async order(order: ArchiveOrder): Promise<void> {
    await this.#dependencies.coordination.queues.push(ARCHIVE_QUEUE, [order]);
  }

  /** Copies a submission; one that is gone meanwhile is left out. */
  async archive(order: ArchiveOrder): Promise<void> {
    const { archive, deleteSubmission, submissions, log } = this.#dependencies;
    const { sid, deleteAfter } = order;
    const submission = await this.#withMetadata(order);
    if (submission === undefined || submission.to_be_deleted) {
      log.warn({ sid }, 'a submission is not archived, because it does not exist any more');
      return;
    }
    const life = this.#life(order);
    const results = await this.#copyAll(
      this.#dependencies.results,
      archive.results,
      submission.results.filter((key) => !isEmptyResultKey(key)),
      life,
    );
    await this.#copyAll(this.#dependencies.errors, archive.errors, submission.errors, life);
    for (const [sha256, isSupplementary] of filesOf(submission, results.values())) {
      const ofFile = [...results].flatMap(([key, result]) => (key.startsWith(sha256) ? [result] : []));
      await this.#copyFile(sha256, isSupplementary, ofFile, life);
    }
    // The submission goes last, so that what it names is there.
    await keep(archive.submissions, sid, { ...submission, archived: true }, life);
    if (deleteAfter) await deleteSubmission(sid);
    else await submissions.update(sid, [{ op: 'set', path: 'archived', value: true }], { visible: 'now' });
    log.info({ sid }, 'a submission was archived');
  }

  async #withMetadata({ sid, metadata }: ArchiveOrder): Promise<Submission | undefined> {
    const { submissions } = this.#dependencies;
    return await retryOnConflict(async () => {
      const found = await submissions.getVersioned(sid, EVERYTHING);
      if (found === undefined) return undefined;
      const { document: submission, version } = found;
      const added = Object.entries(metadata).filter(([name]) => !Object.hasOwn(submission.metadata, name));
      if (added.length === 0) return submission;
      const changed = { ...submission, metadata: { ...submission.metadata, ...Object.fromEntries(added) } };
      await submissions.save(sid, changed, { ifVersion: version, visible: 'now' });
      return changed;
    });
  }

  #life({ alternateLife }: ArchiveOrder): Life {
    const { settings, now = () => new Date() } = this.#dependencies;
    const { alternate_dtl: days } = settings.core.archiver;
    const archive_ts = formatDate(now());
    if (!alternateLife || days === 0) return { archive_ts };
    return { archive_ts, expiry_ts: formatDate(new Date(now().getTime() + days * DAY)) };
  }

  /** Returns the documents that were there, by key. */
  async #copyAll<T extends object>(
    from: Collection<T>,
    to: Collection<T>,
    keys: readonly string[],
    life: Life,
  ): Promise<ReadonlyMap<string, T>> {
    const copied = new Map<string, T>();
    for (let at = 0; at < keys.length; at += CHUNK) {
      const some = keys.slice(at, at + CHUNK);
      const [found, present] = await Promise.all([from.getMany(some, EVERYTHING), to.getMany(some, EVERYTHING)]);
      const items: { kind: 'save'; id: string; document: T; ifVersion: typeof ABSENT }[] = [];
      for (const [index, id] of some.entries()) {
        const document = found[index] ?? present[index];
        if (document === undefined) continue;
        copied.set(id, document);
        const archived = present[index];
        if (archived !== undefined) await keep(to, id, archived, life);
        else items.push({ kind: 'save', id, document: dated(document, life), ifVersion: ABSENT });
      }
      if (items.length > 0) throwBulkFailure(await to.bulk(items, { visible: 'now' }), ['already_exists']);
    }
    return copied;
  }

  async #copyFile(sha256: string, isSupplementary: boolean, results: readonly Result[], life: Life): Promise<void> {
    const { files, archive, fileUse, storage, settings, classification, log } = this.#dependencies;
    const file = (await files.get(sha256, EVERYTHING)) ?? (await archive.files.get(sha256, EVERYTHING));
    if (file === undefined) return;
    // Until the copy is stored, nothing may delete the bytes.
    const hold = await fileUse.hold(sha256);
    if ((await storage.stat(sha256)) === undefined) log.warn({ sha256 }, 'the bytes of an archived file are gone');
    const { ioc: iocTypes } = settings.submission.tag_types;
    const labels = automaticLabels(file, results, { iocTypes, classification });
    await keep(archive.files, sha256, { ...file, is_supplementary: isSupplementary }, life, (one) =>
      withLabels(one, labels),
    );
    await fileUse.release(hold);
    const added = Object.values(labels).flat();
    if (added.length === 0) return;
    await retryOnConflict(async () => {
      const found = await files.getVersioned(sha256, EVERYTHING);
      if (found === undefined) return;
      await files.save(sha256, withLabels(found.document, labels), { ifVersion: found.version });
    });
  }
}

/** Files of a submission, and whether they stand beside a result alone. */
function filesOf(submission: Submission, results: Iterable<Result>): ReadonlyMap<string, boolean> {
  const files = new Map<string, boolean>();
  for (const { response } of results) for (const { sha256 } of response.supplementary) files.set(sha256, true);
  for (const { sha256 } of submission.files) files.set(sha256, false);
  for (const key of [...submission.results, ...submission.errors]) {
    const sha256 = fileOfKey(key);
    if (sha256 !== undefined) files.set(sha256, false);
  }
  for (const { response } of results) for (const { sha256 } of response.extracted) files.set(sha256, false);
  return files;
}

/** Stores a copy. One that is there stays, with what people added to it, and only lives longer. */
async function keep<T extends object>(
  collection: Collection<T>,
  id: string,
  document: T,
  life: Life,
  change: (document: T) => T = (one) => one,
): Promise<void> {
  await retryOnConflict(async () => {
    const present = await collection.getVersioned(id, EVERYTHING);
    const copy =
      present === undefined ? dated(document, life) : dated(present.document, laterLife(present.document, life));
    await collection.save(id, change(copy), { ifVersion: present?.version ?? ABSENT, visible: 'now' });
  });
}

/** A copy that never expires stays so; a time of deletion is replaced. */
function laterLife(present: { readonly archive_ts?: string; readonly expiry_ts?: string }, life: Life): Life {
  const archive_ts = present.archive_ts ?? life.archive_ts;
  return present.expiry_ts === undefined ? { archive_ts } : { ...life, archive_ts };
}

function dated<T extends object>(document: T, life: Life): T {
  const { archive_ts: _archived, expiry_ts: _expiry, ...rest } = document as T & Partial<Life>;
  return { ...rest, ...life } as unknown as T;
}
