import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

// Node does not load TSX, which the routes import: their sources are read instead.
const SOURCE = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(SOURCE, file), 'utf8');

const routeFiles = globSync('**/{routes,*-routes}.ts', { cwd: join(SOURCE, 'features') });
const paths = routeFiles.flatMap((file) => stringsOf(read(join('features', file)), /^ +path: '(?<string>[^']*)'/gm));
const rail = stringsOf(read('shell/rail-entries.ts'), /\bto: '(?<string>[^']*)'/g);

describe('the routes', () => {
  it('have paths that differ', () => {
    assert.ok(paths.length >= 15, paths.join(' '));
    assert.deepEqual(repeated(paths), []);
  });

  it('of every feature are in the tuple once', () => {
    const spread = stringsOf(read('features/feature-routes.ts'), /^ +\.\.\.(?<string>\w+),/gm);
    const imported = stringsOf(read('features/feature-routes.ts'), /from '\.\/(?<string>[\w-]+)\/routes\.ts'/g);
    const features = globSync('features/*/routes.ts', { cwd: SOURCE }).map((file) => file.split(/[\\/]/)[1] ?? '');
    assert.deepEqual(imported.toSorted(), features.toSorted());
    assert.deepEqual(repeated(spread), []);
    assert.equal(spread.length, imported.length);
  });
});

describe('the entries of the rail', () => {
  it('differ, and lead to pages that are there', () => {
    assert.ok(rail.length >= 10, rail.join(' '));
    assert.deepEqual(repeated(rail), []);
    assert.deepEqual(
      rail.filter((path) => !paths.includes(path)),
      [],
    );
  });
});

function stringsOf(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].map(({ groups }) => groups?.string ?? '');
}

function repeated(strings: readonly string[]): string[] {
  return strings.filter((string, index) => strings.indexOf(string) !== index);
}
