import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

const SOURCE = join(import.meta.dirname, '..', 'src');
const PORTS = ['datastore', 'coordination', 'file-storage'];
const SERVICES = ['alerts', 'analysis', 'enrichment'];
const SERVICE_MAY = [
  ...PORTS,
  'documents',
  'classification',
  'config',
  'identity',
  'http',
  'input',
  'json',
  'schema',
  'errors',
];

/** Folder → folders that it may import from, besides itself. Files directly in `src` stand under their name. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  json: [],
  'garbage-collection': [],
  input: [],
  schema: [],
  documents: ['json', 'errors', 'classification', 'schema'],
  config: ['input', 'schema', 'errors'],
  classification: ['input', 'errors'],
  datastore: ['documents', 'garbage-collection', 'json', 'errors'],
  coordination: ['documents', 'json', 'errors'],
  'file-storage': ['documents', 'errors'],
  identity: [...PORTS, 'documents', 'classification', 'config', 'errors'],
  http: ['identity', 'config', 'input', 'json', 'errors'],
  alerts: SERVICE_MAY,
  analysis: SERVICE_MAY,
  enrichment: SERVICE_MAY,
  migrations: [...PORTS, 'documents', 'config', 'errors'],
  jobs: [...PORTS, 'documents', 'config', 'errors'],
  demo: [...PORTS, 'documents', 'classification', 'config', 'identity', 'alerts', 'errors'],
  composition: [...PORTS, 'documents', 'classification', 'config', 'identity', 'input', 'errors'],
  program: [
    'composition',
    ...PORTS,
    ...SERVICES,
    'documents',
    'classification',
    'config',
    'identity',
    'http',
    'migrations',
    'jobs',
    'demo',
    'json',
    'errors',
  ],
  cli: ['program', 'composition', 'config', 'garbage-collection', 'migrations', 'errors'],
  main: ['cli', 'program', 'config', 'errors'],
};

/** Folders that only `composition` (and what is inside them) may import: the adapters of the ports. */
const ADAPTERS = [
  'datastore/embedded',
  'datastore/elasticsearch',
  'coordination/embedded',
  'coordination/redis',
  'file-storage/local',
  'file-storage/s3',
];

/** Package, or its scope with a slash → where it may be imported. */
const VENDORS: Readonly<Record<string, readonly string[]>> = {
  '@duckdb/': ['datastore/embedded'],
  'node:sqlite': ['datastore/embedded', 'coordination/embedded'],
  '@elastic/': ['datastore/elasticsearch'],
  '@opensearch-project/': ['datastore/elasticsearch'],
  ioredis: ['coordination/redis'],
  '@aws-sdk/': ['file-storage/s3'],
  '@node-rs/': ['identity'],
  'prom-client': ['http'],
  'rotating-file-stream': ['identity'],
  '@clack/prompts': ['cli'],
  'cli-progress': ['cli'],
};

interface Import {
  /** From `src`, `http/guard.ts`. */
  readonly file: string;
  readonly line: number;
  /** From `src` for our own files, else the package. */
  readonly target: string;
  readonly own: boolean;
  /** Gone when it runs. */
  readonly typeOnly: boolean;
}

const files = globSync('**/*.ts', { cwd: SOURCE }).map((file) => file.replaceAll('\\', '/'));
const production = files.filter((file) => !isTestCode(file));
const imports = production.flatMap(importsOf);

