import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';

const SOURCE = join(import.meta.dirname, '..', 'src');
const PAGES = join(import.meta.dirname, '..', 'ui', 'src');
const PORTS = ['datastore', 'coordination', 'file-storage'];
const SERVICES = ['alerts', 'analysis', 'enrichment'];
const SERVICE_MAY = [
  ...PORTS,
  'search',
  'attack',
  'documents',
  'classification',
  'config',
  'identity',
  'http',
  'indicators',
  'input',
  'json',
  'threads',
  'errors',
];

/**
 * Folder → folders that it may import from, in addition to itself.
 * Files in `src` itself have their own name.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  attack: [],
  json: ['errors'],
  'garbage-collection': [],
  indicators: [],
  input: ['json'],
  threads: ['errors'],
  documents: ['json', 'errors', 'classification'],
  config: ['input', 'errors'],
  classification: ['input', 'errors'],
  datastore: ['documents', 'garbage-collection', 'json', 'errors'],
  coordination: ['documents', 'json', 'errors'],
  'file-storage': ['documents', 'errors'],
  identity: [...PORTS, 'documents', 'classification', 'config', 'errors'],
  search: ['datastore', 'coordination', 'documents', 'identity', 'input', 'errors'],
  http: ['identity', 'config', 'input', 'json', 'errors'],
  alerts: [...SERVICE_MAY, 'jobs'],
  analysis: [...SERVICE_MAY, 'jobs'],
  enrichment: [...SERVICE_MAY, 'jobs'],
  web: [...PORTS, 'documents', 'config', 'identity', 'http', 'input', 'json', 'errors'],
  migrations: [...PORTS, 'documents', 'config', 'errors'],
  jobs: [...PORTS, 'documents', 'config', 'errors'],
  operations: [
    ...PORTS,
    'documents',
    'classification',
    'config',
    'identity',
    'http',
    'input',
    'jobs',
    'migrations',
    'errors',
  ],
  demo: [...PORTS, 'documents', 'classification', 'config', 'identity', 'alerts', 'errors'],
  composition: [...PORTS, 'documents', 'classification', 'config', 'identity', 'input', 'errors'],
  program: [
    'composition',
    ...PORTS,
    ...SERVICES,
    'operations',
    'web',
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
  cli: [
    'program',
    'composition',
    'analysis',
    'enrichment',
    'config',
    'garbage-collection',
    'jobs',
    'migrations',
    'errors',
  ],
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
  'node:sqlite': ['datastore/embedded', 'coordination/embedded', 'enrichment/lists'],
  '@elastic/': ['datastore/elasticsearch'],
  '@opensearch-project/': ['datastore/elasticsearch'],
  croner: ['config'],
  ioredis: ['coordination/redis'],
  '@aws-sdk/': ['file-storage/s3'],
  '@node-rs/': ['identity'],
  'prom-client': ['http'],
  '@fastify/websocket': ['http'],
  'socket.io': ['analysis/live'],
  'rotating-file-stream': ['identity'],
  '@clack/prompts': ['cli'],
  'cli-progress': ['cli'],
};

interface Import {
  /** From `src` (or `ui/src`), `http/guard.ts`. */
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
const imports = production.flatMap((file) => importsOf(file));

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

  it('has rules for folders that exist', () => {
    const folders = new Set(production.map(folderOf));
    const named = [...Object.keys(MAY_IMPORT), ...Object.values(MAY_IMPORT).flat()];
    assert.deepEqual(
      named.filter((name) => !folders.has(name)),
      [],
    );
  });

  it('lets only tests and conformance suites use src/testing', () => {
    refuse(({ target }) => (target.startsWith('testing/') ? 'only tests import src/testing' : undefined));
  });
});

