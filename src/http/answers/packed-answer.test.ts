import assert from 'node:assert/strict';
import { it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { PackedJson } from '../../json/packed-json.ts';
import { sendPacked } from './packed-answer.ts';

it('a packed answer has the smallest encoding that the caller accepts', async () => {
  const text = JSON.stringify({ text: 'x'.repeat(5000) });
  const body = new PackedJson(text);
  await using app = fastify();
  app.get('/', (request, reply) => sendPacked(body, request, reply));
  const cases: readonly (readonly [string | undefined, 'br' | 'gzip' | undefined])[] = [
    ['gzip, deflate, br', 'br'],
    ['BR;q=0.5, gzip', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0, identity', undefined],
    ['brotli, xgzip', undefined],
    [undefined, undefined],
  ];
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, encoding] of cases) {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const answer = await app.inject({ url: '/', headers });
    assert.equal(answer.headers['content-encoding'], encoding, accepted);
    assert.equal(answer.headers.vary, 'accept-encoding');
    const { rawPayload } = answer;
    assert.equal((encoding === undefined ? rawPayload : unpacked[encoding](rawPayload)).toString(), text);
  }
  assert.equal(await body.packed('br'), await body.packed('br'));
});
