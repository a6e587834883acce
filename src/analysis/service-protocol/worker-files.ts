import type { ClassificationEngine } from '../../classification/classification.ts';
import { InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import type { FileContent, FileStorage, OpenFile } from '../../file-storage/file-storage.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import { expiryOf } from '../results/result-times.ts';

export interface WorkerFilesDependencies {
  readonly files: Pick<AnalysisFiles, 'receive' | 'describe' | 'saveOrFreshen' | 'discard'>;
  readonly storage: Pick<FileStorage, 'open'>;
  readonly classification: ClassificationEngine;
  /** Bytes of an upload, at most. */
  readonly limit: number;
}

/** The headers of an upload. */
export interface UploadHeaders {
  readonly sha256: string;
  readonly classification: string;
  /** Days; 0: never expires. */
  readonly ttl: string;
  readonly isSectionImage: boolean;
  readonly isSupplementary: boolean;
}

const SHA256 = /^[0-9a-f]{64}$/;
/** Days that a file may be kept, at most. */
const MAX_TTL = 36_500;

/** Gives files to workers and takes those that they extracted (contract/analysis.md section 8.4). */
export class WorkerFiles {
  readonly #dependencies: WorkerFilesDependencies;

  constructor(dependencies: WorkerFilesDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws InvalidInput `invalid_hash`; NotFound `file_unknown` */
  async open(sha256: string): Promise<OpenFile> {
    if (!SHA256.test(sha256)) throw new InvalidInput('invalid_hash', 'A sha256 must be provided');
    try {
      return await this.#dependencies.storage.open(sha256);
    } catch (error) {
      if (!isTriadError(error) || error.code !== 'file_missing') throw error;
      throw new NotFound('file_unknown', 'The file was not found in the system.', { cause: error });
    }
  }

  /**
   * Checks the headers of an upload, before its content is read.
   * @throws InvalidInput `invalid_hash`, `invalid_upload`, and what the classification throws
   */
  check({ sha256, ttl, classification }: UploadHeaders): void {
    if (!SHA256.test(sha256))
      throw new InvalidInput('invalid_hash', 'The header Sha256 must be a SHA-256 in lower case.');
    if (!/^\d{1,5}$/.test(ttl) || Number(ttl) > MAX_TTL) {
      const message = `The header Ttl must be a number of days from 0 to ${MAX_TTL}.`;
      throw new InvalidInput('invalid_upload', message, { at: 'Ttl' });
    }
    this.#dependencies.classification.normalise(classification);
  }

  /**
   * Stores an uploaded file. Nothing is left of one that is refused.
   * @throws InvalidInput `upload_hash_mismatch`; TooLarge `file_too_large`
   */
  async store(content: FileContent, headers: UploadHeaders, signal: AbortSignal): Promise<void> {
    const { files, limit, classification } = this.#dependencies;
    const received = await files.receive(content, { limit, signal });
    try {
      if (received.sha256 !== headers.sha256) {
        const message = `Uploaded file does not match expected file hash. [${received.sha256} != ${headers.sha256}]`;
        throw new InvalidInput('upload_hash_mismatch', message, { response: { success: false } });
      }
      const info = await files.describe(received, { fuzzy: true, withCharset: true });
      await files.saveOrFreshen(info, {
        expiry: expiryOf({ ttl: Number(headers.ttl) }, Date.now()),
        classification: classification.normalise(headers.classification),
        isSectionImage: headers.isSectionImage,
        isSupplementary: headers.isSupplementary,
      });
    } catch (error) {
      await files.discard(received);
      throw error;
    }
  }
}
