import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection, Versioned } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { isConflict, isTriadError } from '../../errors/errors.ts';
import type { FileInfo } from './file-info.ts';
import type { FuzzyDigests } from './fuzzy-digests.ts';

export interface SaveOptions {
  /** Date when the file is deleted; undefined: never. */
  readonly expiry: string | undefined;
  readonly classification: string;
  /** Once true, both stay true. Default false. */
  readonly isSectionImage?: boolean;
  readonly isSupplementary?: boolean;
}

export interface FileRecordsDependencies {
  readonly collection: Collection<FileRecord>;
  readonly classification: Pick<ClassificationEngine, 'min' | 'normalise'>;
}

const ACCESS = unrestricted('any sender of a file renews its document');

/** Documents of files, each of which may be sent by several callers at the same time. */
export class FileRecords {
  readonly #collection: Collection<FileRecord>;
  readonly #classification: FileRecordsDependencies['classification'];

  constructor({ collection, classification }: FileRecordsDependencies) {
    this.#collection = collection;
    this.#classification = classification;
  }

  async saveOrFreshen(info: FileInfo, options: SaveOptions): Promise<FileRecord> {
    return retryOnConflict(async () => {
      const current = await this.#collection.getVersioned(info.sha256, ACCESS);
      if (current !== undefined) return this.#renew(info.sha256, current, info, options);
      const record = this.#newRecord(info, options);
      await this.#collection.save(info.sha256, record, { ifVersion: ABSENT });
      return record;
    }, isConflict);
  }

  /** Renews a document with what it says already; false when there is none. */
  async freshen(sha256: string, options: SaveOptions): Promise<boolean> {
    return retryOnConflict(async () => {
      const current = await this.#collection.getVersioned(sha256, ACCESS);
      if (current === undefined) return false;
      await this.#renew(sha256, current, {}, options);
      return true;
    }, isConflict);
  }

  async addDigests(sha256: string, digests: FuzzyDigests): Promise<void> {
    try {
      await this.#collection.update(sha256, setOperations(digests));
    } catch (error) {
      // It was deleted meanwhile.
      if (!isTriadError(error) || error.code !== 'document_missing') throw error;
    }
  }

  /** Updates fields, or saves the whole document when its classification becomes a lower one. */
  async #renew(
    sha256: string,
    { document, version }: Versioned<FileRecord>,
    info: Partial<FileInfo>,
    options: SaveOptions,
  ): Promise<FileRecord> {
    const now = formatDate(new Date());
    const flags = {
      is_section_image: document.is_section_image || options.isSectionImage === true,
      is_supplementary: document.is_supplementary || options.isSupplementary === true,
    };
    const classification = this.#classification.min(document.classification, options.classification);
    if (classification === this.#classification.normalise(document.classification)) {
      const later: UpdateOperation[] =
        options.expiry === undefined || document.expiry_ts === undefined
          ? []
          : [{ op: 'max', path: 'expiry_ts', value: options.expiry }];
      const renewed = await this.#collection.update(sha256, [
        ...setOperations({ ...info, ...flags }),
        { op: 'unset', path: 'archive_ts' },
        { op: 'increment', path: 'seen.count', by: 1 },
        { op: 'max', path: 'seen.last', value: now },
        ...later,
      ]);
      return renewed.document;
    }
    const { archive_ts: _archived, expiry_ts: expiry, ...rest } = document;
    const latest = expiry === undefined || options.expiry === undefined ? undefined : maximum(expiry, options.expiry);
    const record: FileRecord = {
      ...rest,
      ...info,
      ...flags,
      classification,
      seen: { ...document.seen, count: Number(document.seen.count) + 1, last: now },
      ...(latest === undefined ? {} : { expiry_ts: latest }),
    };
    await this.#collection.save(sha256, record, { ifVersion: version });
    return record;
  }

  #newRecord(info: FileInfo, options: SaveOptions): FileRecord {
    const now = formatDate(new Date());
    const record: Omit<FileRecord, keyof FuzzyDigests> & Partial<FuzzyDigests> = {
      ...info,
      classification: this.#classification.normalise(options.classification),
      comments: [],
      from_archive: false,
      is_section_image: options.isSectionImage === true,
      is_supplementary: options.isSupplementary === true,
      labels: [],
      label_categories: { attribution: [], info: [], technique: [] },
      seen: { count: 1, first: now, last: now },
      ...(options.expiry === undefined ? {} : { expiry_ts: options.expiry }),
    };
    // The digests follow soon (`addDigests`), where the answer does not wait for them.
    return record as FileRecord;
  }
}

function setOperations(values: object): UpdateOperation[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([path, value]) => ({ op: 'set', path, value }));
}

function maximum(left: string, right: string): string {
  return left > right ? left : right;
}
