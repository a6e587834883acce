import { WASMagic, WASMagicFlags, type WASMagicOptions } from 'wasmagic';
import { type LibmagicMemory, RegexRules } from './regex-rules.ts';

/** The answer of libmagic about the beginning of a file, primary lines first. */
export interface MagicAnswer {
  readonly labels: readonly string[];
  /** Media types without parameters. */
  readonly mimes: readonly string[];
  /** Character set of the whole file, such as `us-ascii`; `binary` where there is none. */
  readonly charset: string;
}

const MAX_LINES = 64;
const MAX_LINE_LENGTH = 1000;
const { CONTINUE, RAW, MIME_TYPE, MIME_ENCODING } = WASMagicFlags;

/** Labels of files that no rule recognises: media type and character set without the second pass. */
const PLAIN_LABELS: readonly (readonly [label: RegExp, mime: string, charset: string])[] = [
  [/^ASCII text\b/, 'text/plain', 'us-ascii'],
  [/^Unicode text, UTF-8\b/, 'text/plain', 'utf-8'],
  [/^Unicode text, UTF-16, little-endian\b/, 'text/plain', 'utf-16le'],
  [/^Unicode text, UTF-16, big-endian\b/, 'text/plain', 'utf-16be'],
  [/^ISO-8859 text\b/, 'text/plain', 'iso-8859-1'],
  [/^Non-ISO extended-ASCII text\b/, 'text/plain', 'unknown-8bit'],
  [/^data$/, 'application/octet-stream', 'binary'],
  [/^very short file \(no magic\)$/, 'application/octet-stream', 'binary'],
];

/**
 * The rules of libmagic, with our own in front, as WebAssembly.
 * Calls block, 1 to 2 ms a pass for text. About 35 MB a pass; the one for media types is loaded with the first file that needs it.
 */
export class Libmagic {
  readonly #options: WASMagicOptions;
  readonly #labels: Pass;
  #mimes: Promise<Pass> | undefined;

  private constructor(options: WASMagicOptions, labels: Pass) {
    this.#options = options;
    this.#labels = labels;
  }

  /** @param rules in the format of magic(5) */
  static async load(rules: string): Promise<Libmagic> {
    const options = { flags: CONTINUE | RAW, magicFiles: [Buffer.from(rules)], loadDefaultMagicfile: true };
    return new Libmagic(options, await Pass.load(options));
  }

  /** Returns what is wrong with rules in the format of magic(5); undefined when nothing is. */
  static async problemOf(rules: string): Promise<string | undefined> {
    const complaints: string[] = [];
    try {
      await WASMagic.create({
        flags: CONTINUE | RAW,
        magicFiles: [Buffer.from(rules)],
        loadDefaultMagicfile: false,
        stdio: (_stream, text) => complaints.push(text),
      });
    } catch (error) {
      return complaints[0] ?? (error instanceof Error ? error.message : String(error));
    }
    return complaints[0];
  }

  async detect(head: Uint8Array): Promise<MagicAnswer> {
    const labels = this.#labels.detect(head).map((label) => zipLabel(label, head));
    const plain = labels.length === 1 ? PLAIN_LABELS.find(([label]) => label.test(labels[0] ?? '')) : undefined;
    if (plain !== undefined) return { labels, mimes: [plain[1]], charset: plain[2] };
    this.#mimes ??= Pass.load({ ...this.#options, flags: CONTINUE | RAW | MIME_TYPE | MIME_ENCODING });
    const answers = (await this.#mimes).detect(head).map((line) => line.split('; charset='));
    const charset = answers.find(([, stated]) => stated !== undefined)?.[1] ?? 'binary';
    return { labels, mimes: answers.map(([mime = '']) => mime), charset };
  }
}

/** One libmagic with its flags. */
class Pass {
  readonly #magic: WASMagic;
  readonly #regexRules: RegexRules;

  private constructor(magic: WASMagic) {
    this.#magic = magic;
    // The package declares its memory as private; what is not found in it, stays as it is.
    this.#regexRules = new RegexRules((magic as unknown as { readonly Module: LibmagicMemory }).Module);
  }

  static async load(options: WASMagicOptions): Promise<Pass> {
    return new Pass(await WASMagic.create(options));
  }

  detect(head: Uint8Array): readonly string[] {
    this.#regexRules.prepare(head);
    return linesOf(this.#magic.detect(head));
  }
}

/** Names the version that the first member needs, as the libmagic of the recordings does. */
function zipLabel(label: string, head: Uint8Array): string {
  if (!label.startsWith('Zip archive data, made by v') || !startsZip(head)) return label;
  const version = head[4] ?? 0;
  return `Zip archive data, at least v${Math.floor(version / 10)}.${version % 10}`;
}

function startsZip([p, k, three, four]: Uint8Array): boolean {
  return p === 0x50 && k === 0x4b && three === 3 && four === 4;
}

function linesOf(output: string): readonly string[] {
  return output.split('\n', MAX_LINES).map((line) => line.replace(/^- /, '').slice(0, MAX_LINE_LENGTH).trim());
}
