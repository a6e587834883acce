import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACTION_RESULT, openAction } from '../../../testing/enrichment/open-actions.ts';
import { SourceFailure } from '../../sources/source-failure.ts';

describe('the result of an action', () => {
  const formats: Readonly<Record<string, unknown>> = {
    markdown: 'text',
    json: [{ a: null }],
    image: { image: 'https://x.example/i.png', alt: 'i' },
    status: { empty: true, labels: [] },
    'my-own': { any: [1] },
  };
  for (const [format, output] of Object.entries(formats)) {
    it(`has results in the format ${format}`, async () => {
      const { run } = openAction(async () => ({ outcome: 'success', format, output }));
      assert.deepEqual(await run({}), { outcome: 'success', format, output });
    });
  }

  it('normalises the address of a pivot', async () => {
    const { run } = openAction(async () => ({ outcome: 'success', format: 'pivot', output: 'http://a.example' }));
    assert.deepEqual(await run({}), { outcome: 'success', format: 'pivot', output: 'http://a.example/' });
  });

  const wrong: Readonly<Record<string, unknown>> = {
    nothing: null,
    'a list': [],
    'another outcome': { outcome: 'perhaps' },
    'success without a format': { outcome: 'success' },
    'an object as markdown': { ...ACTION_RESULT, output: { a: 1 } },
    'an invalid link': { ...ACTION_RESULT, link: 'nope' },
    'a link to a script': { outcome: 'success', format: 'pivot', output: 'javascript:alert(1)' },
    'a failure with a format and no output': { outcome: 'failure', format: 'markdown' },
    'a status without labels in every language': { ...ACTION_RESULT, format: 'status', output: { labels: [] } },
  };
  for (const [what, result] of Object.entries(wrong)) {
    it(`reports ${what} as a bad gateway`, async () => {
      const { run } = openAction(async () => result);
      await assert.rejects(run({}), { code: 'action_result_invalid', kind: 'upstream_failed' });
    });
  }

  const failures: readonly (readonly [string, SourceFailure, object])[] = [
    [
      'the message of the source',
      new SourceFailure('status', 'status 400', { status: 400, pluginMessage: 'text must not be empty' }),
      { code: 'action_failed', message: 'text must not be empty' },
    ],
    [
      'a source that is down',
      new SourceFailure('unreachable', 'ECONNREFUSED 10.1.2.3'),
      {
        code: 'action_failed',
        message: "Something went wrong when retrieving the result from plugin 'plugin': ConnectionError.",
      },
    ],
    [
      'an unreadable answer',
      new SourceFailure('unusable', 'not JSON'),
      {
        code: 'action_failed',
        message: "Something went wrong when retrieving the result from plugin 'plugin': JSONDecodeError.",
      },
    ],
    [
      'a source that takes too long',
      new SourceFailure('timed_out', 'late'),
      { code: 'action_timed_out', kind: 'upstream_timed_out' },
    ],
    ['a caller who is gone', new SourceFailure('cancelled', 'gone'), { kind: 'cancelled' }],
  ];
  for (const [what, failure, expected] of failures) {
    it(`reports ${what}`, async () => {
      const { run } = openAction(async () => {
        throw failure;
      });
      await assert.rejects(run({}), expected);
    });
  }

  it('reports a caller without a token, and a limit, as a failure of the action', async () => {
    const retryAt = new Date();
    const refusals = [
      [new SourceFailure('refused', 'no token of ana'), 'Invalid token provided for this enrichment.'],
      [new SourceFailure('refused', 'The limit is reached.', { retryAt }), 'The limit is reached.'],
    ] as const;
    for (const [refusal, summary] of refusals) {
      const { run } = openAction(async () => {
        throw refusal;
      });
      assert.deepEqual(await run({}), { outcome: 'failure', summary });
    }
  });
});
