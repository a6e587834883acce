import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openApiTexts } from '../src/testing/openapi-texts.ts';

it('docs/openapi says what the program says', async () => {
  for (const [name, text] of Object.entries(await openApiTexts())) {
    const committed = readFileSync(join(import.meta.dirname, '..', 'docs', 'openapi', name), 'utf8');
    assert.ok(committed === text, `docs/openapi/${name} differs: run "npm run openapi" and look at the difference`);
  }
});

interface Conversation {
  readonly steps: readonly {
    /** Absent from steps of websockets, as is the response. */
    readonly request?: { readonly method: string; readonly path: string };
    readonly response?: { readonly status: number };
    readonly check?: boolean;
    /** The public system misbehaves here. */
    readonly accident?: unknown;
  }[];
}

it('docs/openapi documents the statuses that were recorded', () => {
  const folder = join(import.meta.dirname, '..');
  for (const service of ['alerts', 'analysis']) assert.deepEqual(undocumentedStatuses(folder, service), []);
});

function undocumentedStatuses(folder: string, service: string): readonly string[] {
  const { paths } = JSON.parse(readFileSync(join(folder, `docs/openapi/${service}.json`), 'utf8')) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const operations = Object.entries(paths)
    // Paths without parameters first: they win.
    .sort(([left], [right]) => left.split('{').length - right.split('{').length)
    .map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
      methods,
    }));
  const folders = service === 'alerts' ? ['alerts', 'sockets'] : [service];
  const undocumented = new Set<string>();
  for (const file of globSync(
    folders.map((name) => `test/golden/${name}/*.json`),
    { cwd: folder },
  )) {
    const { steps } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Conversation;
    for (const { request, response, check, accident } of steps) {
      if (request === undefined || response === undefined) continue;
      const { method } = request;
      const path = request.path.split('?')[0] ?? '';
      // A redirection of a path with empty segments is not a matter of the route.
      const { status } = response;
      if (check === false || accident !== undefined || status === 308 || !/^\/(api\/v|socket\/)/.test(path)) continue;
      const methods = operations.find(({ pattern }) => pattern.test(path))?.methods;
      const operation = methods?.[method.toLowerCase()];
      if (operation !== undefined && !(status in operation.responses)) {
        undocumented.add(`${method} ${path}: ${status}`);
      }
    }
  }
  return [...undocumented].sort();
}
