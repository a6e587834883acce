import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { serverWith } from '../../testing/open-service-server.ts';
import { multipartParts } from './multipart-parts.ts';
import type { ServiceApp } from './request-input.ts';

/** The parts of a request. */
type Seen = [name: string, value: string | number][];

describe('parts of a form', () => {
  const seen: Seen[] = [];
  const server = serverWith(
    (app: ServiceApp) => {
      app.post('/form', { access: 'public', body: 'stream' }, async (request) => {
        const found: Seen = [];
        seen.push(found);
        for await (const part of multipartParts(request, { fieldSize: 100, parts: 5 })) {
          if (part.kind === 'field') found.push([part.name, part.value]);
          else if (part.name === 'skipped') found.push([part.name, part.filename]);
          else found.push([part.filename, await sizeOf(part.content)]);
        }
        return found;
      });
      app.post('/refused', { access: 'public', body: 'stream' }, async (request) => {
        for await (const part of multipartParts(request, { fieldSize: 100 })) {
          if (part.kind === 'file') throw Object.assign(new Error('enough'), { code: 'ECONNRESET' });
        }
      });
    },
    { bodyLimit: 1000 },
  );
  after(() => server.app.close());
  const url = server.app.listen({ port: 0, host: '127.0.0.1' });
  const send = async (form: FormData, path = '/form') =>
    (await fetch(`${await url}${path}`, { method: 'POST', body: form })).json() as Promise<Record<string, unknown>>;

  it('come in their order, files of any size as streams', async () => {
    const form = new FormData();
    form.append('bin', new Blob([new Uint8Array(3_000_000)]), 'C:\\files\\a.bin');
    form.append('json', '{"a": "é"}');
    form.append('skipped', new Blob([new Uint8Array(500_000)]), 'b.bin');
    form.append('last', '');
    const { data } = await send(form);
    assert.deepEqual(data, [
      ['a.bin', 3_000_000],
      ['json', '{"a": "é"}'],
      ['skipped', 'b.bin'],
      ['last', ''],
    ]);
  });

  it('are limited in number and, but for files, in size', async () => {
    const many = new FormData();
    for (let number = 0; number < 6; number += 1) many.append('x', String(number));
    assert.equal((await send(many)).code, 'too_many_parts');
    const long = new FormData();
    long.append('json', 'x'.repeat(101));
    assert.equal((await send(long)).code, 'field_too_large');
  });

  it('let the handler refuse a file before its end', async () => {
    const form = new FormData();
    form.append('bin', new Blob([new Uint8Array(20_000_000)]), 'a.bin');
    assert.equal((await send(form, '/refused')).code, 'body_truncated');
  });

  it('are refused where the body is not a form, or ends early', async () => {
    const head = '--x\r\ncontent-disposition: form-data; name="bin"; filename="a"\r\n\r\nabc';
    for (const [type, body] of [
      ['multipart/form-data', '--x'],
      ['multipart/form-data; boundary=x', ''],
      ['multipart/form-data; boundary=x', 'nothing of this'],
      ['multipart/form-data; boundary=x', head],
      ['text/plain', 'x'],
    ] as const) {
      const answer = await fetch(`${await url}/form`, { method: 'POST', body, headers: { 'content-type': type } });
      assert.equal(answer.status, 400, `${type} ${body}`);
      assert.equal(((await answer.json()) as { code: string }).code, 'invalid_multipart', body);
    }
  });

  it('end with the connection, and the server continues', async () => {
    const { port } = new URL(await url);
    const before = seen.length;
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'POST /form HTTP/1.1\r\nhost: x\r\ncontent-length: 10000\r\ncontent-type: multipart/form-data; boundary=x\r\n\r\n' +
        '--x\r\ncontent-disposition: form-data; name="bin"; filename="a"\r\n\r\nabc',
    );
    while (seen.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    assert.deepEqual((await send(new FormData())).code, undefined);
  });
});

async function sizeOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of content) size += chunk.byteLength;
  return size;
}
