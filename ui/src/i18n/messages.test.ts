import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { en } from './en/index.ts';
import { fr } from './fr/index.ts';

const SOURCE = join(import.meta.dirname, '..');
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

interface Tree {
  readonly [key: string]: string | Tree;
}

function leavesOf(tree: Tree, prefix = ''): Map<string, string> {
  const leaves = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') leaves.set(prefix + key, value);
    else for (const [path, text] of leavesOf(value, `${prefix}${key}.`)) leaves.set(path, text);
  }
  return leaves;
}

const variablesOf = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort();

describe('messages', () => {
  const [english, french] = [leavesOf(en), leavesOf(fr)];

  it('have the same variables in both languages', () => {
    for (const [path, text] of english) assert.deepEqual(variablesOf(french.get(path) ?? ''), variablesOf(text), path);
  });

  it('are filled in both languages', () => {
    const empty = [...english, ...french].filter(([, text]) => text.trim() === '').map(([path]) => path);
    assert.deepEqual(empty, []);
  });

  it('are used', () => {
    const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).filter(
      (file) => !/^(?:i18n|api\/generated)\/|\.test\.ts$/.test(file),
    );
    const source = files.map((file) => readFileSync(join(SOURCE, file), 'utf8')).join('\n');
    const strings = new Set([...source.matchAll(/(['`])([\w. -]+)\1/g)].map(([, , path]) => path));
    // `keys.commands.${id}` uses every key below; the type of the variable says which ones there are.
    const patterns = [...source.matchAll(/`((?:[\w.]|\$\{[^`{}]*(?:\{[^`{}]*\})?[^`{}]*\})*)`/g)]
      .map(([, template = '']) => template)
      .filter((template) => /^[a-z]\w*\./i.test(template) && template.includes('${'))
      .map((template) => new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '[\\w. -]+')}$`));
    const isUsed = (path: string) => strings.has(path) || patterns.some((pattern) => pattern.test(path));
    const unused = [...english.keys()].filter((path) => !isUsed(path) && !isUsed(path.replace(PLURAL, '')));
    assert.deepEqual(unused, []);
  });
});
