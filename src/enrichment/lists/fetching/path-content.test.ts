import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { mispEvent, openListUpdates, uuidOf } from '../../../testing/enrichment/list-content.ts';
import { NEVER_ABORTED } from '../../../testing/enrichment/never-aborted.ts';
import { listSettingsOf } from '../../../testing/enrichment/read-list-text.ts';
import { openListContent } from './open-list-content.ts';

describe('lists at a path', () => {
  it('are read when they changed', async (context) => {
    const { folder, update } = openListUpdates(context);
    const path = join(folder, 'list.txt.gz');
    await writeFile(path, gzipSync('a.example\nb.example\n'));
    const first = await update({ path });
    assert.deepEqual(first.values, ['a.example', 'b.example']);
    assert.deepEqual(
      first.progress.at(-1),
      first.progress.at(-1)?.map(() => first.progress.at(-1)?.[1]),
    );
    assert.deepEqual((await update({ path }, first.version)).values, undefined);
    await writeFile(path, gzipSync('c.example\n'));
    assert.deepEqual((await update({ path }, first.version)).values, ['c.example']);
  });

  it('are refused when they are missing, no file, or change meanwhile', async (context) => {
    const { folder, update } = openListUpdates(context);
    const path = join(folder, 'list.txt');
    await assert.rejects(update({ path }), { name: 'ListProblem', message: `${path}: it cannot be read (ENOENT).` });
    await assert.rejects(update({ path: folder }), { message: `${folder}: it is not a file.` });
    await writeFile(path, 'a.example\n'.repeat(100_000));
    const content = await openListContent(listSettingsOf({ path }), undefined, {
      signal: NEVER_ABORTED,
      folder,
      progress: () => undefined,
    });
    assert.ok(content.changed);
    const read = async () => {
      for await (const { bytes } of content.documents)
        for await (const _ of bytes) await appendFile(path, 'b.example\n');
    };
    await assert.rejects(read(), { message: `${path}: it changed while it was read.` });
  });

  it('may be the folder of a feed of MISP', async (context) => {
    const { folder, update } = openListUpdates(context);
    const path = join(folder, 'feed');
    await mkdir(path);
    await assert.rejects(update({ path, format: 'misp_feed' }), /it has no events/);
    await writeFile(join(path, 'manifest.json'), '{}');
    await writeFile(join(path, `${uuidOf(1)}.json`), mispEvent('a.example'));
    await writeFile(join(path, `${uuidOf(2)}.json`), mispEvent('b.example'));
    const { values, version } = await update({ path, format: 'misp_feed' });
    assert.deepEqual(values, ['a.example', 'b.example']);
    await rm(join(path, `${uuidOf(2)}.json`));
    assert.deepEqual((await update({ path, format: 'misp_feed' }, version)).values, ['a.example']);
  });
});
