/** Entries of the header `Link`. */
export interface EarlyLinks {
  /** Answers of this origin that scripts will ask for. */
  readonly requests: readonly string[];
  readonly files: readonly string[];
}

/** Links by the page, as the build of the interface writes them (ui/early.ts). */
export interface EarlyFiles {
  readonly always: EarlyLinks;
  /** By the first part of a language tag: `en`. */
  readonly languages: Readonly<Record<string, EarlyLinks>>;
  /** By the path of a page, in which `$id` stands for any part. */
  readonly pages: Readonly<Record<string, EarlyLinks>>;
}

/** A navigation to a page. */
export interface Navigation {
  /** Without the query. */
  readonly path: string;
  /** Header `Accept-Language`. */
  readonly acceptedLanguages: string | undefined;
  /**
   * True: the browser says where its requests come from. Those of a plain connection to another
   * machine do not, and services refuse what then has no header of our scripts (src/web/request-origin.ts).
   */
  readonly saysOrigin: boolean;
}

/** Language of a browser that asks for none that the interface has. */
const LANGUAGE = 'en';

/** Reads `early.json` of a built interface. A build without a readable one has nothing to send early. */
export function readEarlyFiles(bytes: Buffer | undefined): EarlyFiles | undefined {
  if (bytes === undefined) return undefined;
  try {
    const { always, languages, pages } = JSON.parse(bytes.toString('utf8'));
    const parts: readonly EarlyLinks[] = [always, ...Object.values(languages), ...Object.values(pages)];
    return parts.every(({ requests, files }) => [requests, files].every(isListOfLinks))
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
export function earlyLinks(early: EarlyFiles, navigation: Navigation): string | undefined {
  const { path, acceptedLanguages, saysOrigin } = navigation;
  const page = Object.entries(early.pages).find(([pattern]) => isPathOf(pattern, path))?.[1];
  const parts = [early.always, messages(early, acceptedLanguages), page].filter((part) => part !== undefined);
  // Browsers ask in this order, six at a time: the answers take the longest.
  const requests = saysOrigin ? parts.flatMap((part) => part.requests) : [];
  const links = [...requests, ...parts.flatMap((part) => part.files)];
  return links.length === 0 ? undefined : links.join(', ');
}

function messages({ languages }: EarlyFiles, accepted = ''): EarlyLinks | undefined {
  // Browsers name what they like best first; a person who chose another language loads a small file in vain.
  const wanted = accepted.split(',').map((entry) => entry.trim().slice(0, 2).toLowerCase());
  return languages[wanted.find((tag) => Object.hasOwn(languages, tag)) ?? LANGUAGE];
}

function isPathOf(pattern: string, path: string): boolean {
  const parts = path.split('/');
  const expected = pattern.split('/');
  const matches = (part: string, index: number) =>
    part === parts[index] || (part.startsWith('$') && parts[index] !== '');
  return parts.length === expected.length && expected.every(matches);
}
