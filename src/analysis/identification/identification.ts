import { ThreadCalls } from '../../threads/thread-calls.ts';
import type { ByteSource } from '../formats/byte-source.ts';
import { readCart, statedKind } from '../formats/cart.ts';
import { readPortableExecutable } from '../formats/portable-executable.ts';
import { readUriFile, type UriInfo } from '../formats/uri-file.ts';
import { readZipMemberNames } from '../formats/zip-members.ts';
import type { IdentificationRules } from './identification-rules.ts';
import { isIdentifiedKind } from './identified-kinds.ts';
import type { MagicAnswer } from './libmagic.ts';
import { FALLBACK_MIME_KINDS } from './mime-kinds.ts';
import { officeKindOf } from './office-classes.ts';
import { isCsv, isJson } from './text-formats.ts';
import { zipKind } from './zip-kinds.ts';

/** The kind of a file and the reasons for it. */
export interface Identity {
  /** Kind of the file, such as `archive/zip`; `unknown` when nothing recognises it. */
  readonly type: string;
  /** Primary label of libmagic. */
  readonly magic: string;
  /** Media type without parameters. */
  readonly mime: string;
  readonly charset: string;
  readonly uriInfo?: UriInfo;
}

export interface IdentificationDependencies {
  readonly rules: IdentificationRules;
  readonly log: { warn(details: object, message: string): void };
}

/** Bytes from the start of a file that libmagic gets: it takes 15 ms at most for them. */
export const HEAD_SIZE = 1 << 20;
/** Bytes of text that are tried as JSON and CSV, in some milliseconds. */
const MAX_TEXT_SIZE = 256 * 1024;
/** Bytes at the end of a PDF document with its trailer. */
const TRAILER_SIZE = 64 * 1024;
/** Milliseconds. */
const TIMEOUT = 10_000;
const UNKNOWN = 'unknown';
const TEXT = 'text/plain';
const UNRECOGNISED: MagicAnswer = { labels: ['data'], mimes: ['application/octet-stream'], charset: 'binary' };
const EMPTY: Identity = { type: 'empty', magic: 'empty', mime: 'inode/x-empty', charset: 'binary' };

/** Labels that are the primary one wherever libmagic puts them, and whether their media type follows. */
const PRIMARY_LABELS: readonly (readonly [label: string, withMime: boolean])[] = [
  ['OLE 2 Compound Document : Microsoft Word Document', false],
  ['Lotus 1-2-3 WorKsheet', true],
];

/** Tells what files are: rules for their first bytes, then their structure (contract/analysis.md 7.7). */
export class Identification {
  readonly #rules: IdentificationRules;
  readonly #thread: ThreadCalls;

  constructor({ rules, log }: IdentificationDependencies) {
    this.#rules = rules;
    this.#thread = new ThreadCalls(new URL('./libmagic-thread.ts', import.meta.url), {
      timeout: TIMEOUT,
      onFailure: (reason) => log.warn({ reason }, 'the thread that identifies files ended'),
    });
  }

  /** @param head the first bytes of the source, up to `HEAD_SIZE` */
  async identify(source: ByteSource, head: Buffer): Promise<Identity> {
    if (source.size === 0) return EMPTY;
    const { labels, mimes, charset } = await this.#detect(head);
    const mime = mimes.find((each) => each !== '') ?? 'application/octet-stream';
    const magic = labels[0] ?? 'data';
    const first = await this.#firstKind(labels, mimes, head);
    const identity = { magic, mime, charset };
    if (first === 'uri') {
      const uriInfo = readUriFile(head);
      return uriInfo === undefined
        ? { ...identity, type: TEXT }
        : { ...identity, type: `uri/${uriInfo.scheme}`, uriInfo };
    }
    return { ...identity, type: await refined(first, source, head, identity) };
  }

  /** Returns what is wrong with rules in the format of magic(5); undefined when nothing is. */
  async problemOfRules(rules: string): Promise<string | undefined> {
    return (await this.#thread.call({ kind: 'check', rules })) as string | undefined;
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #detect(head: Buffer): Promise<MagicAnswer> {
    const rules = await this.#rules.magic();
    const detect = async () => {
      const answer = (await this.#thread.call({ kind: 'detect', rules, head })) as MagicAnswer;
      return withPrimaryLabel(answer);
    };
    // The first failure may be due to another file. A file that stops the thread twice is not recognised.
    return detect().catch(() => detect().catch(() => UNRECOGNISED));
  }

  async #firstKind(labels: readonly string[], mimes: readonly string[], head: Buffer): Promise<string> {
    for (const label of labels) {
      const [, kind] = /^custom: ([^,]+)/i.exec(label) ?? [];
      if (kind !== undefined) return kind.trim();
    }
    const byMime = await this.#rules.mimes();
    for (const mime of mimes) if (Object.hasOwn(byMime, mime)) return byMime[mime] ?? UNKNOWN;
    const byLabel = await this.#rules.labels();
    for (const label of labels) {
      const kind = byLabel.kindOf(label);
      if (kind === 'document/office/unknown') return officeKindOf(head) ?? kind;
      if (kind !== undefined) return kind;
    }
    return mimes.find((each) => each !== '')?.startsWith('text/') === true ? TEXT : UNKNOWN;
  }
}

