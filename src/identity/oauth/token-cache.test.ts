import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenCache } from './token-cache.ts';

const entry = (token: string) => ({
  keyId: 'key',
  verified: { provider: 'local', claims: {}, token, expires: 0 },
});

describe('TokenCache', () => {
  it('finds what it remembers, until it forgets it', () => {
    const cache = new TokenCache();
    cache.remember('a', entry('a'));
    assert.equal(cache.find('a')?.verified.token, 'a');
    assert.equal(cache.find('b'), undefined);
    cache.forget('a');
    assert.equal(cache.find('a'), undefined);
  });

  it('holds 20,000 tokens, the newest', () => {
    const cache = new TokenCache();
    for (let number = 0; number <= 20_000; number += 1) cache.remember(`t${number}`, entry(`t${number}`));
    assert.equal(cache.count, 20_000);
    assert.equal(cache.find('t0'), undefined);
    assert.ok(cache.find('t1'));
    assert.ok(cache.find('t20000'));
  });

  it('holds fewer of large ones: 16 MiB of tokens', () => {
    const cache = new TokenCache();
    const large = (number: number) => String(number).padStart(16_384, 'x');
    for (let number = 0; number < 1500; number += 1) cache.remember(large(number), entry(large(number)));
    assert.equal(cache.count, 1024);
    // Remembered again it counts once.
    for (let turn = 0; turn < 3; turn += 1) cache.remember(large(1499), entry(large(1499)));
    assert.equal(cache.count, 1024);
    assert.ok(cache.find(large(1499)));
  });
});
