import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { ANALYSIS_STATUSES } from '../src/analysis/operations/analysis-envelope.ts';
import { COMMANDS } from '../src/cli/run-command-line.ts';
import { ENRICHMENT_STATUSES } from '../src/enrichment/enrichment-server.ts';
import { MIGRATIONS } from '../src/migrations/registry.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Error classes and the status that docs/errors.md has to give for them. */
const STATUS: Readonly<Record<string, number>> = {
  InvalidInput: 400,
  RefusedQuery: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  TooLarge: 413,
  TooManyRequests: 429,
  Unsupported: 501,
  Unavailable: 503,
  UpstreamFailed: 502,
  UpstreamTimedOut: 504,
};

/**
 * Every `new SomeError('code'`, `new HttpRefusal(status, 'code'` and `status: …, code: '…'` of the
 * source: code → its statuses, with
 * those that a service has of its own.
 */
function codesOfSource(): Map<string, Set<number>> {
  const codes = new Map<string, Set<number>>();
  const thrown = new RegExp(`new (${Object.keys(STATUS).join('|')})\\(\\s*'([a-z0-9_]+)'`, 'g');
  const answered = /(?:new HttpRefusal\(\s*(\d+),|status: (\d+),\s*code:)\s*'([a-z0-9_]+)'/g;
  const add = (code: string, status: number) => codes.set(code, (codes.get(code) ?? new Set()).add(status));
  for (const file of globSync('src/**/*.ts', { cwd: ROOT })) {
    if (file.endsWith('.test.ts') || /(^|\/)(testing|conformance)\//.test(file)) continue;
    for (const [, name, code] of read(file).matchAll(thrown)) {
      if (name === undefined || code === undefined) continue;
      const isOfEnrichment = ENRICHMENT_STATUSES[code] !== undefined;
      const own = ANALYSIS_STATUSES[code] ?? ENRICHMENT_STATUSES[code];
      // What only one service throws has its status there alone.
      if (own !== undefined) add(code, own);
      const service = isOfEnrichment ? 'src/enrichment/' : 'src/analysis/';
      if (own === undefined || !file.startsWith(service)) add(code, STATUS[name] ?? 0);
    }
    for (const [, refused, told, code] of read(file).matchAll(answered)) {
      if (code !== undefined) add(code, Number(refused ?? told));
    }
  }
  return codes;
}

/** Rows `| code | status | meaning |` of docs/errors.md; a code may have several statuses: `400, 404`. */
function codesOfDocs(): Map<string, Set<number>> {
  const rows = read('docs/errors.md').matchAll(/^\| `([a-z0-9_]+)` \| ([\d, ]+) \| (.+) \|$/gm);
  return new Map([...rows].map(([, code, statuses]) => [code ?? '', new Set((statuses ?? '').split(',').map(Number))]));
}

describe('documentation parity', () => {
  it('docs/errors.md lists exactly the error codes of the source, with their statuses', () => {
    const source = codesOfSource();
    const docs = codesOfDocs();
    const show = (codes: Map<string, Set<number>>) =>
      Object.fromEntries([...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, set]) => [code, [...set].sort()]));
    assert.ok(source.size > 20, 'the source has fewer error codes than anyone would believe');
    assert.deepEqual(show(docs), show(source));
  });

  it('docs/errors.md says what each code means', () => {
    const rows = read('docs/errors.md').matchAll(/^\| `([a-z0-9_]+)` \| [\d, ]+ \| (.*) \|$/gm);
    const unexplained = [...rows].filter(([, , meaning = '']) => meaning.length < 15).map(([, code]) => code);
    assert.deepEqual(unexplained, []);
  });

  it('docs/migrations.md lists exactly the migrations, in their order', () => {
    const rows = read('docs/migrations.md').matchAll(/^\| `([a-z0-9]+(?:-[a-z0-9]+)*)` \| .+ \| .+ \|$/gm);
    assert.deepEqual(
      [...rows].map(([, id]) => id),
      MIGRATIONS.map(({ id }) => id),
    );
  });

  it('every flag of a command stands in a table of flags, and every flag of these tables exists', () => {
    const rows = globSync('docs/*.md', { cwd: ROOT }).flatMap((file) => [
      ...read(file).matchAll(/^\| `--([a-z0-9-]+)/gm),
    ]);
    const documented = new Set(rows.map(([, flag]) => flag ?? ''));
    const existing = new Set(COMMANDS.flatMap(({ flags }) => Object.keys(flags)));
    assert.deepEqual([...documented].sort(), [...existing].sort());
  });

  it('docs/migrations.md has exactly the flags of the command migrate', () => {
    const rows = read('docs/migrations.md').matchAll(/^\| `--([a-z0-9-]+)/gm);
    const migrate = COMMANDS.find(({ name }) => name === 'migrate');
    assert.deepEqual(
      [...rows].map(([, flag]) => flag),
      Object.keys(migrate?.flags ?? {}),
    );
  });

  it('relative links in the documents lead somewhere', () => {
    for (const file of globSync(['*.md', join('docs', '**', '*.md'), join('test', '**', '*.md')], { cwd: ROOT })) {
      for (const [, target] of read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)(?:#[^)]*)?\)/g)) {
        const path = join(ROOT, dirname(file), target ?? '');
        assert.ok(existsSync(path), `${file} links to ${relative(ROOT, path)}, which is not there`);
      }
    }
  });

  it('docs/decisions/README.md lists exactly the records, in their order, by their titles', () => {
    const rows = read('docs/decisions/README.md').matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$/gm);
    const titles = globSync('[0-9]*.md', { cwd: join(ROOT, 'docs/decisions') })
      .sort()
      .map((file) => [file, /^# (.+)$/m.exec(read(`docs/decisions/${file}`))?.[1]]);
    assert.deepEqual(
      [...rows].map(([, number, file, title]) => [file, `${number} ${title}`]),
      titles,
    );
  });

  it('every npm script that the documents name exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const file of globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })) {
      for (const [, name] of read(file).matchAll(/npm (?:run )?(start|test|run [a-z]+)\b/g)) {
        const script = name?.replace(/^run /, '') ?? '';
        assert.ok(script in scripts, `${file} names "npm run ${script}", which package.json does not have`);
      }
    }
  });
});
