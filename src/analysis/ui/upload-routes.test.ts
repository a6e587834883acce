import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { packCart } from '../formats/cart.ts';

const ADMINISTRATOR = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
const USER = { 'x-user': 'user', 'x-apikey': 'devkey:user' };

describe('uploads in chunks', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { 'analysis.submission.max_file_size': 1000 } });
  });
  after(() => program.close());

  const ask = async (path: string, options: RequestInit = {}) => {
    const answer = await fetch(`${program.urls.analysis}/api/v4/ui/${path}`, { headers: ADMINISTRATOR, ...options });
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  const fieldsOf = (identifier: string, number: number, total: number, size = 10) => ({
    flowChunkNumber: String(number),
    flowChunkSize: '10',
    flowCurrentChunkSize: '10',
    flowTotalSize: String(size),
    flowIdentifier: identifier,
    flowFilename: 'a.txt',
    flowRelativePath: 'a.txt',
    flowTotalChunks: String(total),
  });
  const has = (identifier: string, number: number, headers: Record<string, string> = ADMINISTRATOR) =>
    ask(`flowjs/?${new URLSearchParams(fieldsOf(identifier, number, 2))}`, { headers });
  const send = (fields: Record<string, string>, content: string | Uint8Array<ArrayBuffer> | undefined) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (content !== undefined) form.append('file', new Blob([content]), 'blob');
    return ask('flowjs/', { method: 'POST', body: form });
  };
  const start = (identifier: string, json: object = {}) =>
    ask(`start/${identifier}/`, {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { ...ADMINISTRATOR, 'content-type': 'application/json' },
    });
  const stored = async () => (await Array.fromAsync(program.foundation.files.list())).flat().length;

  it('are put together and submitted, and leave no chunk behind', async () => {
    assert.equal((await has('up-1', 2)).status, 204);
    assert.deepEqual((await send(fieldsOf('up-1', 2, 2), 'second part')).json.api_response, {
      success: true,
      completed: false,
    });
    assert.deepEqual((await has('up-1', 2)).json.api_response, { exist: true });
    assert.equal((await has('up-1', 2, USER)).status, 204, 'of another user');
    assert.equal((await send(fieldsOf('up-1', 1, 2), 'first part, ')).json.api_response.completed, true);
    const before = await stored();
    const { status, json } = await start('up-1', {
      filename: 'note.txt',
      params: { services: { selected: ['None'] } },
    });
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.api_response.started, true);
    const submission = await fetch(`${program.urls.analysis}/api/v4/submission/${json.api_response.sid}/`, {
      headers: ADMINISTRATOR,
    });
    const { files } = ((await submission.json()) as { api_response: { files: { name: string; size: number }[] } })
      .api_response;
    assert.deepEqual([files[0]?.name, files[0]?.size], ['note.txt', 'first part, second part'.length]);
    assert.equal(await stored(), before - 1, 'two chunks became a file');
    assert.equal((await start('up-1')).status, 404);
  });

  it('of one chunk stay as the file that they are', async () => {
    assert.equal((await send(fieldsOf('one', 1, 1), 'a single chunk')).json.api_response.completed, true);
    const { json } = await start('one');
    assert.equal(json.api_response.started, true, JSON.stringify(json));
    const path = `/api/v4/submission/${json.api_response.sid}/`;
    const { files } = (await program.request(path, { service: 'analysis', headers: ADMINISTRATOR })).json.api_response;
    assert.notEqual(await program.foundation.files.stat(files[0].sha256), undefined);
  });

  it('that are bundles are imported, also incomplete ones', async () => {
    const before = await stored();
    const classification = program.foundation.classification.unrestricted;
    for (const [ttl, status] of [
      [1, 200],
      [1, 409],
      [-1, 400],
    ] as const) {
      const archive = pack();
      const files = [{ name: 'a', sha256: 'a'.repeat(64), size: 1 }];
      const submission = {
        ...{ sid: 'bundled', classification, state: 'completed', files, file_count: 1, max_score: 5 },
        ...{ results: [`${'a'.repeat(64)}.Mini.v1.c0`], errors: [], error_count: 0, metadata: {} },
        params: { description: 'x', submitter: 'x', classification },
        times: { submitted: '2026-01-02T03:04:05.000000Z' },
      };
      archive.entry({ name: 'results.json' }, JSON.stringify({ submission }));
      archive.finalize();
      const header = { al: { type: 'archive/bundle/al' }, name: 'x.tgz' };
      const bytes = await buffer(Readable.from(packCart(Readable.from([gzipSync(await buffer(archive))]), header)));
      await send(fieldsOf('bundle', 1, 1), bytes);
      const answer = await start('bundle', { filename: 'x.al_bundle', ui_params: { ttl } });
      assert.equal(answer.status, status, JSON.stringify(answer.json));
      if (status !== 200) continue;
      assert.deepEqual(answer.json.api_response, { started: true, sid: 'bundled' });
      const path = '/api/v4/submission/bundled/';
      const { expiry_ts } = (await program.request(path, { service: 'analysis', headers: ADMINISTRATOR })).json
        .api_response;
      const days = (Date.parse(expiry_ts) - Date.now()) / 86_400_000;
      assert.ok(days > 0.9 && days <= 1, expiry_ts);
    }
    assert.equal(await stored(), before, 'no chunk and no bundle stays');
  });

  it('that are refused leave nothing behind', async () => {
    const before = await stored();
    await send(fieldsOf('bad', 1, 1), 'refused content');
    assert.equal((await start('bad', { params: { priority: 99_999 } })).status, 400);
    assert.equal(await stored(), before);
    assert.equal((await start('bad')).status, 404);
  });

  it('that were never sent are not there', async () => {
    assert.deepEqual((await start('none-x')).json, {
      ...(await start('none-x')).json,
      api_error_message: 'No files were found for ID none_x. Try again...',
      api_response: { sid: null, started: false },
      api_status_code: 404,
    });
  });

  it('are refused without their place, with a wrong one, without a chunk and when they are too large', async () => {
    assert.equal((await ask('flowjs/')).status, 412);
    assert.equal((await send({}, 'x')).status, 412);
    assert.equal((await send(fieldsOf('x', 1, 1), undefined)).status, 400);
    for (const [number, total] of [
      [0, 1],
      [2, 1],
      [1, 100_000],
    ] as const) {
      assert.equal((await send(fieldsOf('x', number, total), 'x')).status, 400, `${number} of ${total}`);
    }
    assert.equal((await send({ ...fieldsOf('x', 1, 1), flowTotalSize: 'x' }, 'x')).status, 400);
    const before = await stored();
    assert.equal((await send(fieldsOf('x', 1, 1, 1001), 'x')).status, 413);
    assert.equal((await send(fieldsOf('x', 1, 1), 'x'.repeat(1001))).status, 413);
    assert.equal((await ask('flowjs/', { method: 'POST', body: '{}' })).status, 400);
    assert.equal(await stored(), before);
    await send(fieldsOf('sum', 1, 2), 'x'.repeat(600));
    await send(fieldsOf('sum', 2, 2), 'y'.repeat(600));
    assert.equal((await start('sum')).status, 413);
  });
});
