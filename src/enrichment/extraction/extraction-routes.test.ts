import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEnrichment } from '../../testing/open-enrichment.ts';
import { MAX_TEXT_BYTES } from './extraction-service.ts';

const headers = {
  authorization: `Basic ${btoa('robot:robot-secret')}`,
  'x-userid': 'grace',
  'x-classification': 'UNRESTRICTED',
};

describe('POST /api/v1/lookup/extract', () => {
  it('answers the selectors of text, with and without the final slash', async (context) => {
    const { app } = await openEnrichment(context);
    for (const url of ['/api/v1/lookup/extract', '/api/v1/lookup/extract/']) {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url,
        headers,
        payload: { text: 'x 8.8.8.8:53' },
      });
      assert.equal(statusCode, 200);
      assert.deepEqual(JSON.parse(body).api_response, [{ type: 'ipv4', value: '8.8.8.8', port: 53, start: 2, end: 9 }]);
    }
  });

  it('reads long texts in a thread, several at once', async (context) => {
    const { app } = await openEnrichment(context);
    const text = `${'word '.repeat(300_000)} 8.8.8.8`;
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.inject({ method: 'POST', url: '/api/v1/lookup/extract', headers, payload: { text } })),
    );
    for (const { body } of answers) assert.equal(JSON.parse(body).api_response[0].value, '8.8.8.8');
  });

  it('rejects text above 2 MB, and anything that is not a string', async (context) => {
    const { app } = await openEnrichment(context);
    const post = (payload: object) => app.inject({ method: 'POST', url: '/api/v1/lookup/extract', headers, payload });
    const long = await post({ text: 'é'.repeat(MAX_TEXT_BYTES / 2 + 1) });
    assert.equal(long.statusCode, 413);
    assert.match(JSON.parse(long.body).api_error_message, /2 MB/);
    for (const payload of [{}, { text: 7 }, { text: ['a'] }, []]) assert.equal((await post(payload)).statusCode, 400);
    assert.deepEqual(JSON.parse((await post({ text: '' })).body).api_response, []);
  });
});