describe('folders of a service', () => {
  it('import no other folder in a circle, at any depth', () => {
    const edges = new Map<string, Set<string>>();
    for (const { file, target } of imports.filter(({ own }) => own)) {
      const [from, to] = [file.split('/'), target.split('/')];
      const shared = from.findIndex((part, index) => part !== to[index]);
      // Files directly in the parent folder compose its subfolders.
      if (shared === -1 || from.length - 1 <= shared || to.length - 1 <= shared) continue;
      link(edges, from.slice(0, shared + 1).join('/'), to.slice(0, shared + 1).join('/'));
    }
    assert.deepEqual(circles(edges), []);
  });

  it('have no circle of files', () => {
    const edges = new Map<string, Set<string>>();
    for (const { file, target } of imports.filter(({ own }) => own)) link(edges, file, target);
    assert.deepEqual(circles(edges), []);
  });

  it('keep HTTP out of use cases', () => {
    refuse(({ file, target, own, typeOnly }) => {
      if (!own || typeOnly || !target.startsWith('http/') || !isInFeature(file) || TRANSPORT.test(file))
        return undefined;
      return 'a use case knows no HTTP: only routes, schemas, guards and resources do';
    });
  });

  it('offer their routes and schemas to routes and resources alone', () => {
    refuse(({ file, target, own }) => {
      if (!own || !TRANSPORT.test(target) || !isInFeature(file) || TRANSPORT.test(file)) return undefined;
      return featureOf(file) === featureOf(target)
        ? undefined
        : 'features use the services of others, not their routes';
    });
  });

  it('reach into folders of other features only for what those offer', () => {
    const offered = new Set(
      imports
        .filter(({ file, target }) => file.split('/').length === 3 && featureOf(file) === featureOf(target))
        .map(({ target }) => target),
    );
    refuse(({ file, target, own }) => {
      if (!own || !isInFeature(file) || !isInFeature(target) || folderOf(file) !== folderOf(target)) return undefined;
      if (featureOf(file) === featureOf(target) || target.split('/').length === 3 || offered.has(target))
        return undefined;
      return `no file directly in ${featureOf(target)} uses it: it is internal there`;
    });
  });
});

/** Folders of `src` that pages run: what they import at run time has to exist in a browser. */
const SHARED_WITH_PAGES = ['datastore/query-language', 'datastore/regular-language', 'classification'];
/** Packages without Node modules, in the form that a browser loads. */
const RUN_IN_BROWSERS = ['typebox', 'yaml', 'lru-cache'];

describe('the web interface', () => {
  const pages = globSync('**/*.{ts,tsx}', { cwd: PAGES })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => importsOf(file, PAGES));

  it('imports of the program only the query language and the classification engine', () => {
    const offences = pages.flatMap(({ file, line, target, own, typeOnly }) => {
      if (!own || !target.startsWith('../')) return [];
      const imported = relative(SOURCE, join(PAGES, target)).replaceAll('\\', '/');
      const allowed = [...SHARED_WITH_PAGES, ...(typeOnly ? ['documents/schema'] : [])];
      return allowed.some((folder) => imported.startsWith(`${folder}/`))
        ? []
        : [`ui/src/${file}:${line} imports ${imported}`];
    });
    assert.deepEqual(offences, []);
  });

  it('imports Node modules nowhere', () => {
    const offences = pages.filter(({ target }) => isBuiltin(target));
    assert.deepEqual(offences, []);
  });

  it('finds no Node module in what it imports of the program, at any depth', () => {
    const reached = new Set(
      production.filter((file) => SHARED_WITH_PAGES.some((folder) => file.startsWith(`${folder}/`))),
    );
    const offences: string[] = [];
    // A set that grows while it is read: what was added is visited too.
    for (const file of reached) {
      for (const { line, target, own, typeOnly } of imports.filter((given) => given.file === file)) {
        if (typeOnly) continue;
        if (own) reached.add(target);
        else if (!RUN_IN_BROWSERS.includes(target)) offences.push(`src/${file}:${line} imports ${target}`);
      }
    }
    assert.deepEqual(offences, []);
    assert.ok(reached.size > 20);
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

/** Files of a feature that speak HTTP. */
const TRANSPORT = /-(routes|schemas|server|guard|resource|operation)\.ts$/;

/** Returns the folder of a service that a file lies in, `alerts/hits`. */
function featureOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function isInFeature(file: string): boolean {
  return SERVICES.includes(folderOf(file)) && file.split('/').length > 2;
}

function link(edges: Map<string, Set<string>>, from: string, to: string): void {
  edges.set(from, (edges.get(from) ?? new Set()).add(to));
}

/** Returns the strongly connected groups of more than one node. */
function circles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reach = (start: string) => {
    const seen = new Set<string>();
    for (const queue = [start]; queue.length > 0; ) {
      for (const next of edges.get(queue.pop() ?? '') ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    }
    return seen;
  };
  const reached = new Map([...edges.keys()].map((node) => [node, reach(node)]));
  const groups = [...reached].flatMap(([node, nodes]) => {
    if (!nodes.has(node)) return [];
    const group = [...nodes].filter((other) => reached.get(other)?.has(node));
    return group.length > 1 ? [group.sort().join(' and ')] : [];
  });
  return [...new Set(groups)];
}

function linesOf(file: string): string[] {
  return readFileSync(join(SOURCE, file), 'utf8').split('\n');
}

function importsOf(file: string, root = SOURCE): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\b[^;'"`]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    const own = name.startsWith('.');
    return {
      file,
      line: text.slice(0, match.index + match[0].length).split('\n').length,
      target: own ? relative(root, join(root, dirname(file), name)).replaceAll('\\', '/') : name,
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
