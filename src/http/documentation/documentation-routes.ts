import { posix } from 'node:path';
import type { RouteModule } from '../route-access.ts';
import type { RouteList } from '../route-list.ts';
import { type OpenApiDependencies, type OpenApiDocument, openApiDocument } from './openapi.ts';

export interface DocumentationDependencies extends Omit<OpenApiDependencies, 'routes'> {
  readonly routes: RouteList;
  /** Default: those of the alert service. */
  readonly paths?: DocumentationPaths;
}

/** Paths of the documentation, which differ between the public systems. */
export interface DocumentationPaths {
  readonly document: string;
  readonly page: string;
  readonly script: string;
}

const USUAL_PATHS: DocumentationPaths = {
  document: '/api/apispec_v1.json',
  page: '/api/docs',
  script: '/api/docs/reference.js',
};

/** Serves the OpenAPI document and a page for it without other hosts, both made at the first request. */
export const documentationRoutes =
  (dependencies: DocumentationDependencies): RouteModule =>
  (app) => {
    const { paths = USUAL_PATHS } = dependencies;
    let document: OpenApiDocument | undefined;
    let script: Promise<string> | undefined;

    app.get(paths.document, open('This document'), async () => {
      document ??= openApiDocument({ ...dependencies, routes: dependencies.routes.all });
      return document;
    });

    app.get(paths.page, open('Page to read and try the interface'), async ({ path }, reply) => {
      // Relative addresses, so that the page also works below the prefix of a proxy.
      const base = path.endsWith('/') ? '../' : '';
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', PAGE_POLICY)
        .send(referencePage(dependencies.title, base, paths));
    });

    app.get(paths.script, open('Script of that page'), async (_request, reply) => {
      script ??= loadReferenceScript();
      return reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'public, max-age=86400')
        .send(await script);
    });
  };

function open(summary: string) {
  return { access: 'public', envelope: false, schema: { tags: ['documentation'], summary } } as const;
}

/** Prevents the script of the page from loading anything from other hosts. */
const PAGE_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'";

const REFERENCE_OPTIONS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
};

function referencePage(title: string, base: string, { page, document, script }: DocumentationPaths): string {
  const folder = posix.dirname(page);
  const options = { url: `${base}${posix.relative(folder, document)}`, ...REFERENCE_OPTIONS };
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body>
<script id="api-reference" data-url="${options.url}" data-configuration='${JSON.stringify(options)}'></script>
<script src="${base}${posix.relative(folder, script)}"></script>
</body>
</html>
`;
}

/** Loads the script from a server that does not listen: the package serves it only through its plugin. */
async function loadReferenceScript(): Promise<string> {
  const [{ fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const server = fastify();
  server.register(reference, { routePrefix: '/', configuration: { url: '/unused' } });
  const answer = await server.inject('/js/scalar.js');
  await server.close();
  if (answer.statusCode !== 200)
    throw new Error(`the script of the documentation page cannot be had: ${answer.statusCode}`);
  return answer.body;
}
