import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FirstStepsState, isGreeted, stepsDone } from './step-state.ts';

const NEW: FirstStepsState = {
  first_password: 'in_use',
  first_administrator: 'admin',
  has_api_key: false,
  alerts: 0,
  users: 1,
  providers: [],
  may_load_demo: true,
};
const doneOf = (changes: Partial<FirstStepsState>) =>
  Object.entries(stepsDone({ ...NEW, ...changes })).flatMap(([name, isDone]) => (isDone ? [name] : []));

describe('the first steps', () => {
  it('tick themselves off', () => {
    assert.deepEqual(doneOf({}), []);
    assert.deepEqual(doneOf({ first_password: 'changed' }), ['password']);
    assert.deepEqual(doneOf({ has_api_key: true }), [], 'no alert came yet');
    assert.deepEqual(doneOf({ has_api_key: true, alerts: 1, may_load_demo: false }), ['key', 'demo']);
    assert.deepEqual(doneOf({ users: 2 }), ['colleague']);
    assert.deepEqual(doneOf({ providers: ['main'] }), ['colleague']);
    assert.deepEqual(doneOf({ alerts: 200, may_load_demo: false }), ['demo'], 'demo alerts are sent by no key');
  });

  it('stay until all of them are done, and do not greet systems that were filled another way', () => {
    assert.equal(isGreeted(NEW), true);
    assert.equal(isGreeted({ ...NEW, alerts: 1, may_load_demo: false }), true);
    const rest = { has_api_key: true, alerts: 1, users: 2, may_load_demo: false };
    assert.equal(isGreeted({ ...NEW, ...rest }), true, 'the random password is in use');
    assert.equal(isGreeted({ ...NEW, ...rest, first_password: 'changed' }), false);
    assert.equal(isGreeted({ ...NEW, ...rest, first_password: 'unknown', users: 1 }), false);
    assert.equal(isGreeted({ ...NEW, first_password: 'unknown' }), true, 'without any alert');
  });
});
