import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_ACTIONS, readActions } from './actions.ts';

describe('readActions', () => {
  it('reads the actions that come with the program', () => {
    const [alerts, resubmit] = readActions(DEFAULT_ACTIONS);
    assert.equal(alerts?.raise_alert, true);
    assert.equal(resubmit?.resubmit?.random_below, 500);
    assert.deepEqual(
      [alerts?.filter.matches({ max_score: 500 }), alerts?.filter.matches({ max_score: 499 })],
      [true, false],
    );
    assert.deepEqual(
      [resubmit?.filter.matches({ max_score: 0 }), resubmit?.filter.matches({ max_score: -1 })],
      [true, false],
    );
    assert.deepEqual([alerts?.filter.usesTags, alerts?.filter.isCacheSafe], [false, true]);
  });

  it('judges a submission by every kind of field, and by its tags', () => {
    const submission = {
      max_score: 700,
      metadata: { team: 'red' },
      files: [{ name: 'a.exe', sha256: 'ab'.repeat(32) }],
      params: { submitter: 'ada', priority: 250 },
      tags: { network: { static: { domain: ['evil.example'] } } },
    };
    const filters: Readonly<Record<string, boolean>> = {
      'metadata.team:red AND max_score:[500 TO *]': true,
      'metadata.team:blue': false,
      'files.name:*.exe': true,
      'params.submitter:ada AND NOT params.priority:<250': true,
      'tags.network.static.domain:evil.example': true,
      'tags.network.static.domain:/.*\\.example/': true,
      'tags.network.static.ip:*': false,
    };
    for (const [filter, expected] of Object.entries(filters)) {
      const [action] = readActions(JSON.stringify({ one: { enabled: true, run_on_completed: true, filter } }));
      assert.equal(action?.filter.matches(submission), expected, filter);
    }
  });

  it('refuses what it cannot do, and says where', () => {
    const refused: Readonly<Record<string, RegExp>> = {
      '((not yaml: [': /Invalid post processing actions file submitted: ./,
      '[]': /object/,
      'one: {filter: "(("}': /one: /,
      'one: {filter: "nope:1"}': /nope/,
      'one: {filter: "max_score:many"}': /max_score/,
      'one: {enabled: true}': /filter/,
      'one: {filter: "*", stray: 1}': /stray/,
      'one: {enabled: true, run_on_cache: true, filter: "results:x"}': /run_on_cache/,
      'one: {filter: "*", webhook: {uri: "ftp://x"}}': /http/,
      'one: {filter: "*", webhook: {uri: "http://x", retries: 1000}}': /retries/,
      'one: {filter: "*", webhook: {uri: "http://x", method: "TRACE"}}': /method/,
    };
    for (const [yaml, message] of Object.entries(refused)) {
      assert.throws(() => readActions(yaml), { code: 'invalid_actions', message }, yaml);
    }
  });
});
