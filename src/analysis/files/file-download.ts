import { Readable } from 'node:stream';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { Forbidden, InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Actor } from '../../identity/actor.ts';
import { CART_MAGIC, packCart } from '../formats/cart.ts';
import { encryptedZip, type ZipEncryption } from '../formats/encrypted-zip.ts';
import type { UserSettingsService } from '../users/user-settings-service.ts';
import type { FileReader } from './file-reader.ts';
import { storedSource } from './received-file.ts';

export interface FileDownloadDependencies {
  readonly reader: Pick<FileReader, 'record'>;
  readonly storage: FileStorage;
  readonly submissions: Collection<Submission>;
  readonly userSettings: Pick<UserSettingsService, 'chosen' | 'settingsOf'>;
  readonly classification: Pick<ClassificationEngine, 'isAccessible' | 'max' | 'enforce'>;
  readonly zip: { readonly encrypt: ZipEncryption };
  readonly settings: Pick<Settings['analysis']['ui'], 'allow_raw_downloads' | 'allow_zip_downloads'>;
}

export interface DownloadRequest {
  readonly encoding?: string | undefined;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  readonly sid?: string | undefined;
}

export interface Download {
  readonly name: string;
  readonly content: Readable;
  /** Bytes, where they are known before the content is packed. */
  readonly length?: number;
}

const ENCODINGS = ['cart', 'raw', 'zip'] as const;
type Encoding = (typeof ENCODINGS)[number];
/** Data of refusals, which clients expect to be an object. */
const EMPTY = { response: {} };
const MAX_PASSWORD_LENGTH = 128;
const MAX_NAME_LENGTH = 1000;
const ACCESS = unrestricted('a submission that the caller may not see adds nothing to a download');

/** Gives files out as they are, or packed so that they do no harm (contract/analysis.md section 3.7). */
export class FileDownload {
  readonly #parts: FileDownloadDependencies;

  constructor(dependencies: FileDownloadDependencies) {
    this.#parts = dependencies;
  }

  /** @throws NotFound `analysis_file_missing`; Forbidden and InvalidInput for what the request asks for */
  async open(actor: Actor, sha256: string, request: DownloadRequest): Promise<Download> {
    const { reader, storage, userSettings, zip } = this.#parts;
    const record = await reader.record(actor, sha256, { role: 'archive_download' }).catch((error) => {
      throw isTriadError(error) && error.kind === 'forbidden' ? missing() : error;
    });
    const settings = userSettings.settingsOf(actor, await userSettings.chosen(actor.username));
    const encoding = this.#encoding(request.encoding ?? settings.download_encoding);
    const password = request.password ?? settings.default_zip_password;
    if (encoding === 'zip') assertPassword(password);
    const name = fileName(request.name) ?? sha256;
    if ((await storage.stat(sha256)) === undefined) throw missing();
    const header = encoding === 'cart' ? await this.#cartHeader(actor, record, name, request.sid) : {};

    const { stream, size } = await storage.open(sha256);
    if (encoding === 'raw') return { name, content: stream, length: size };
    if (encoding === 'zip') {
      const packed = encryptedZip(stream, { name: sha256, password, size, encrypt: zip.encrypt });
      return { name: `${name}.zip`, content: Readable.from(packed, { objectMode: false }) };
    }
    const start = await storedSource(storage, { sha256, size }).read(0, CART_MAGIC.length);
    if (start.equals(CART_MAGIC)) return { name: `${name}.cart`, content: stream, length: size };
    return { name: `${name}.cart`, content: Readable.from(packCart(stream, header)) };
  }

  #encoding(asked: string): Encoding {
    const encoding = ENCODINGS.find((each) => each === asked);
    const { settings } = this.#parts;
    if (encoding === undefined) {
      const list = ENCODINGS.map((each) => `'${each}'`).join(', ');
      throw new Forbidden(
        'unknown_encoding',
        `${asked.toUpperCase()} is not in the valid encoding types: [${list}]`,
        EMPTY,
      );
    }
    if (encoding === 'raw' && !settings.allow_raw_downloads) {
      throw new Forbidden('raw_downloads_disabled', 'RAW file download has been disabled by administrators.', EMPTY);
    }
    if (encoding === 'zip' && !settings.allow_zip_downloads) {
      throw new Forbidden(
        'zip_downloads_disabled',
        'PROTECTED file download has been disabled by administrators.',
        EMPTY,
      );
    }
    return encoding;
  }

  /** The name, the metadata of the submission, and the classification where it is enforced. */
  async #cartHeader(
    actor: Actor,
    record: FileRecord,
    name: string,
    sid: string | undefined,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { submissions, classification } = this.#parts;
    const found = sid === undefined || sid === '' ? undefined : await submissions.get(sid, ACCESS);
    const isAdmitted = found && classification.isAccessible(actor.classification, found.classification, true);
    const submission = isAdmitted === true ? found : undefined;
    return {
      ...unflattened(submission?.metadata ?? {}),
      ...(classification.enforce
        ? { classification: classification.max(submission?.classification ?? null, record.classification) }
        : {}),
      name,
    };
  }
}

/** Returns the last segment of a path, if any. @throws InvalidInput `invalid_argument` */
function fileName(name: string | undefined): string | undefined {
  const last = name?.slice(name.lastIndexOf('/') + 1);
  if (last !== undefined && last.length > MAX_NAME_LENGTH) {
    const message = `The argument name must have at most ${MAX_NAME_LENGTH} characters.`;
    throw new InvalidInput('invalid_argument', message, { at: 'name', response: {} });
  }
  return last === '' ? undefined : last?.toWellFormed();
}

function assertPassword(password: string): void {
  if (password.trim() === '')
    throw new Forbidden('zip_password_missing', "No password given or retrieved from user's settings.", EMPTY);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (password.length > MAX_PASSWORD_LENGTH || /[\x00-\x1f]/.test(password)) {
    const message = 'Invalid password for protected file download.';
    throw new InvalidInput('invalid_zip_password', message, EMPTY);
  }
}

/** Nests values by the dots of their keys; a key that clashes with another one stays flat. */
function unflattened(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const nested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    const names = key.includes('__proto__') ? [key] : key.split('.');
    let place: Record<string, unknown> | undefined = nested;
    for (const name of names.slice(0, -1)) {
      if (!Object.hasOwn(place, name)) place[name] = {};
      const inner: unknown = place[name];
      place = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : undefined;
      if (place === undefined) break;
    }
    const last = names.at(-1) ?? '';
    if (place === undefined || Object.hasOwn(place, last)) nested[key] = value;
    else place[last] = value;
  }
  return nested;
}

function missing(): NotFound {
  return new NotFound('analysis_file_missing', 'The file was not found in the system.', EMPTY);
}
