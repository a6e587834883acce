import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { HelpTexts } from './help-texts.ts';

describe('HelpTexts', () => {
  const outer = mkdtempSync(join(tmpdir(), 'triad-help-'));
  after(() => rmSync(outer, { recursive: true }));
  const folder = join(outer, 'docs');
  mkdirSync(join(folder, 'api'), { recursive: true });
  mkdirSync(join(outer, 'docs-of-others'));
  writeFileSync(join(outer, 'secret.md'), 'secret');
  writeFileSync(join(outer, 'docs-of-others', 'secret.md'), 'secret');
  writeFileSync(join(folder, 'alpha-docs.md'), '# Alpha');
  writeFileSync(join(folder, 'guide.md'), '# Guide');
  writeFileSync(join(folder, 'api', 'plain.txt'), 'plain');
  writeFileSync(join(folder, 'large.md'), 'x'.repeat(1_000_001));
  symlinkSync(join(outer, 'secret.md'), join(folder, 'link.md'));
  symlinkSync(outer, join(folder, 'above'));
  const texts = new HelpTexts(folder);

  it('has the files of the folder and those in it, by their names', async () => {
    assert.deepEqual(await texts.all(''), { 'alpha-docs.md': '# Alpha', 'guide.md': '# Guide', 'plain.txt': 'plain' });
    assert.deepEqual(await texts.all('-docs'), { 'alpha-docs.md': '# Alpha' });
    assert.deepEqual(await texts.all('nothing'), {});
  });

  it('gives one by its path, also without .md', async () => {
    for (const name of ['guide.md', 'guide', 'api/../guide.md']) assert.equal(await texts.one(name), '# Guide');
    assert.equal(await texts.one('api/plain.txt'), 'plain');
  });

  const outside = [
    '../secret.md',
    '../secret',
    'api/../../secret.md',
    '../docs-of-others/secret.md',
    join(outer, 'secret.md'),
    'link.md',
    'above/secret.md',
    'api',
    'large.md',
    'nothing.md',
    '',
    '.',
    '..',
    'guide.md\0',
  ];
  for (const name of outside) {
    it(`has no ${JSON.stringify(name)}`, async () => {
      await assert.rejects(texts.one(name), { code: 'help_text_missing' });
    });
  }

  it('has none without a folder', async () => {
    for (const none of [new HelpTexts(null), new HelpTexts(join(outer, 'missing'))]) {
      assert.deepEqual(await none.all(''), {});
      await assert.rejects(none.one('guide.md'), { code: 'help_text_missing' });
    }
  });
});
