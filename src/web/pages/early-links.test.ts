import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { earlyLinks, readEarlyFiles } from './early-links.ts';

const script = (name: string) => `</assets/${name}-1a.js>; rel=modulepreload`;
const answer = (path: string) => `<${path}>; rel=preload; as=fetch; crossorigin`;
const FILES = {
  always: { requests: [answer('/session')], files: [script('frame')] },
  languages: {
    en: { requests: [], files: [script('en')] },
    fr: { requests: [], files: [script('fr')] },
  },
  pages: {
    '/': { requests: [], files: [script('home')] },
    '/alerts': { requests: [answer('/view')], files: [script('list')] },
    '/alerts/$id': { requests: [], files: [script('alert')] },
  },
};

function namesOf(path: string, acceptedLanguages?: string, saysOrigin = true): readonly string[] {
  const header = earlyLinks(FILES, { path, acceptedLanguages, saysOrigin }) ?? '';
  return [...header.matchAll(/<[^>]*?([a-z]+)(?:-1a\.js)?>/g)].map(([, name = '']) => name);
}

describe('early links', () => {
  it('are those of all pages, of a language and of the page', () => {
    assert.deepEqual(namesOf('/'), ['session', 'frame', 'en', 'home']);
    assert.deepEqual(namesOf('/alerts'), ['session', 'view', 'frame', 'en', 'list']);
    assert.deepEqual(namesOf('/alerts/abc'), ['session', 'frame', 'en', 'alert']);
  });

  it('are only those of all pages and a language where the page is another', () => {
    for (const path of ['/alerts/', '/alerts/abc/x', '/alert', '//alerts', '/cases', '/constructor', '/$id']) {
      assert.deepEqual(namesOf(path), ['session', 'frame', 'en'], path);
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
      assert.deepEqual(namesOf('/', accepted), ['session', 'frame', language, 'home'], accepted);
    }
  });

  it('are no answers of services for a browser that does not say where its requests come from', () => {
    assert.deepEqual(namesOf('/alerts', 'en', false), ['frame', 'en', 'list']);
  });

  it('are none where nothing is known', () => {
    const nothing = { always: { requests: [], files: [] }, languages: {}, pages: {} };
    const navigation = { path: '/', acceptedLanguages: 'en', saysOrigin: true };
    assert.equal(earlyLinks(nothing, navigation), undefined);
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
      JSON.stringify({ ...FILES, always: { requests: [], files: [1] } }),
      JSON.stringify({ ...FILES, always: { requests: [] } }),
      JSON.stringify({ ...FILES, pages: { '/': { requests: [], files: ['</a>; rel=preload\r\nset-cookie: x=1'] } } }),
      JSON.stringify({ ...FILES, languages: { en: { requests: [], files: ['</é>; rel=preload'] } } }),
    ];
    for (const text of texts) assert.equal(readEarlyFiles(Buffer.from(text)), undefined, text);
    assert.equal(readEarlyFiles(undefined), undefined);
  });
});
