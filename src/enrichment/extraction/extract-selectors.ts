import { refangText } from '../../indicators/refanged-text.ts';
import {
  type ExtractedSelector,
  type FoundSelector,
  isVersion,
  portOf,
  readAddress,
  readDomain,
  readEmail,
  readIdentifier,
  readUrl,
} from './selector-readers.ts';

export type { ExtractedSelector } from './selector-readers.ts';

/** Maximum number of selectors in a result. */
export const MAX_SELECTORS = 50_000;
/** Maximum number of characters of a value, as in lookups. */
const MAX_VALUE_LENGTH = 4096;

/**
 * Matches runs of characters that selectors consist of. Everything else separates them. URLs have
 * more: they are read from their `://` on.
 */
const WORD = /[A-Za-z0-9._:@%+\-/~[\]\u00a1-\u1fff\u2c00-\u2fff\u3040-\ud7ff\uf900-\ufeff\uff10-\uffef]{3,}/g;
/** Characters in which a host with a user and a port has to end. */
const MAX_AUTHORITY_LENGTH = 600;
const SCHEME = /(?:^|[^A-Za-z])([A-Za-z]{2,6})$/;

/**
 * Finds addresses, domains, URLs, e-mail addresses, hashes, vulnerabilities and ATT&CK identifiers.
 * Defanged forms count as what they stand for. Each is returned once, at its first place, in the
 * order of the text. The time is linear in the length of the text.
 */
export function extractSelectors(original: string): readonly ExtractedSelector[] {
  return new Extraction(original).run();
}

class Extraction {
  readonly #refanged;
  readonly #text: string;
  readonly #found = new Map<string, ExtractedSelector>();
  /** Place up to which a URL was read, so that no character is read as part of two. */
  #urlEnd = 0;

  constructor(original: string) {
    this.#refanged = refangText(original);
    this.#text = this.#refanged.text;
  }

