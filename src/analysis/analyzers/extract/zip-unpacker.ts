import { type FileHandle, open } from 'node:fs/promises';
import { configure, type Entry, ERR_INVALID_PASSWORD, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import { isLaunchableName } from './executables.ts';
import { type Extraction, messageOf } from './extraction.ts';

configure({ useWebWorkers: false, chunkSize: 65_536 });

const LINK_MODE = 0o120000;
const MODE_KIND = 0o170000;
/** Passwords that are tried on all members together. */
const MAX_ATTEMPTS = 20_000;
/** Members that no password opens, after which others are tried with those alone that opened a member. */
const MAX_LOCKED = 3;
const CHUNK_LIMIT = 64 * 1_048_576;

/** Unpacks a zip file and what is one under another name: JAR, APK, IPA, EPUB. ZipCrypto and AES. */
export async function unpackZip(path: string, extraction: Extraction, passwords: readonly string[]): Promise<void> {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const zip = new ZipReader(new HandleReader(handle, size), { strictness: 'tolerant' });
  try {
    const entries = await listEntries(zip, extraction);
    const keys = new Keys(passwords);
    for (const entry of entries) {
      if (extraction.isFull || extraction.exhausted !== undefined) break;
      await extractEntry(entry, extraction, keys);
    }
  } finally {
    await zip.close().catch(() => undefined);
  }
}

/** Lists the members. Those that a person would open come first when not all can be extracted. */
async function listEntries(zip: ZipReader<unknown>, extraction: Extraction): Promise<readonly FileEntry[]> {
  const files: FileEntry[] = [];
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      const isListed = extraction.list({
        name: entry.filename,
        isFolder: entry.directory,
        isHidden: entry.msdosAttributes?.hidden === true,
        size: entry.uncompressedSize,
        compressed: entry.compressedSize,
      });
      if (!isListed || extraction.exhausted !== undefined) break;
      if (!entry.directory) files.push(entry);
    }
  } catch (error) {
    extraction.problems.push(messageOf(error));
    extraction.isUnlisted = extraction.listing.length === 0;
  }
  const rank = ({ filename }: Entry) => (isLaunchableName(filename) ? 0 : 1);
  return files.sort((a, b) => rank(a) - rank(b));
}

async function extractEntry(entry: FileEntry, extraction: Extraction, keys: Keys): Promise<void> {
  const { filename: name, uncompressedSize: size, compressedSize: compressed } = entry;
  const mode = (entry.externalFileAttributes ?? 0) >>> 16;
  const isLink = (mode & MODE_KIND) === LINK_MODE;
  if (!isLink && !extraction.allows({ name, size, compressed, isFolder: false, isHidden: false })) return;
  try {
    if (entry.encrypted) await extractLocked(entry, extraction, keys);
    else if (isLink) extraction.links.push(`${name} -> ${await linkTarget(entry)}`);
    else await extraction.add(name, 'zip', (write) => copy(entry, write));
  } catch (error) {
    extraction.problems.push(`${name.slice(0, 200)}: ${messageOf(error)}`);
  }
}

async function extractLocked(entry: FileEntry, extraction: Extraction, keys: Keys): Promise<void> {
  extraction.isProtected = true;
  for (const password of keys.candidates()) {
    if (extraction.exhausted !== undefined) break;
    if (!(await opens(entry, password))) continue;
    try {
      // One password in 256 passes the check of ZipCrypto; the checksum of the content decides.
      await extraction.add(entry.filename, 'zip', (write) => copy(entry, write, password), { keepDamaged: false });
      if (extraction.exhausted === undefined) extraction.passwordsUsed.add(password);
      keys.found(password);
      return;
    } catch {}
  }
  keys.failed();
  extraction.locked.push(entry.filename);
}

async function opens(entry: FileEntry, password: string): Promise<boolean> {
  try {
    await entry.getData(new WritableStream(), { password, checkPasswordOnly: true });
    return true;
  } catch (error) {
    if (messageOf(error) === ERR_INVALID_PASSWORD) return false;
    throw error;
  }
}

function copy(entry: FileEntry, write: (chunk: Uint8Array) => Promise<void>, password?: string): Promise<unknown> {
  const stream = new WritableStream<Uint8Array>({ write });
  return entry.getData(stream, { checkSignature: true, ...(password === undefined ? {} : { password }) });
}

async function linkTarget(entry: FileEntry): Promise<string> {
  let target = '';
  await copy(entry, async (chunk) => {
    target += Buffer.from(chunk).toString('utf8');
    if (target.length > 1000) throw new Error('the target of the link is too long');
  });
  return target;
}

/** Passwords in the order of their promise: those that have opened a member first. */
class Keys {
  readonly #passwords: string[];
  readonly #found = new Set<string>();
  #attempts = 0;
  #locked = 0;

  constructor(passwords: readonly string[]) {
    this.#passwords = [...passwords];
  }

  *candidates(): Generator<string> {
    const isHopeless = this.#locked >= MAX_LOCKED;
    for (const password of isHopeless ? [...this.#found] : [...this.#passwords]) {
      this.#attempts += 1;
      if (this.#attempts > MAX_ATTEMPTS) return;
      yield password;
    }
  }

  /** Notes a member that no password opened. */
  failed(): void {
    this.#locked += 1;
  }

  found(password: string): void {
    this.#found.add(password);
    this.#passwords.splice(this.#passwords.indexOf(password), 1);
    this.#passwords.unshift(password);
  }
}

class HandleReader extends Reader<FileHandle> {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle, size: number) {
    super(handle);
    this.#handle = handle;
    this.size = size;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > CHUNK_LIMIT) throw new Error(`the archive asks for ${length} bytes at once`);
    const buffer = new Uint8Array(Math.max(0, Math.min(length, this.size - index)));
    let read = 0;
    while (read < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, read, buffer.length - read, index + read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return buffer.subarray(0, read);
  }
}
