import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const SOURCE = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(SOURCE, file), 'utf8');
const styles = globSync('**/*.css', { cwd: SOURCE }).map((file) => ({ file, text: read(file) }));
const components = globSync('**/*.tsx', { cwd: SOURCE }).map((file) => ({ file, text: read(file) }));

/** Returns a line for each declaration of a property whose value is not among the allowed ones. */
function offences(property: RegExp, allowed: RegExp): string[] {
  return styles.flatMap(({ file, text }) =>
    [...text.matchAll(new RegExp(`(?:^|[\\s;{])(${property.source}):\\s*([^;}]*)`, 'gm'))]
      .filter(([, , value = '']) => !allowed.test(value.trim()))
      .map(([, name, value]) => `${file}: ${name}: ${value}`),
  );
}

describe('the look', () => {
  it('has a slashed zero and no ligatures wherever the font of data is', () => {
    const blocks = styles.flatMap(({ file, text }) =>
      [...text.matchAll(/([^{}]*)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({ file, selector, body })),
    );
    const missed = blocks
      .filter(({ selector, body }) => body.includes('var(--font-data)') && !selector.includes('@font-face'))
      .filter(
        ({ body }) =>
          !/font(?:-family)?: [^;]*var\(--font-data\).*font-feature-settings: var\(--features-data\)/s.test(body),
      );
    assert.deepEqual(
      missed.map(({ file, selector }) => `${file}: ${selector.trim()}`),
      [],
    );
    const editor = read('features/query/editor/editor-theme.ts');
    assert.equal(editor.split('--font-data').length, editor.split('--features-data').length);
  });

  it('has the sizes of the tokens alone', () => {
    const size = /^(?:inherit|var\(--size-[\w-]+\)|(?:11|12|13|16|20)px)$/;
    assert.deepEqual(offences(/font-size/, size), []);
    const font =
      /^(?:inherit|(?:\d+ )?(?:var\(--size-[\w-]+\)|(?:11|12|13|16)px) \/ (?:var\(--line-[\w-]+\)|1|\d+px) var\(--font-\w+\))$/;
    assert.deepEqual(offences(/font/, font), []);
  });

  it('has one radius, but for circles and a switch', () => {
    assert.deepEqual(offences(/border-radius/, /^(?:0|50%|8px|var\(--radius\))$/), []);
  });

  it('has icons of 16 pixels, but for the tick in its box', () => {
    const others = components.flatMap(({ file, text }) =>
      [...text.matchAll(/ size=\{(\d+)\}/g)].filter(([, size]) => size !== '16').map(([use]) => `${file}:${use}`),
    );
    assert.deepEqual(others, ['design/forms/choices/checkbox.tsx: size={14}']);
  });
});
