import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** The module that every page behind the sign-in loads. */
const APPLICATION = 'src/shell/application.tsx';
const LANGUAGES = ['en', 'fr'] as const;
/** Fonts whose letters every page has. */
const FONT = /-latin-wght-/;
/** What the application asks for before it draws anything. */
const REQUESTS = [
  '/session',
  '/session/preferences',
  '/services/alerts/api/v1/user/whoami',
  '/services/alerts/api/v1/configs/',
];
/** Pages on which people begin, by links and bookmarks, and what each asks for first. */
const PAGES = {
  '/': { module: 'src/features/home/home-page.tsx', requests: [] },
  '/alerts': { module: 'src/features/alerts/list/alerts-page.tsx', requests: ['/services/alerts/api/v1/view/'] },
  '/alerts/$id': { module: 'src/features/alerts/alert/alert-page.tsx', requests: [] },
  '/cases': { module: 'src/features/cases/list/cases-page.tsx', requests: [] },
  '/cases/$id': { module: 'src/features/cases/detail/case-page.tsx', requests: [] },
} as const;

/**
 * Writes `early.json`: what a browser with a session loads with the page itself, and not one after the
 * other as scripts name it. The web listener puts it into the head of its answer (src/web/pages/early-links.ts).
 */
export function earlyFiles(): Plugin {
  return {
    name: 'triad-early-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const start = neededBy(bundle, 'index.html');
      const application = neededBy(bundle, APPLICATION, start);
      const fonts = Object.keys(bundle).filter((file) => FONT.test(file));
      const early = {
        always: { requests: REQUESTS.map(linkOf), files: [...start, ...application, ...fonts].map(linkOf) },
        languages: Object.fromEntries(
          LANGUAGES.map((language) => {
            const messages = neededBy(bundle, `src/i18n/${language}/index.ts`, start, application);
            return [language, { requests: [], files: [...messages].map(linkOf) }];
          }),
        ),
        pages: Object.fromEntries(
          Object.entries(PAGES).map(([path, { module, requests }]) => {
            const files = neededBy(bundle, module, start, application);
            return [path, { requests: requests.map(linkOf), files: [...files].map(linkOf) }];
          }),
        ),
      };
      this.emitFile({ type: 'asset', fileName: 'early.json', source: JSON.stringify(early) });
    },
  };
}

/** Returns the scripts and styles of a module and of all that it imports statically, without known ones. */
function neededBy(bundle: Bundle, module: string, ...known: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk');
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`) === true);
  if (first === undefined) throw new Error(`${module} is no file of the build: see ui/early.ts`);
  const found = new Set<string>();
  const pending = [first];
  for (let chunk = pending.pop(); chunk !== undefined; chunk = pending.pop()) {
    const { fileName: file, imports, viteMetadata } = chunk;
    if ([found, ...known].some((files) => files.has(file))) continue;
    found.add(file);
    for (const style of viteMetadata?.importedCss ?? []) found.add(style);
    pending.push(...chunks.filter(({ fileName }) => imports.includes(fileName)));
  }
  return found;
}

/**
 * Returns the entry of a header `Link` (RFC 8288) for a file of the build or an address. A browser uses
 * what it loaded only for a request of the same mode: the style sheets of Vite are `crossorigin`, too.
 */
function linkOf(file: string): string {
  if (file.startsWith('/')) return `<${file}>; rel=preload; as=fetch; crossorigin`;
  if (file.endsWith('.js')) return `</${file}>; rel=modulepreload`;
  if (file.endsWith('.css')) return `</${file}>; rel=preload; as=style; crossorigin`;
  return `</${file}>; rel=preload; as=font; type="font/woff2"; crossorigin`;
}
