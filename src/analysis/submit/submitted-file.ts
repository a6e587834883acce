import { basename } from 'node:path/posix';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { SubmissionParams } from '../../documents/kinds/analysis/submission.ts';
import { isTriadError } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import { refangAddress } from '../../indicators/refanged-text.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { FileInfo } from '../files/file-info.ts';
import type { ReceivedFile } from '../files/received-file.ts';
import { type FileSource, type FileSources, unknownFile } from './file-sources.ts';
import type { HeldFiles } from './held-files.ts';
import { findKnownFile } from './known-files.ts';
import { fileTooLarge, limitedContent } from './limited-content.ts';
import { flattenValues, type Values } from './nested-values.ts';
import { unpackProtected } from './protected-archive.ts';
import type { SubmissionDraft } from './submission-draft.ts';
import { type Metadata, storedMetadata } from './submission-metadata.ts';
import { classificationTooHigh } from './submission-params.ts';
import { invalidSubmission, nameOf } from './submission-request.ts';

/** The file of a submission, as the request brings it. */
export type FileInput =
  /** Bytes that are in the storage. `name` is that of the upload. */
  | { readonly kind: 'received'; readonly file: ReceivedFile; readonly name: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** A hash, an address, or what else a source of files is asked by. */
  | { readonly kind: 'fetched'; readonly type: string; readonly value: string };

/** A file that is ready to be submitted, with what it changes of the submission. */
export interface SubmittedFile {
  readonly sha256: string;
  readonly size: number;
  readonly name: string;
  readonly params: SubmissionParams;
  readonly metadata: Metadata;
  /** Stores or renews the document of the file. @throws NotFound `file_missing`; Unavailable */
  save(expiry: string | undefined): Promise<void>;
  /** The received bytes whose fuzzy hashes are still to be computed, if they are. */
  readonly undescribed: ReceivedFile | undefined;
}

export interface FileIntakeDependencies {
  readonly settings: Pick<Settings['analysis'], 'submission'>;
  readonly classification: ClassificationEngine;
  readonly files: Pick<
    AnalysisFiles,
    'receive' | 'describe' | 'unpackCart' | 'saveOrFreshen' | 'freshen' | 'discard' | 'addFuzzyDigests'
  >;
  readonly fileRecords: Pick<Collection<FileRecord>, 'get' | 'search'>;
  readonly storage: Pick<FileStorage, 'open' | 'stat'>;
  readonly sources: FileSources;
}

export interface IntakeOptions {
  readonly actor: AnalysisActor;
  readonly draft: SubmissionDraft;
  readonly held: HeldFiles;
  /** Computes entropy and fuzzy hashes before it returns. */
  readonly fuzzy: boolean;
}

/** Options for submitted files: identification runs while they are stored. */
const RECEPTION = { isDescribedNext: true } as const;

/** A file whose bytes and type are known. */
interface FoundFile {
  readonly name: string;
  readonly info: Pick<FileInfo, 'sha256' | 'size' | 'type' | 'uri_info'>;
  readonly classification: string;
  readonly metadata: Values;
  readonly services: readonly string[];
  readonly received?: ReceivedFile;
  readonly save: (options: { expiry: string | undefined; classification: string }) => Promise<void>;
}

/** Finds, fetches, unpacks and identifies the file of a submission. */
export class FileIntake {
  readonly #dependencies: FileIntakeDependencies;

  constructor(dependencies: FileIntakeDependencies) {
    this.#dependencies = dependencies;
  }

  /** Bytes of a file, at most; undefined: no limit. */
  limitOf({ params }: Pick<SubmissionDraft, 'params'>): number | undefined {
    return params.ignore_size ? undefined : this.#dependencies.settings.submission.max_file_size;
  }

  /**
   * Returns the file of a submission. What it stores is noted in `held` until it is saved.
   * @throws InvalidInput, NotFound, TooLarge `file_too_large`; Forbidden for sources that may not be asked
   */
  async take(input: FileInput, options: IntakeOptions): Promise<SubmittedFile> {
    const found = await this.#find(input, options);
    const { draft, actor } = options;
    const { classification: engine, settings } = this.#dependencies;
    const limit = this.limitOf(draft);
    if (limit !== undefined && found.info.size > limit) throw fileTooLarge(found.info.size, limit);
    if (found.info.size === 0) throw invalidSubmission('File empty.');
    const uri = found.info.type.startsWith('uri/') ? found.info.uri_info?.uri : undefined;
    const name = nameOf(uri ?? found.name);
    if (name === '') throw invalidSubmission('Filename missing', 'name');
    const classification = engine.max(draft.params.classification, found.classification);
    if (!engine.isAccessible(actor.classification, classification)) throw classificationTooHigh();
    const description = draft.hasDescription
      ? draft.params.description
      : `Inspection of ${found.info.type.startsWith('uri/') ? 'URL' : 'file'}: ${name}`;
    const selected = [...new Set([...draft.params.services.selected, ...found.services])];
    const extra = storedMetadata(found.metadata, settings.submission.max_metadata_length, 'drop');
    return {
      sha256: found.info.sha256,
      size: found.info.size,
      name,
      params: { ...draft.params, classification, description, services: { ...draft.params.services, selected } },
      metadata: storedMetadata({ ...draft.metadata, ...extra }, settings.submission.max_metadata_length, 'drop'),
      undescribed: options.fuzzy ? undefined : found.received,
      save: (expiry) => found.save({ expiry, classification }),
    };
  }

  async #find(input: FileInput, options: IntakeOptions): Promise<FoundFile> {
    const { request } = options.draft;
    if (input.kind === 'fetched') return this.#fetch(input.type, input.value, options);
    const named = request.name;
    if (input.kind === 'received') return this.#describe(input.file, named ?? input.name, options);
    const file = await this.#receive(input.bytes, options);
    return this.#describe(file, basename(named ?? file.sha256), options);
  }

  async #receive(
    content: Uint8Array | AsyncIterable<Uint8Array>,
    { draft, held }: IntakeOptions,
  ): Promise<ReceivedFile> {
    const { files } = this.#dependencies;
    const limit = this.limitOf(draft);
    if (!(content instanceof Uint8Array)) {
      return held.hold(await files.receive(limitedContent(content, limit), RECEPTION));
    }
    if (limit !== undefined && content.byteLength > limit) throw fileTooLarge(content.byteLength, limit);
    return held.hold(await files.receive(content, RECEPTION));
  }

  async #fetch(type: string, given: string, options: IntakeOptions): Promise<FoundFile> {
    const { sources } = this.#dependencies;
    const isAddress = sources.addressTypes.has(type);
    const value = nameOf(isAddress ? refangAddress(given) : given);
    const name = isAddress ? value : basename(options.draft.request.name ?? value);
    const known = await this.#known(type, value, name, options);
    if (known !== undefined) return known;
    if (type === 'url') return this.#describe(await this.#receive(sources.uriFile(value), options), name, options);
    const { actor, draft } = options;
    const wanted = { type, value, names: draft.externalSources, clearance: actor.classification };
    const fetched = await sources.fetch(wanted, (content) => this.#receive(content, options));
    return this.#ofSource(fetched.source, await this.#unprotected(fetched, options), { type, value, name }, options);
  }

  /** Returns a stored file that the caller may see. */
  async #known(type: string, value: string, name: string, { actor }: IntakeOptions): Promise<FoundFile | undefined> {
    const { fileRecords, storage, files } = this.#dependencies;
    const record = await findKnownFile(fileRecords, type, value, actor.readAccess);
    if (record === undefined || (await storage.stat(record.sha256)) === undefined) return undefined;
    return {
      name,
      info: record as FoundFile['info'],
      classification: record.classification,
      metadata: {},
      services: [],
      save: async (saved) => {
        if (!(await files.freshen(record.sha256, saved))) throw unknownFile(type, 'any more.');
      },
    };
  }

  /** Unpacks the archive that a source puts a file into, so that nothing executes it by accident. */
  async #unprotected(
    { source, received }: { readonly source: FileSource; readonly received: ReceivedFile },
    options: IntakeOptions,
  ): Promise<ReceivedFile> {
    if (source.password === null) return received;
    const limit = this.#dependencies.settings.submission.max_file_size;
    const { password } = source;
    const member = await unpackProtected(this.#dependencies.storage, received, { password, limit });
    if (member === undefined) return received;
    const unpacked = await this.#receive(member, options);
    await options.held.discard(received);
    return unpacked;
  }

  async #ofSource(
    source: FileSource,
    file: ReceivedFile,
    { type, value, name }: { readonly type: string; readonly value: string; readonly name: string },
    options: IntakeOptions,
  ): Promise<FoundFile> {
    const found = await this.#describe(file, name, options);
    const hash = (found.received as unknown as Values | undefined)?.[type];
    const own = Object.keys(source.metadata).length === 0 ? { original_source: source.name } : source.metadata;
    const sent = options.draft.metadata;
    return {
      ...found,
      // A source that answers with another file than was asked for.
      name: name === value && typeof hash === 'string' && hash !== value ? hash : found.name,
      classification: this.#dependencies.classification.max(found.classification, source.classification),
      metadata: {
        ...Object.fromEntries(Object.entries(own).filter(([key]) => !Object.hasOwn(sent, key))),
        ...found.metadata,
      },
      services: source.select_services,
    };
  }

  /** Identifies received bytes. A CaRT is unpacked, and its header counts. */
  async #describe(sent: ReceivedFile, name: string, options: IntakeOptions): Promise<FoundFile> {
    const { files } = this.#dependencies;
    const { held, draft, fuzzy } = options;
    const unpacked = sent.size === 0 ? undefined : await this.#unpackCart(sent, options);
    const received = unpacked?.received ?? sent;
    const { name: packedName, classification, ...metadata } = flattenValues(unpacked?.header ?? {});
    const info = received.size === 0 ? emptyInfo(received) : await files.describe(received, { fuzzy });
    return {
      name: typeof packedName === 'string' && packedName !== '' ? packedName : name,
      info,
      classification: this.#mergedClassification(draft, classification),
      metadata,
      services: [],
      received,
      save: async (saved) => {
        await files.saveOrFreshen(info as FileInfo, saved);
        held.saved(received);
      },
    };
  }

  async #unpackCart(sent: ReceivedFile, { held, draft }: IntakeOptions) {
    const { files } = this.#dependencies;
    const limit = this.limitOf(draft);
    try {
      const unpacked = await files.unpackCart(sent, limit === undefined ? {} : { limit });
      if (unpacked === undefined) return undefined;
      held.hold(unpacked.received);
      await held.discard(sent);
      return unpacked;
    } catch (error) {
      // A damaged CaRT is analysed as it is.
      if (isTriadError(error) && error.code === 'invalid_cart') return undefined;
      if (isTriadError(error) && error.code === 'file_too_large') throw fileTooLarge(sent.size, limit ?? 0);
      throw error;
    }
  }

  /** Combines the classifications of request and CaRT. @throws InvalidInput `invalid_submission` */
  #mergedClassification({ params }: SubmissionDraft, packed: unknown): string {
    if (typeof packed !== 'string' || packed === '') return params.classification;
    try {
      return this.#dependencies.classification.max(packed, params.classification);
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      throw invalidSubmission(
        `The classification found inside the cart file cannot be merged with the classification the file was submitted as: ${reason}`,
      );
    }
  }
}

/** Stands for an empty file, which is refused and need not be looked at. */
function emptyInfo({ sha256 }: ReceivedFile): FoundFile['info'] {
  return { sha256, size: 0, type: 'empty' };
}