  run(): readonly ExtractedSelector[] {
    const text = this.#text;
    WORD.lastIndex = 0;
    for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
      if (this.#found.size >= MAX_SELECTORS) break;
      WORD.lastIndex = this.#readRun(match[0], match.index);
    }
    return [...this.#found.values()].sort((one, other) => one.start - other.start);
  }

  /** Reads a run of characters with the URLs in it; returns where to continue. */
  #readRun(run: string, start: number): number {
    let from = 0;
    for (let separator = run.indexOf('://'); separator !== -1; separator = run.indexOf('://', from)) {
      const scheme = SCHEME.exec(run.slice(Math.max(from, separator - 8), separator))?.[1] ?? '';
      this.#readWord(run.slice(from, separator - scheme.length), start + from);
      from = separator + 3;
      const host = start + from;
      const found = readUrl(scheme, this.#text.slice(host, host + MAX_AUTHORITY_LENGTH));
      // What is not a URL may still hold selectors after its scheme.
      if (found === undefined) continue;
      const first = host - 3 - scheme.length;
      const end = this.#endOfUrl(host);
      this.#add({ type: 'url', value: this.#text.slice(first, end), ...found }, first, end);
      return end;
    }
    this.#readWord(from === 0 ? run : run.slice(from), start + from);
    return Math.max(WORD.lastIndex, start + run.length);
  }

  /** Returns the end of a URL without punctuation after it, and without brackets that it does not open. */
  #endOfUrl(from: number): number {
    const text = this.#text;
    let end = from;
    let open = 0;
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      if (code === ROUND_OPENING) open += 1;
      else if (code === ROUND_CLOSING && open > 0) open -= 1;
      else if (code === ROUND_CLOSING || endsUrl(code)) break;
    }
    this.#urlEnd = end;
    while (end > from && isPunctuation(text.charCodeAt(end - 1))) end -= 1;
    return end;
  }

  #readWord(word: string, start: number): void {
    if (!hasSign(word)) return;
    let from = 0;
    // Brackets surround IPv6 addresses and lists.
    for (let place = 0; place <= word.length; place += 1) {
      const character = word.charCodeAt(place);
      if (place < word.length && character !== OPENING && character !== CLOSING) continue;
      if (place > from) this.#readPart(word.slice(from, place), start + from);
      from = place + 1;
    }
  }

  #readPart(given: string, at: number): void {
    const leading = given.length - given.replace(/^[.:@%+~\-/]+/, '').length;
    const start = given.startsWith('::') && leading === 2 ? at : at + leading;
    const part = trimmedEnd(given.slice(start - at));
    if (part.length < 3 || part.length > MAX_VALUE_LENGTH) return;
    const before = this.#text.slice(Math.max(0, start - 24), start);
    if (this.#addAddress(part, start, before)) return;
    if (part.includes(':')) this.#readPieces(part, start);
    else if (part.includes('/')) this.#readPath(part, start);
    else this.#readPlain(part, start, before);
  }

  /** Reads parts between colons: hosts with ports, names before values. */
  #readPieces(part: string, start: number): void {
    const pieces = part.split(':');
    let place = start;
    for (const [index, piece] of pieces.entries()) {
      const port = portOf((pieces[index + 1] ?? '').split('/', 1)[0] ?? '');
      if (piece !== '') this.#readPiece(piece, place, port);
      place += piece.length + 1;
    }
  }

  #readPiece(piece: string, start: number, port: number | undefined): void {
    if (start < this.#urlEnd) return;
    const before = this.#text.slice(Math.max(0, start - 24), start);
    const found = readAddress(piece);
    if (found === undefined) {
      if (piece.includes('/')) this.#readPath(piece, start);
      else this.#readPlain(trimmedEnd(piece), start, before);
    } else if (!isVersion(before)) {
      this.#add(port === undefined ? found : { ...found, port }, start, start + found.value.length);
    }
  }

  /** Reads `host/path` as a URL. The names in a path are files, not domains. */
  #readPath(part: string, start: number): void {
    const slash = part.indexOf('/');
    const host = part.slice(0, slash);
    const before = this.#text.slice(Math.max(0, start - 24), start);
    // `name/1.2.3.4` is a product; addresses of log lines (`inside/10.0.0.1`) look the same.
    if (before.endsWith('/') || before.endsWith('\\')) return;
    if (part.includes('@')) {
      for (const [index, piece] of part.split('/').entries()) if (index === 0) this.#readPlain(piece, start, before);
      return;
    }
    const isHost = readDomain(host, this.#surroundings(start, start + host.length, ''));
    const isAddress = readAddress(host);
    if (isHost === undefined && isAddress === undefined) return;
    if (part.length === slash + 1) {
      this.#addFound(isHost ?? isAddress, start, start + host.length);
      return;
    }
    const end = this.#endOfUrl(start);
    WORD.lastIndex = Math.max(WORD.lastIndex, end);
    this.#add({ type: 'url', value: this.#text.slice(start, end) }, start, end);
  }

  #readPlain(word: string, start: number, before: string): void {
    const end = start + word.length;
    const known = word.includes('@') ? readEmail(word) : readIdentifier(word);
    this.#addFound(known, start, end);
    if (known !== undefined || word.includes('@')) return;
    if (this.#addAddress(word, start, before)) return;
    const range = word.indexOf('-');
    if (range > 0 && readAddress(word.slice(0, range)) !== undefined) {
      this.#addAddress(word.slice(0, range), start, before);
      this.#addAddress(word.slice(range + 1), start + range + 1, '');
      return;
    }
    const found = readDomain(word, this.#surroundings(start, end, before));
    if (found === undefined) return;
    // Leading names of services are not part of the value.
    const skipped = word.length - (/^(?:_[A-Za-z0-9-]{1,62}\.)+/.exec(word)?.[0].length ?? 0);
    this.#add(found, end - skipped, end);
  }

  #surroundings(start: number, end: number, before: string) {
    const isDefanged = this.#refanged.isDefanged(start, end);
    return { isDefanged, before: before.slice(-1), after: this.#text.charAt(end) };
  }

  #addAddress(word: string, start: number, before: string): boolean {
    const found = readAddress(word);
    if (found === undefined) return false;
    const isPart = found.type === 'ipv4' && isVersion(before) && !this.#refanged.isDefanged(start, start + word.length);
    if (!isPart) this.#add(found, start, start + found.value.length);
    return true;
  }

  #addFound(found: FoundSelector | undefined, start: number, end: number): void {
    if (found !== undefined) this.#add(found, start, end);
  }

  #add(found: FoundSelector, start: number, end: number): void {
    const key = `${found.type} ${found.value} ${found.prefix ?? ''}`;
    if (found.value.length > MAX_VALUE_LENGTH || this.#found.has(key)) return;
    const { originalPlace } = this.#refanged;
    this.#found.set(key, { ...found, start: originalPlace(start), end: originalPlace(end) });
  }
}

const OPENING = '['.charCodeAt(0);
const CLOSING = ']'.charCodeAt(0);

/** Returns false for words that cannot be a selector: all have a separator or digits. */
function hasSign(word: string): boolean {
  return /[.:@]/.test(word) || (word.length >= 5 && /[0-9]/.test(word));
}

const ROUND_OPENING = '('.charCodeAt(0);
const ROUND_CLOSING = ')'.charCodeAt(0);

function endsUrl(code: number): boolean {
  if (code < 0x7f) return code <= 0x20 || ASCII_AFTER_URL[code] === 1;
  // Blanks, quotation marks and punctuation of other scripts.
  return code === 0xa0 || (code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f) || code === 0xfeff;
}

const ASCII_AFTER_URL = new Uint8Array(0x7f);
for (const character of '"<>`{}|\\^') ASCII_AFTER_URL[character.charCodeAt(0)] = 1;

const PUNCTUATION: ReadonlySet<number> = new Set([...'.,;:!?\'"]*…'].map((one) => one.charCodeAt(0)));

function isPunctuation(code: number): boolean {
  return PUNCTUATION.has(code);
}

function trimmedEnd(word: string): string {
  let end = word.length;
  while (end > 0 && '.:@%+-/~'.includes(word.charAt(end - 1)) && !word.startsWith('::', end - 2)) end -= 1;
  return word.slice(0, end);
}
