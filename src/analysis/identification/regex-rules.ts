import { requiredStrings } from './required-strings.ts';

/** A rule of libmagic for text that is a regular expression. */
export interface RegexRule {
  /** Address of the byte that says which files the rule is for. */
  readonly address: number;
  readonly pattern: string;
  readonly ignoresCase: boolean;
  /** The rule matches only where one of these is in the text; in lower case when it ignores case. */
  readonly required: readonly string[];
}

/** Header of compiled rules: a number by which they are known, the version, entries of both parts. */
const MAGIC_NUMBER = Buffer.from([0x1c, 0x04, 0x1e, 0xf1]);
const VERSION = 21;
const MAX_ENTRIES = 100_000;
/** Bytes of a compiled rule, of which the header takes up one, and what is where in it. */
const ENTRY_SIZE = 432;
const ENTRY = { flags: 0, level: 2, type: 6, stringFlags: 28, value: 32, valueEnd: 160 } as const;
const REGEX_TYPE = 17;
const FOR_BINARY = 0x20;
const FOR_TEXT = 0x40;
/** Flags of strings that are compared without regard to case. */
const IGNORES_CASE = 0x0c;
/** Bytes in which regular expressions are looked for, and what offsets and a byte order mark add. */
const SEARCHED = 8192 + 64;
/** Bytes by which libmagic finds out the character set. */
const ENCODING_SIZE = 64 * 1024;
/** Bytes of ASCII and of character sets that contain it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: texts have a few of them
const TEXT_BYTES = /^[\x07-\x0a\x0c\x0d\x1b\x20-\x7e\x80-\xff]*$/;

/** The memory of libmagic; another array after the memory has grown. */
export interface LibmagicMemory {
  readonly HEAPU8: Uint8Array;
}

/**
 * Switches off regular expressions that cannot match: a string that they require is missing.
 * libmagic tries 72 of them at each character: of 7.2 ms for 8 kB of text, 6.1 are theirs. Labels stay the same.
 */
export class RegexRules {
  readonly #memory: LibmagicMemory;
  readonly rules: readonly RegexRule[];
  #areAllOn = true;

  /** @param memory of a libmagic that has loaded its rules and looked at no file yet */
  constructor(memory: LibmagicMemory) {
    this.#memory = memory;
    this.rules = findRules(Buffer.from(memory.HEAPU8.buffer));
  }

  /** Switches the rules for a file whose first bytes are given. */
  prepare(head: Uint8Array): void {
    const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, ENCODING_SIZE));
    if (!isPlainText(bytes)) this.#switchAllOn();
    else {
      const text = bytes.toString('latin1', 0, SEARCHED);
      const lower = text.toLowerCase();
      for (const { address, required, ignoresCase } of this.rules) {
        this.#switch(
          address,
          required.some((one) => (ignoresCase ? lower : text).includes(one)),
        );
      }
      this.#areAllOn = false;
    }
  }

  #switchAllOn(): void {
    if (this.#areAllOn) return;
    for (const { address } of this.rules) this.#switch(address, true);
    this.#areAllOn = true;
  }

  #switch(address: number, isOn: boolean): void {
    const memory = this.#memory.HEAPU8;
    const flags = memory[address] as number;
    memory[address] = isOn ? flags | FOR_TEXT : flags & ~FOR_TEXT;
  }
}

/** Returns whether libmagic sees the bytes as they are: it converts UTF-16 and EBCDIC. */
function isPlainText(bytes: Buffer): boolean {
  const [first, second] = bytes;
  const hasByteOrderMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return !hasByteOrderMark && TEXT_BYTES.test(bytes.toString('latin1'));
}

function findRules(memory: Buffer): readonly RegexRule[] {
  const rules: RegexRule[] = [];
  for (let at = memory.indexOf(MAGIC_NUMBER); at !== -1; at = memory.indexOf(MAGIC_NUMBER, at + 1)) {
    if (at + 16 > memory.length || memory.readUInt32LE(at + 4) !== VERSION) continue;
    const entries = memory.readUInt32LE(at + 8) + memory.readUInt32LE(at + 12);
    const end = at + (entries + 1) * ENTRY_SIZE;
    if (entries > MAX_ENTRIES || end > memory.length) continue;
    for (let entry = at + ENTRY_SIZE; entry < end; entry += ENTRY_SIZE) {
      const rule = readRule(memory, entry);
      if (rule !== undefined) rules.push(rule);
    }
  }
  return rules;
}

function readRule(memory: Buffer, entry: number): RegexRule | undefined {
  const isFirstLevel = memory[entry + ENTRY.level] === 0;
  const flags = memory.readUInt16LE(entry + ENTRY.flags);
  if (!isFirstLevel || memory[entry + ENTRY.type] !== REGEX_TYPE) return undefined;
  if ((flags & FOR_TEXT) === 0 || (flags & FOR_BINARY) !== 0) return undefined;
  const value = memory.subarray(entry + ENTRY.value, entry + ENTRY.valueEnd);
  const length = value.indexOf(0);
  const pattern = value.toString('latin1', 0, length === -1 ? value.length : length);
  const ignoresCase = (memory.readUInt32LE(entry + ENTRY.stringFlags) & IGNORES_CASE) !== 0;
  const required = requiredStrings(pattern)?.map((one) => (ignoresCase ? one.toLowerCase() : one));
  // Other characters than those of ASCII have several encodings.
  if (required === undefined || required.some((one) => /[^\0-\x7f]/.test(one))) return undefined;
  return { address: entry + ENTRY.flags, pattern, ignoresCase, required };
}
