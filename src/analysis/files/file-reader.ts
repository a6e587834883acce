import { buffer } from 'node:stream/consumers';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Actor } from '../../identity/actor.ts';
import { mayReadFromArchive } from '../archive-access/archive-roles.ts';
import { asciiView, bytesView, type FileView, hexView, SHOWN_SIZE, stringsView } from './file-views.ts';

export interface FileReaderDependencies {
  readonly collection: Collection<FileRecord>;
  readonly storage: FileStorage;
  readonly classification: Pick<ClassificationEngine, 'isAccessible'>;
}

/** Answers of a route to a file that is not there. */
interface MissingWords {
  readonly missing?: string;
  readonly denied?: string;
  readonly response?: unknown;
  /** Role that a file requires which is in the archive alone. Default: `archive_view`. */
  readonly role?: 'archive_view' | 'archive_download';
}

/** The bytes of a file in the archive are a download. */
const CONTENT = { role: 'archive_download' } as const;

const ACCESS = unrestricted('routes tell missing files from those that the caller may not see');
/** Bytes of a picture that is answered as a data URI. */
const MAX_IMAGE = 16 << 20;

/** Reads files for callers who may see them. */
export class FileReader {
  readonly #collection: Collection<FileRecord>;
  readonly #storage: FileStorage;
  readonly #classification: FileReaderDependencies['classification'];

  constructor({ collection, storage, classification }: FileReaderDependencies) {
    this.#collection = collection;
    this.#storage = storage;
    this.#classification = classification;
  }

  /**
   * Returns the document of a file.
   * @throws NotFound `analysis_file_missing`; Forbidden `analysis_file_denied`
   */
  async record(actor: Actor, sha256: string, words: MissingWords = {}): Promise<FileRecord> {
    const { missing = 'The file was not found in the system.', response = {}, role } = words;
    const record = await this.#collection.get(sha256, ACCESS);
    if (record === undefined || !mayReadFromArchive(actor, record, role)) {
      throw new NotFound('analysis_file_missing', missing, { response });
    }
    if (this.#classification.isAccessible(actor.classification, record.classification, true)) return record;
    const { denied = 'You are not allowed to view this file.' } = words;
    throw new Forbidden('analysis_file_denied', denied, { response });
  }

  async ascii(actor: Actor, sha256: string): Promise<FileView> {
    return this.#view(actor, sha256, asciiView);
  }

  async hex(actor: Actor, sha256: string, bytesPerLine: number, bytesOnly: boolean): Promise<FileView> {
    return this.#view(actor, sha256, (bytes) => (bytesOnly ? bytesView(bytes) : hexView(bytes, bytesPerLine)));
  }

  /** @param length characters of a string, at least; undefined: no string is long enough */
  async strings(actor: Actor, sha256: string, length: number | undefined): Promise<FileView> {
    const record = await this.record(actor, sha256, CONTENT);
    const bytes = await this.#head(record, SHOWN_SIZE);
    if (length === undefined) return { content: '', truncated: false };
    const view = stringsView(bytes, length);
    return { ...view, truncated: view.truncated || record.size > SHOWN_SIZE };
  }

  /** Returns a picture of a section as a data URI. */
  async image(actor: Actor, sha256: string): Promise<string> {
    const record = await this.record(actor, sha256, CONTENT);
    if (!record.is_section_image || !record.type.startsWith('image/') || record.size > MAX_IMAGE) {
      const message = 'This file is not allowed to be downloaded as a datastream.';
      throw new Forbidden('not_an_image', message, { response: {} });
    }
    return `data:${record.type};base64,${(await this.#head(record, MAX_IMAGE)).toString('base64')}`;
  }

  async #view(actor: Actor, sha256: string, view: (bytes: Buffer) => string): Promise<FileView> {
    const record = await this.record(actor, sha256, CONTENT);
    return { content: view(await this.#head(record, SHOWN_SIZE)), truncated: record.size > SHOWN_SIZE };
  }

  /** Bytes may have been purged while the document stays. @throws NotFound `analysis_file_missing` */
  async #head({ sha256 }: FileRecord, length: number): Promise<Buffer> {
    if ((await this.#storage.stat(sha256)) === undefined) {
      throw new NotFound('analysis_file_missing', 'This file was not found in the system.', { response: {} });
    }
    const { stream } = await this.#storage.open(sha256, { offset: 0, length });
    return buffer(stream);
  }
}
