import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { characterize } from './characterize.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-characterize-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function sectionsOf(content: string | Uint8Array, type = 'unknown') {
  const path = join(folder, 'content');
  await writeFile(path, content);
  const file = { sha256: 'a'.repeat(64), type, name: 'file', size: content.length };
  const request = { analyzer: 'Characterize', path, folder, file, maxFiles: 10, timeLimit: 60_000 };
  const { sections } = await characterize({ ...request, parameters: {}, config: {}, temporaryData: {} });
  return sections;
}

async function valuesOf(content: string | Uint8Array) {
  const [section] = await sectionsOf(content);
  assert.ok(section?.body);
  const { type, data } = JSON.parse(section.body);
  assert.equal(type, 'colormap');
  assert.deepEqual(data.domain, [0, 8]);
  return { title: section.title_text, values: data.values as number[] };
}

describe('Characterize', () => {
  it('shows the entropy of 50 parts, with zeros behind the end of a small file', async () => {
    const { title, values } = await valuesOf('ab');
    assert.equal(title, 'File entropy: 1.0');
    assert.deepEqual(
      values,
      Array.from({ length: 50 }, () => 0),
    );
    const random = await valuesOf(Uint8Array.from({ length: 51_200 }, (_, index) => index % 256));
    assert.equal(random.title, 'File entropy: 8.0');
    assert.equal(random.values.length, 50);
    assert.ok(random.values.every((value) => value === 8));
  });

  it('shows which part of a file differs', async () => {
    const content = new Uint8Array(5000);
    for (let index = 4000; index < 4100; index += 1) content[index] = index % 100;
    const { title, values } = await valuesOf(content);
    assert.equal(title, 'File entropy: 0.272');
    assert.deepEqual(
      values.flatMap((value, part) => (value > 0 ? [part] : [])),
      [40],
    );
  });

  it('marks the section as the entropy of the file', async () => {
    const [section] = await sectionsOf('x');
    assert.deepEqual([section?.body_format, section?.promote_to, section?.heuristic], ['GRAPH_DATA', 'ENTROPY', null]);
  });

  it('shows the parameters of a URI instead', async () => {
    const text = '# Assemblyline URI file\nuri: https://a.example/\nmethod: POST\nheaders:\n  Accept: "*/*"\n';
    const [section] = await sectionsOf(text, 'uri/https');
    assert.equal(section?.title_text, 'HTTPS Params');
    assert.equal(section?.promote_to, 'URI_PARAMS');
    assert.deepEqual(JSON.parse(section?.body ?? ''), [
      ['method', 'POST'],
      ['Accept', '*/*'],
    ]);
    assert.deepEqual(await sectionsOf('# Assemblyline URI file\nuri: https://a.example/\n', 'uri/https'), []);
  });
});
