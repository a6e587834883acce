import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { NotFound } from '../../errors/errors.ts';

/** Maximum number of files of the folder that are listed: the wrong folder may have been named. */
const MAX_FILES = 1_000;
/** Maximum size of a help text in bytes; larger files are left out. */
const MAX_SIZE = 1_000_000;

/**
 * Reads the texts of the help page from a folder at each request (contract/enrichment.md section 9).
 * Links that lead outside the folder are not followed.
 */
export class HelpTexts {
  readonly #folder: string | null;

  /** @param folder null: there are no texts. */
  constructor(folder: string | null) {
    this.#folder = folder;
  }

  /**
   * Returns the texts by base name, such as `alpha-docs.md`, whose base name contains `part`. An empty
   * string selects all.
   */
  async all(part: string): Promise<Readonly<Record<string, string>>> {
    const root = await this.#root();
    if (root === undefined) return {};
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const found = entries.filter((entry) => entry.isFile() && entry.name.includes(part)).slice(0, MAX_FILES);
    const texts = await Promise.all(
      found.map(async ({ name, parentPath }) => [name, await readText(join(parentPath, name))] as const),
    );
    return Object.fromEntries(texts.filter((one): one is readonly [string, string] => one[1] !== undefined));
  }

  /** Reads the text at a path below the folder; `.md` may be left out. Throws `help_text_missing`. */
  async one(name: string): Promise<string> {
    const root = await this.#root();
    const names = isAbsolute(name) || name.includes('\0') || basename(name) === '' ? [] : [name, `${name}.md`];
    for (const candidate of root === undefined ? [] : names) {
      const path = await realPathOf(join(root ?? '', candidate));
      if (path?.startsWith(`${root}${sep}`) !== true) continue;
      const text = await readText(path);
      if (text !== undefined) return text;
    }
    throw new NotFound('help_text_missing', 'The file does not exist or is typed incorrectly.');
  }

  async #root(): Promise<string | undefined> {
    return this.#folder === null ? undefined : realPathOf(this.#folder);
  }
}

/** Returns undefined for a missing or unreadable path. */
async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

/** Returns undefined for a large file, or another kind of entry. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const about = await stat(path);
    return about.isFile() && about.size <= MAX_SIZE ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
