import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  askedArguments,
  emptyArguments,
  readOperation,
  storedOperation,
  validationQueries,
  withArgument,
} from './operation-arguments.ts';

const TRANSITION = {
  steps: [
    { args: { status: [] }, options: { status: ['open', 'on-hold'] }, validation: { error: { query: '-s:$status' } } },
    {
      args: { transition: [] },
      options: { transition: { 'status:open': ['assess', 'vote'], 'status:on-hold': ['release'] } },
    },
    { args: { rationale: ['transition:assess'], vote: ['transition:vote'] }, options: { vote: ['obscure'] } },
  ],
};

describe('arguments of operations', () => {
  it('are asked for by the earlier choices', () => {
    assert.deepEqual(askedArguments(TRANSITION, {}), [
      { name: 'status', options: ['open', 'on-hold'] },
      { name: 'transition', options: [] },
    ]);
    assert.deepEqual(askedArguments(TRANSITION, { status: 'open', transition: 'assess' }).slice(1), [
      { name: 'transition', options: ['assess', 'vote'] },
      { name: 'rationale', options: undefined },
    ]);
  });

  it('go when a choice no longer asks for them, except those that are not known', () => {
    const given = { status: 'open', transition: 'assess', rationale: 'why', other: [1] };
    assert.deepEqual(withArgument(TRANSITION, given, 'transition', 'vote'), {
      status: 'open',
      transition: 'vote',
      other: [1],
    });
    assert.deepEqual(withArgument(TRANSITION, given, 'status', 'on-hold'), { status: 'on-hold', other: [1] });
    assert.deepEqual(withArgument(TRANSITION, { status: 'open' }, 'status', ''), {});
  });

  it('name what is empty', () => {
    assert.deepEqual(emptyArguments(TRANSITION, { status: 'open' }), ['transition']);
  });

  it('are filled into validation queries as values, never as syntax', () => {
    assert.deepEqual(validationQueries(TRANSITION, {}), []);
    assert.deepEqual(validationQueries(TRANSITION, { status: 'open' }), [{ kind: 'error', query: '-s:open' }]);
    assert.deepEqual(validationQueries(TRANSITION, { status: 'a) OR *:* $status' }), [
      { kind: 'error', query: String.raw`-s:a\)\ OR\ \*\:\*\ \$status` },
    ]);
  });

  it('are kept as JSON text, and read from it', () => {
    const operation = { id: 'add_label', given: { label: 'ä"b' } };
    assert.deepEqual(readOperation(storedOperation(operation)), operation);
    assert.deepEqual(readOperation({ operation_id: 'x', data_json: '[1' }), { id: 'x', given: {} });
    assert.deepEqual(readOperation({ operation_id: 'x', data_json: '[1]' }), { id: 'x', given: {} });
  });
});