describe('who may import whom', () => {
  it('keeps folders to the folders below them', () => {
    refuse((given) => {
      if (!given.own) return undefined;
      const from = folderOf(given.file);
      const to = folderOf(given.target);
      if (from === to || to === 'testing') return undefined;
      const allowed = MAY_IMPORT[from];
      if (allowed === undefined) return `${from} has no rule in test/architecture.test.ts`;
      return allowed.includes(to) ? undefined : `${from} may only import ${allowed.join(', ') || 'nothing of ours'}`;
    });
  });

  it('lets only the composition root know adapters', () => {
    refuse(({ file, target }) => {
      const adapter = ADAPTERS.find((folder) => target.startsWith(`${folder}/`));
      if (adapter === undefined || file.startsWith(`${adapter}/`) || file.startsWith('composition/')) return undefined;
      return `${adapter} is an adapter: only composition imports it`;
    });
  });

  it('keeps the client of each vendor in its adapter', () => {
    refuse(({ file, target, own }) => {
      if (own) return undefined;
      const vendor = Object.keys(VENDORS).find((name) =>
        name.endsWith('/') ? target.startsWith(name) : target === name,
      );
      const homes = vendor === undefined ? undefined : VENDORS[vendor];
      if (homes === undefined || homes.some((home) => file.startsWith(`${home}/`))) return undefined;
      return `${target} belongs to ${homes.join(' and ')}`;
    });
  });

  it('keeps Fastify to routes, servers, guards and http', () => {
    refuse(({ file, target, own }) => {
      if (own || !(target === 'fastify' || target.startsWith('@fastify/') || target.startsWith('@scalar/')))
        return undefined;
      return /-(routes|server|guard)\.ts$/.test(file) || file.startsWith('http/')
        ? undefined
        : 'only *-routes.ts, *-server.ts, *-guard.ts and http/ know Fastify';
    });
  });

  it('goes from routes to services to ports inside a resource', () => {
    refuse(({ file, target, own, typeOnly }) => {
      if (!own || typeOnly) return undefined;
      if (file.endsWith('-service.ts') && (target.endsWith('-routes.ts') || target.startsWith('http/')))
        return 'a service knows no HTTP';
      // Reading a query is reading input; it reaches no data.
      const reachesData = target.startsWith('datastore/') && !target.startsWith('datastore/query-language/');
      if (file.endsWith('-routes.ts') && reachesData) return 'routes reach the datastore through a service';
      return undefined;
    });
  });

  it('lets only tests and conformance suites use src/testing', () => {
    refuse(({ target }) => (target.startsWith('testing/') ? 'only tests import src/testing' : undefined));
  });
});

describe('what only main.ts does', () => {
  it('reads the environment and ends the process', () => {
    const offences = production
      .filter((file) => file !== 'main.ts')
      .flatMap((file) =>
        linesOf(file).flatMap((text, index) =>
          /\bprocess\s*\.\s*(env|exit|exitCode)\b/.test(text) && !/^\s*(\*|\/\/)/.test(text)
            ? [`src/${file}:${index + 1}: ${text.trim()}`]
            : [],
        ),
      );
    assert.deepEqual(offences, []);
  });
});

/** Tests, and what only they use: conformance suites with their broken adapters, builders. */
function isTestCode(file: string): boolean {
  return (
    file.endsWith('.test.ts') ||
    file.startsWith('testing/') ||
    file.includes('/conformance/') ||
    /\/conformance-[a-z-]+\.ts$/.test(file)
  );
}

function folderOf(file: string): string {
  const slash = file.indexOf('/');
  return slash === -1 ? file.replace(/\.ts$/, '') : file.slice(0, slash);
}

function linesOf(file: string): string[] {
  return readFileSync(join(SOURCE, file), 'utf8').split('\n');
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\b[^;'"`]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    const own = name.startsWith('.');
    return {
      file,
      line: text.slice(0, match.index + match[0].length).split('\n').length,
      target: own ? relative(SOURCE, join(SOURCE, dirname(file), name)).replaceAll('\\', '/') : name,
      own,
      typeOnly: /^(import|export)\s+type\b/.test(match[0]),
    };
  });
}

function refuse(reasonAgainst: (given: Import) => string | undefined): void {
  const offences = imports.flatMap((given) => {
    const reason = reasonAgainst(given);
    return reason === undefined ? [] : [`src/${given.file}:${given.line} imports ${given.target}: ${reason}`];
  });
  assert.ok(offences.length === 0, `\n${offences.join('\n')}`);
}
