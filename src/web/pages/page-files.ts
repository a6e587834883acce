import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { type EarlyFiles, readEarlyFiles } from './early-links.ts';

/** Encodings in which files are packed in advance, the best first, with the ending of the packed file. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
type Encoding = (typeof ENCODINGS)[number][0];

/** A file of the built interface, in memory. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly packed: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** Digest of the content. */
  readonly digest: string;
}

/** A representation of a file that a browser takes. */
export interface FileVersion {
  readonly bytes: Buffer;
  readonly encoding: Encoding | undefined;
  readonly etag: string;
}

type Files = ReadonlyMap<string, PageFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const INDEX = '/index.html';
const EARLY = '/early.json';
/** Milliseconds between two polls whether the interface was built again. */
const INTERVAL = 1000;

/**
 * Holds the files of the built interface in memory, by their path: a path that is no file has no
 * way to the disk. Reads them again after a build.
 */
export class PageFiles {
  readonly #folder: string;
  readonly #now: () => number;
  #files: Files = new Map();
  #early: EarlyFiles | undefined;
  #stamp = '';
  #polledAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  /** @param now milliseconds; for tests */
  constructor(folder: string, now: () => number = () => performance.now()) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Returns the file of a path, `/assets/index-1a2b.js`, if there is one. */
  async find(path: string): Promise<PageFile | undefined> {
    await this.#refresh();
    return this.#files.get(path);
  }

  /** Returns the page that stands for every address of the interface; undefined when it is not built. */
  index(): Promise<PageFile | undefined> {
    return this.find(INDEX);
  }

  /** Returns the links of pages that the last build wrote; undefined where it wrote none. */
  get early(): EarlyFiles | undefined {
    return this.#early;
  }

  async #refresh(): Promise<void> {
    const now = this.#now();
    if (this.#refreshing === undefined && now - this.#polledAt < INTERVAL) return;
    this.#polledAt = now;
    this.#refreshing ??= this.#poll().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #poll(): Promise<void> {
    const index = await stat(join(this.#folder, INDEX)).catch(() => undefined);
    const stamp = index === undefined ? '' : `${index.ino} ${index.mtimeMs} ${index.size}`;
    if (stamp === this.#stamp) return;
    // A build that is under way replaces files: they are read at the next poll.
    const files =
      index === undefined ? new Map<string, PageFile>() : await readFiles(this.#folder).catch(() => undefined);
    if (files === undefined) return;
    this.#files = files;
    this.#early = readEarlyFiles(files.get(EARLY)?.bytes);
    this.#stamp = stamp;
  }
}

async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = new Map<string, Buffer>();
  for (const path of paths) {
    contents.set(`/${relative(folder, path).split(sep).join('/')}`, await readFile(path));
  }
  const files = new Map<string, PageFile>();
  for (const [path, bytes] of contents) {
    const type = TYPES[extname(path)];
    // What has no type is packed content, or nothing for browsers, such as a source map.
    if (type === undefined) continue;
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    const packed = Object.fromEntries(
      ENCODINGS.flatMap(([encoding, ending]) => {
        const packedBytes = contents.get(`${path}${ending}`);
        return packedBytes === undefined ? [] : [[encoding, packedBytes]];
      }),
    );
    files.set(path, { type, bytes, packed, digest });
  }
  return files;
}

/** Returns the smallest version that a browser takes. @param accepted header `Accept-Encoding` */
export function versionFor({ bytes, packed, digest }: PageFile, accepted: string | undefined): FileVersion {
  for (const [encoding] of ENCODINGS) {
    const packedBytes = packed[encoding];
    if (packedBytes !== undefined && accepts(accepted, encoding)) {
      return { bytes: packedBytes, encoding, etag: `"${digest}-${encoding}"` };
    }
  }
  return { bytes, encoding: undefined, etag: `"${digest}"` };
}

function accepts(accepted: string | undefined, encoding: Encoding): boolean {
  return (accepted ?? '').split(',').some((entry) => {
    const [name, ...parameters] = entry
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** Returns whether a browser has this version. @param condition header `If-None-Match` */
export function isFresh({ etag }: FileVersion, condition: string | undefined): boolean {
  return (condition ?? '').split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag);
}
