import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { sourceOfBytes } from './byte-source.ts';
import { packCart, readCart, statedKind, unpackCart } from './cart.ts';

/** A CaRT of `hello` with the header `{"name": "é"}`, by the Python package cart 1.2.3. */
const PYTHON_CART =
  'Q0FSVAEAAAAAAAAAAAADAQQBBQkCBgMBBAEFCQIGEQAAAAAAAADCpKVcU9VD93lJI5QxVtmHwsGHAHXzeajKWxN6phTCpKdYUNcVpXkvdJEjH8LI29OLB7B5GCN7Tl6E4bo1d3IoU8MlNj67GBxtI4iHoIdURVgf6jM92uUHCSjsT/BGgw+Fh+rxGKn074riUwF5tNw1MA5miDzvmXWQuYt9qdEAFwcSX4W+SO5SHOz0Lmt5CpcLcuWSdHbfexGktEVWyIGLh4oNtGn4OeBxYLaW6sliKtiH456vlCWNuV93CEvdgbBj82V1Uyqhx/DMN79n3o0XMljRVFJBQwAAAAAAAAAARAAAAAAAAAC1AAAAAAAAAA==';
const HELLO = {
  length: '5',
  md5: '5d41402abc4b2a76b9719d911017c592',
  sha1: 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d',
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
};

async function* of(...chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* chunks;
}
const pack = (content: Uint8Array, header: object) => buffer(packCart(of(content), header as Record<string, unknown>));

async function unpack(bytes: Buffer): Promise<{ header: object; footer: object; content: Buffer }> {
  const cart = await readCart(sourceOfBytes(bytes));
  const { offset, length } = cart.body;
  const body = Buffer.from(bytes.subarray(offset, offset + length));
  return { header: cart.header, footer: cart.footer, content: await buffer(unpackCart(cart, of(body))) };
}

describe('a CaRT', () => {
  it('of the public package is read', async () => {
    const { header, footer, content } = await unpack(Buffer.from(PYTHON_CART, 'base64'));
    assert.deepEqual([header, footer, content.toString()], [{ name: 'é' }, HELLO, 'hello']);
  });

  it('has the content, the header and the hashes that went in', async () => {
    for (const header of [{}, { name: 'a', al: { type: 'x' } }]) {
      const packed = await unpack(await pack(Buffer.from('hello'), header));
      assert.deepEqual([packed.header, packed.footer, packed.content.toString()], [header, HELLO, 'hello']);
    }
    assert.equal((await unpack(await pack(Buffer.alloc(0), {}))).content.length, 0);
    assert.equal((await unpack(await pack(Buffer.alloc(3_000_000, 'abc'), {}))).content.length, 3_000_000);
  });

  it('is refused wherever it is cut off', async () => {
    const whole = await pack(Buffer.from('hello'), { name: 'a' });
    for (let end = 0; end < whole.length; end += 1) {
      await assert.rejects(unpack(whole.subarray(0, end)), { code: 'invalid_cart' }, `${end} bytes`);
    }
  });

  it('is refused, and never fails otherwise, when a byte of it is wrong', async () => {
    const whole = await pack(Buffer.from('hello'), { name: 'a' });
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      await unpack(damaged).catch((error) => assert.equal(error.code, 'invalid_cart', `byte ${at}: ${error}`));
    }
  });

  it('is refused with a header that is too large or no object', async () => {
    const whole = await pack(Buffer.from('hello'), { name: 'a' });
    const large = Buffer.from(whole);
    large.writeBigUInt64LE(1n << 62n, 30);
    await assert.rejects(unpack(large), { code: 'invalid_cart', message: /header of more than 1048576 bytes/ });
    await assert.rejects(unpack(await pack(Buffer.from('x'), ['a'] as never)), { code: 'invalid_cart' });
  });

  it('passes errors of the content on', async () => {
    async function* failing(): AsyncIterable<Uint8Array> {
      yield Buffer.from('x');
      throw new Error('the source broke');
    }
    await assert.rejects(buffer(packCart(failing(), {})), { message: 'the source broke' });
    const cart = await readCart(sourceOfBytes(Buffer.from(PYTHON_CART, 'base64')));
    await assert.rejects(buffer(unpackCart(cart, failing())), { message: 'the source broke' });
  });

  it('may state the kind of its content', () => {
    assert.equal(statedKind({ al: { type: 'archive/bundle/al' } }), 'archive/bundle/al');
    for (const header of [{}, { al: null }, { al: { type: 5 } }, { al: { type: '' } }]) {
      assert.equal(statedKind(header), undefined);
    }
  });
});
