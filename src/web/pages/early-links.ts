/** Entries of the header `Link` by what asks for them, as the build of the interface writes them (ui/early.ts). */
export interface EarlyFiles {
  readonly always: readonly string[];
  /** By the first part of a language tag: `en`. */
  readonly languages: Readonly<Record<string, readonly string[]>>;
  /** By the path of a page, in which `$id` stands for any part. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
}

/** A navigation to a page. */
export interface Navigation {
  /** Without the query. */
  readonly path: string;
  /** Header `Accept-Language`. */
  readonly acceptedLanguages: string | undefined;
}

/** Language of a browser that asks for none that the interface has. */
const LANGUAGE = 'en';

/** Reads `early.json` of a built interface. A build without a readable one has nothing to send early. */
export function readEarlyFiles(bytes: Buffer | undefined): EarlyFiles | undefined {
  if (bytes === undefined) return undefined;
  try {
    const { always, languages, pages } = JSON.parse(bytes.toString('utf8'));
    return [always, ...Object.values(languages), ...Object.values(pages)].every(isListOfLinks)
      ? { always, languages, pages }
      : undefined;
  } catch {
    return undefined;
  }
}

function isListOfLinks(value: unknown): value is readonly string[] {
  // Nothing that ends a line may get into a header.
  return Array.isArray(value) && value.every((link) => typeof link === 'string' && /^<[!-~]+>; [ -~]+$/.test(link));
}

/**
 * Returns the header `Link` (RFC 8288) of a page for a browser with a session: it loads with the page
 * what scripts would name one after the other. Undefined where nothing is known of the page.
 */
export function earlyLinks(files: EarlyFiles, { path, acceptedLanguages }: Navigation): string | undefined {
  const page = Object.entries(files.pages).find(([pattern]) => isPathOf(pattern, path))?.[1] ?? [];
  const links = [...files.always, ...languageFiles(files, acceptedLanguages), ...page];
  return links.length === 0 ? undefined : links.join(', ');
}

function languageFiles({ languages }: EarlyFiles, accepted = ''): readonly string[] {
  // Browsers name what they like best first; a person who chose another language loads a small file in vain.
  const wanted = accepted.split(',').map((entry) => entry.trim().slice(0, 2).toLowerCase());
  const language = wanted.find((tag) => Object.hasOwn(languages, tag)) ?? LANGUAGE;
  return languages[language] ?? [];
}

function isPathOf(pattern: string, path: string): boolean {
  const parts = path.split('/');
  const expected = pattern.split('/');
  const matches = (part: string, index: number) =>
    part === parts[index] || (part.startsWith('$') && parts[index] !== '');
  return parts.length === expected.length && expected.every(matches);
}
