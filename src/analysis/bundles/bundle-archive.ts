import { pipeline, type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { isObject, nestingExceeds } from '../../documents/schema/plain-objects.ts';
import { InvalidInput, isTriadError, isUnavailable, messageOf } from '../../errors/errors.ts';
import { isSha256 } from '../../file-storage/file-content.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import { type ReceivedFile, storedSource } from '../files/received-file.ts';
import { CART_MAGIC, readCart, statedKind, unpackCart } from '../formats/cart.ts';
import { BUNDLE_KIND, RESULTS_MEMBER } from './bundle-export.ts';

export interface BundleArchiveDependencies {
  readonly files: Pick<AnalysisFiles, 'receive' | 'discard'>;
  readonly storage: Pick<FileStorage, 'open'>;
}

/** The contents of a bundle: its documents as they were sent, and its files, which are held. */
export interface UnpackedBundle {
  readonly documents: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, ReceivedFile>;
}

/** Bytes of a bundle as it is sent. */
const MAX_SENT = 2 ** 31;
/** Bytes of all members, and in relation to what was sent: more is a decompression bomb. */
const MAX_UNPACKED = 2 ** 32;
const MAX_RATIO = 200;
const FREE_SIZE = 64 * 1024 * 1024;
const MAX_DOCUMENTS = 64 * 1024 * 1024;
const MAX_MEMBERS = 20_000;
const MAX_NESTING = 100;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
/** Characters of Base64, with the line breaks that programs put in. */
const BASE64_START = /^[A-Za-z0-9+/=\r\n]+$/;

/** Unpacks a bundle: a CaRT or a tgz, as it is or in Base64. What it stored is discarded on failure. */
export class BundleArchive {
  readonly #dependencies: BundleArchiveDependencies;
  readonly #received: ReceivedFile[] = [];

  constructor(dependencies: BundleArchiveDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws InvalidInput `invalid_bundle`; TooLarge `file_too_large` */
  async unpack(content: AsyncIterable<Uint8Array>): Promise<UnpackedBundle> {
    const sent = await this.#receive(content, MAX_SENT);
    const archive = await this.#archiveIn(sent);
    try {
      return await this.#members(archive, Math.min(MAX_UNPACKED, FREE_SIZE + MAX_RATIO * sent.size));
    } catch (error) {
      throw isTriadError(error) && (error.code === 'invalid_bundle' || isUnavailable(error))
        ? error
        : invalid(messageOf(error));
    }
  }

  /** Removes the bytes of everything that no document refers to. Call it in any case. */
  async discard(): Promise<void> {
    for (const received of this.#received) await this.#dependencies.files.discard(received);
    this.#received.length = 0;
  }

  async #receive(content: AsyncIterable<Uint8Array>, limit: number, expected?: string): Promise<ReceivedFile> {
    const received = await this.#dependencies.files.receive(content, {
      limit,
      ...(expected === undefined ? {} : { expected }),
    });
    this.#received.push(received);
    return received;
  }

  /** Returns the tgz inside what was sent. */
  async #archiveIn(sent: ReceivedFile): Promise<ReceivedFile> {
    const { head } = sent;
    if (head.subarray(0, CART_MAGIC.length).equals(CART_MAGIC)) return await this.#unpackCart(sent);
    if (head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return sent;
    if (!BASE64_START.test(head.toString('latin1'))) throw invalid('it is neither a CaRT nor a tgz');
    const { stream } = await this.#dependencies.storage.open(sent.sha256);
    const decoded = await this.#receive(decodedBase64(stream), MAX_SENT);
    if (decoded.head.subarray(0, CART_MAGIC.length).equals(CART_MAGIC)) return await this.#unpackCart(decoded);
    if (decoded.head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return decoded;
    throw invalid('it is neither a CaRT nor a tgz');
  }

  async #unpackCart(received: ReceivedFile): Promise<ReceivedFile> {
    const { storage } = this.#dependencies;
    try {
      const cart = await readCart(storedSource(storage, received));
      if (statedKind(cart.header) !== BUNDLE_KIND) throw invalid(`the CaRT does not state the type ${BUNDLE_KIND}`);
      const { stream } = await storage.open(received.sha256, cart.body);
      return await this.#receive(unpackCart(cart, stream), MAX_SENT);
    } catch (error) {
      throw isTriadError(error) && error.code === 'invalid_cart' ? invalid(error.message) : error;
    }
  }

  async #members(archive: ReceivedFile, limit: number): Promise<UnpackedBundle> {
    const { stream } = await this.#dependencies.storage.open(archive.sha256);
    const members = extract();
    // A failure of any of them ends the loop below.
    pipeline(stream, createGunzip(), limited(limit), members, () => undefined);
    const files = new Map<string, ReceivedFile>();
    let documents: Readonly<Record<string, unknown>> | undefined;
    let count = 0;
    for await (const entry of members) {
      const { type, size = 0 } = entry.header;
      const name = entry.header.name.replace(/^\.\//, '');
      count += 1;
      if (count > MAX_MEMBERS) throw invalid(`it has more than ${MAX_MEMBERS} members`);
      if (type === 'directory' && name === '') entry.resume();
      else if (type !== 'file') throw invalid(`the member "${name.slice(0, 100)}" is not a file`);
      else if (name === RESULTS_MEMBER && documents === undefined) {
        if (size > MAX_DOCUMENTS) throw invalid(`${RESULTS_MEMBER} is larger than ${MAX_DOCUMENTS} bytes`);
        documents = readDocuments((await buffer(entry)).toString('utf8'));
      } else if (isSha256(name)) files.set(name, await this.#receive(entry as AsyncIterable<Uint8Array>, limit, name));
      else throw invalid(`the member "${name.slice(0, 100)}" does not belong into a bundle`);
    }
    if (documents === undefined) throw invalid(`it has no member ${RESULTS_MEMBER}`);
    return { documents, files };
  }
}

/** Returns whether a stored file is a CaRT that states the type of bundles. */
export async function isBundle(storage: Pick<FileStorage, 'open'>, received: ReceivedFile): Promise<boolean> {
  if (!received.head.subarray(0, CART_MAGIC.length).equals(CART_MAGIC)) return false;
  try {
    return statedKind((await readCart(storedSource(storage, received))).header) === BUNDLE_KIND;
  } catch (error) {
    if (isTriadError(error) && error.code === 'invalid_cart') return false;
    throw error;
  }
}

function readDocuments(text: string): Readonly<Record<string, unknown>> {
  let documents: unknown;
  try {
    documents = parseJson(text);
  } catch (error) {
    throw invalid(`${RESULTS_MEMBER} is not JSON: ${messageOf(error)}`);
  }
  if (!isObject(documents)) throw invalid(`${RESULTS_MEMBER} is not a JSON object`);
  if (nestingExceeds(documents, MAX_NESTING))
    throw invalid(`${RESULTS_MEMBER} is nested more than ${MAX_NESTING} deep`);
  return documents;
}

/** Fails when more bytes pass than the limit. */
function limited(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      size += chunk.byteLength;
      if (size > limit) done(invalid(`its members have more than ${limit} bytes`));
      else done(null, chunk);
    },
  });
}

async function* decodedBase64(content: Readable): AsyncIterable<Uint8Array> {
  let rest = '';
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const text = rest + chunk.toString('latin1').replaceAll(/[\r\n]/g, '');
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64');
  }
  if (rest !== '') yield Buffer.from(rest, 'base64');
}

/** The words are those of the public system, which clients know. */
function invalid(problem: string): InvalidInput {
  return new InvalidInput('invalid_bundle', `Bundle decompression failed. Not a valid bundle: ${problem}`);
}
