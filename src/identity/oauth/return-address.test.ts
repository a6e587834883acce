import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { returnAddress } from './return-address.ts';

const at = (referer: string | undefined, origin = 'http://api.example', origins: readonly string[] = []) =>
  returnAddress({ referer, origin, isEncrypted: origin.startsWith('https:') }, 'main', origins);

describe('where a provider sends the browser back to', () => {
  it('is the service itself, or the page on its host', () => {
    assert.equal(at(undefined), 'http://api.example/login?provider=main');
    assert.equal(at('http://api.example/hits/1?a=b#c'), 'http://api.example/login?provider=main');
    assert.equal(at('http://[::1]:8080/x', 'http://[::1]:8080'), 'http://[::1]:8080/login?provider=main');
  });

  it('is a page on the host of the service only when both are encrypted, or neither is', () => {
    const address = (scheme: string) => `${scheme}://api.example/login?provider=main`;
    assert.equal(at('http://api.example/', 'https://api.example'), address('https'));
    assert.equal(at('https://api.example/', 'https://api.example'), address('https'));
    assert.equal(at('https://api.example/', 'http://api.example'), address('http'));
    const behindProxy = { origin: 'http://api.example', isEncrypted: true };
    for (const [referer, scheme] of [
      ['https://api.example/', 'https'],
      ['http://api.example/', 'http'],
      [undefined, 'http'],
    ] as const)
      assert.equal(returnAddress({ ...behindProxy, referer }, 'main', []), address(scheme));
  });

  it('is a page elsewhere only where the settings say so', () => {
    const origins = ['https://ui.example', 'http://localhost:3000/'];
    assert.equal(at('https://ui.example/x', 'http://api.example', origins), 'https://ui.example/login?provider=main');
    assert.equal(
      at('http://localhost:3000/', 'http://api.example', origins),
      'http://localhost:3000/login?provider=main',
    );
    const foreign = [
      'https://evil.example/',
      'http://ui.example/',
      'https://ui.example:444/',
      'https://ui.example.evil.example/',
      'https://ui.example@evil.example/',
      'https://user@ui.example/',
      'https://evil.example/https://ui.example',
      'http://api.example:81/',
      'javascript://api.example/%0aalert(1)',
      'data:text/html,x',
      '//ui.example',
      '',
    ];
    for (const referer of foreign) {
      assert.equal(at(referer, 'http://api.example', origins), 'http://api.example/login?provider=main', referer);
    }
  });

  it('names the provider in a way that says nothing else', () => {
    const place = { referer: undefined, origin: 'http://a.example', isEncrypted: false };
    const address = returnAddress(place, 'a&b=c', []);
    assert.equal(new URL(address).searchParams.get('provider'), 'a&b=c');
  });

  it('needs a host', () => {
    for (const host of ['', 'a b', 'user@a.example', '/', `${'a'.repeat(300)}.example`]) {
      assert.throws(() => at(undefined, `http://${host}`), { code: 'unusable_host' }, host);
    }
  });
});
