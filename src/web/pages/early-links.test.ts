import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earlyLinks, readEarlyFiles } from './early-links.ts';

const FILES = {
  always: ['</assets/frame-1a.js>; rel=modulepreload', '</session>; rel=preload; as=fetch; crossorigin'],
  languages: {
    en: ['</assets/en-1a.js>; rel=modulepreload'],
    fr: ['</assets/fr-1a.js>; rel=modulepreload'],
  },
  pages: {
    '/': ['</assets/home-1a.js>; rel=modulepreload'],
    '/alerts': ['</assets/list-1a.js>; rel=modulepreload'],
    '/alerts/$id': ['</assets/alert-1a.js>; rel=modulepreload'],
  },
};

function namesOf(path: string, acceptedLanguages?: string): readonly string[] {
  const header = earlyLinks(FILES, { path, acceptedLanguages }) ?? '';
  return [...header.matchAll(/<[^>]*?([a-z]+)(?:-1a\.js)?>/g)].map(([, name = '']) => name);
}

describe('early links', () => {
  it('are those of all pages, of a language and of the page', () => {
    assert.deepEqual(namesOf('/'), ['frame', 'session', 'en', 'home']);
    assert.deepEqual(namesOf('/alerts'), ['frame', 'session', 'en', 'list']);
    assert.deepEqual(namesOf('/alerts/abc'), ['frame', 'session', 'en', 'alert']);
  });

  it('are only those of all pages and a language where the page is another', () => {
    for (const path of ['/alerts/', '/alerts/abc/x', '/alert', '//alerts', '/cases', '/constructor', '/$id']) {
      assert.deepEqual(namesOf(path), ['frame', 'session', 'en'], path);
    }
  });

  it('have the first language of the browser that there is, otherwise English', () => {
    for (const [accepted, language] of [
      ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
      ['de, FR-ca;q=0.5', 'fr'],
      ['en-CA,fr;q=0.9', 'en'],
      ['de', 'en'],
      ['', 'en'],
      [undefined, 'en'],
      ['constructor, __proto__', 'en'],
    ] as const) {
      assert.deepEqual(namesOf('/', accepted), ['frame', 'session', language, 'home'], accepted);
    }
  });

  it('are none where nothing is known', () => {
    assert.equal(
      earlyLinks({ always: [], languages: {}, pages: {} }, { path: '/', acceptedLanguages: 'en' }),
      undefined,
    );
  });
});

describe('the file of early links', () => {
  it('is read as it is written', () => {
    assert.deepEqual(readEarlyFiles(Buffer.from(JSON.stringify(FILES))), FILES);
  });

  it('counts as missing where it is none, or would break a header', () => {
    const texts = [
      '',
      'null',
      '[]',
      '{}',
      JSON.stringify({ ...FILES, always: 'text' }),
      JSON.stringify({ ...FILES, always: [1] }),
      JSON.stringify({ ...FILES, pages: { '/': ['</a>; rel=preload\r\nset-cookie: x=1'] } }),
      JSON.stringify({ ...FILES, languages: { en: ['</é>; rel=preload'] } }),
    ];
    for (const text of texts) assert.equal(readEarlyFiles(Buffer.from(text)), undefined, text);
    assert.equal(readEarlyFiles(undefined), undefined);
  });
});
