import assert from 'node:assert/strict';
import { it } from 'node:test';
import { callOf, FLAGS, selectorOf } from './source-fixture.ts';
import { type SourceMutation, type SourceSubject, sourcesForArea } from './subject.ts';

export function operationsArea(subject: SourceSubject, mutation?: SourceMutation): void {
  const open = sourcesForArea(subject, mutation);

  it('runs actions and fetchers with what they are given', async () => {
    const { source, requests } = await open(({ id, body }) => ({ content: { id, body } }));
    const body = { selector: null, list: [1, { a: 'é' }] };
    assert.deepEqual(await source.runAction('act', body, callOf()), { id: 'act', body });
    assert.deepEqual(await source.runFetcher('fetch', body, callOf()), { id: 'fetch', body });
    assert.deepEqual(
      requests.map(({ kind }) => kind),
      ['run_action', 'run_fetcher'],
    );
  });

  it('makes the call of an action and of a fetcher once, also when it fails', async () => {
    for (const answer of [
      { status: 500, message: 'it broke' },
      { status: 429, message: 'slower' },
    ] as const) {
      const { source, requests } = await open(() => answer);
      const refusal = { kind: 'status', status: answer.status, pluginMessage: answer.message };
      await assert.rejects(source.runAction('act', {}, callOf()), refusal);
      await assert.rejects(source.runFetcher('fetch', {}, callOf()), refusal);
      assert.equal(requests.length, 2);
    }
  });

  it('sends the token of a provider, and nothing of a credential of this installation', async () => {
    const { source, requests } = await open(() => ({ content: {} }));
    const everything = async (token?: string) => {
      const call = () => callOf(token === undefined ? {} : { token });
      await source.lookup([selectorOf('a.example')], FLAGS, call());
      await source.lookupOne(selectorOf('a.example'), FLAGS, call());
      await source.runAction('act', {}, call());
      await source.runFetcher('fetch', {}, call());
      return new Set(requests.splice(0).map((request) => request.token));
    };
    assert.deepEqual(await everything('a.b.c'), new Set(['a.b.c']));
    assert.deepEqual(await everything(), new Set([undefined]));
  });
}
