import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openApiTexts } from '../src/testing/openapi-texts.ts';

it('docs/openapi says what the program says', async () => {
  for (const [name, text] of Object.entries(await openApiTexts())) {
    const committed = readFileSync(join(import.meta.dirname, '..', 'docs', 'openapi', name), 'utf8');
    assert.ok(committed === text, `docs/openapi/${name} differs: run "npm run openapi" and look at the difference`);
  }
});