function withPrimaryLabel(answer: MagicAnswer): MagicAnswer {
  let { labels, mimes } = answer;
  for (const [word, withMime] of PRIMARY_LABELS) {
    const index = labels.findIndex((label) => label.includes(word));
    if (index < 1) continue;
    if (withMime && mimes.length === labels.length) mimes = movedToFront(mimes, index);
    labels = movedToFront(labels, index);
  }
  return { ...answer, labels, mimes };
}

function movedToFront(list: readonly string[], index: number): readonly string[] {
  return [...list.slice(index, index + 1), ...list.slice(0, index), ...list.slice(index + 1)];
}

async function refined(
  kind: string,
  source: ByteSource,
  head: Buffer,
  { magic, mime }: Pick<Identity, 'magic' | 'mime'>,
): Promise<string> {
  if (kind === UNKNOWN || kind.startsWith('executable/windows/')) {
    const program = await programKind(source);
    if (program !== undefined) return program;
  }
  switch (kind) {
    case 'archive/zip':
    case 'java/jar':
    case 'document/office/unknown': {
      const names = await readZipMemberNames(source);
      return names === undefined ? kind : zipKind(names);
    }
    case 'archive/cart':
      return readCart(source).then(
        ({ header }) => knownKind(statedKind(header)) ?? kind,
        () => 'corrupted/cart',
      );
    case 'document/pdf':
      return pdfKind(source, head);
    case UNKNOWN:
    case TEXT:
      return textKind(kind, source, head, { magic, mime });
    default:
      return kind;
  }
}

/** The headers of a program say more than labels, which differ between versions of libmagic. */
async function programKind(source: ByteSource): Promise<string | undefined> {
  const program = await readPortableExecutable(source);
  if (program === undefined) return undefined;
  const { kind, machine, width } = program;
  return `executable/windows/${machine === 'x86' ? '' : `${machine}/`}${kind}${width}`;
}

function knownKind(kind: string | undefined): string | undefined {
  return kind !== undefined && isIdentifiedKind(kind) ? kind : undefined;
}

function textKind(
  kind: string,
  source: ByteSource,
  head: Buffer,
  { magic, mime }: Pick<Identity, 'magic' | 'mime'>,
): string {
  const isWhole = source.size <= MAX_TEXT_SIZE;
  const text = head.toString('utf8', 0, MAX_TEXT_SIZE);
  const isSaidToBeCsv = magic.startsWith('CSV ') || mime === 'text/csv' || mime === 'application/csv';
  if (isSaidToBeCsv && isCsv(text, isWhole)) return 'text/csv';
  if (kind === TEXT && isWhole && isJson(text)) return 'text/json';
  return FALLBACK_MIME_KINDS[mime] ?? kind;
}

/** The trailer, at the end, names the encryption; a portfolio is declared in the catalogue. */
async function pdfKind(source: ByteSource, head: Buffer): Promise<string> {
  const trailer = await source.read(Math.max(0, source.size - TRAILER_SIZE), TRAILER_SIZE);
  const has = (word: string) => head.includes(word) || trailer.includes(word);
  if (has('/Encrypt')) return 'document/pdf/passwordprotected';
  return has('/Type/Catalog/Collection') ? 'document/pdf/portfolio' : 'document/pdf';
}
