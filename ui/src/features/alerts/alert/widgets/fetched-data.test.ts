import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fetchedData, fetcherName } from './fetched-data.ts';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

describe('what a fetcher found', () => {
  it('is drawn by its format', () => {
    assert.deepEqual(fetchedData('markdown', '# a', 'en'), { kind: 'markdown', text: '# a' });
    assert.deepEqual(fetchedData('json', { a: 1 }, 'en'), { kind: 'json', value: { a: 1 } });
    assert.deepEqual(fetchedData('image', { image: PIXEL, alt: 'A page' }, 'en'), {
      kind: 'picture',
      address: PIXEL,
      words: 'A page',
    });
    assert.deepEqual(fetchedData('other', 'plain', 'en'), { kind: 'words', text: 'plain' });
    assert.deepEqual(fetchedData('graph', { id: 'g', data: [] }, 'en'), { kind: 'json', value: { id: 'g', data: [] } });
  });

  it('has a status in the language of the reader, or in the first', () => {
    const labels = [
      { language: 'en', label: 'Clean' },
      { language: 'fr', label: 'Sain' },
    ];
    assert.deepEqual(fetchedData('status', { labels }, 'fr'), { kind: 'words', text: 'Sain' });
    assert.deepEqual(fetchedData('status', { labels }, 'de'), { kind: 'words', text: 'Clean' });
    assert.deepEqual(fetchedData('status', { empty: true, labels: [] }, 'en'), { kind: 'nothing' });
  });

  it('loads no picture of another host, and none that may hold scripts', () => {
    for (const image of ['https://evil.example/x.png', 'data:image/svg+xml;base64,PHN2Zy8+', 'javascript:alert(1)']) {
      assert.equal(fetchedData('image', { image, alt: '' }, 'en').kind, 'link', image);
    }
  });

  it('is JSON where it is not what its format says', () => {
    for (const [format, data] of [
      ['markdown', { a: 1 }],
      ['image', ['x']],
      ['status', 5],
      ['json', null],
    ] as const) {
      assert.equal(fetchedData(format, data, 'en').kind, 'json', format);
    }
  });

  it('comes from the fetcher of a source', () => {
    assert.deepEqual(fetcherName('vendor.page'), { source: 'vendor', fetcher: 'page' });
    assert.deepEqual(fetcherName('vendor.example.page'), { source: 'vendor.example', fetcher: 'page' });
    assert.deepEqual(fetcherName('page'), { source: '', fetcher: 'page' });
  });
});
