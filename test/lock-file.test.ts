import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

/**
 * Protects `npm ci`: npm leaves out packages that its registry does not offer, and then refuses the
 * file.
 */
it('locks the packages of every platform, not only of the one that wrote the file', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as LockFile;
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => lock.packages[`node_modules/${name}`] === undefined)
      .map((name) => `${name} of ${path}`),
  );
  assert.deepEqual(missing, []);
});
