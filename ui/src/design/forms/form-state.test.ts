import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiProblem } from '../../api/problem.ts';
import { changedMembers, failureOf } from './form-state.ts';

const problemAt = (at: string | number | undefined) => new ApiProblem('It is wrong.', { status: 400, at });

describe('failureOf', () => {
  const names = ['name', 'rules', 'settings.zone'];

  for (const [at, name] of [
    ['name', 'name'],
    ['/name', 'name'],
    ['body.name', 'name'],
    ['rules[2].query', 'rules'],
    ['/rules/2/query', 'rules'],
    ['settings.zone', 'settings.zone'],
    ['settings.zone.city', 'settings.zone'],
  ] as const) {
    it(`shows a mistake at "${at}" at the field ${name}`, () => {
      assert.deepEqual(failureOf(problemAt(at), names), { errors: { [name]: 'It is wrong.' }, problem: undefined });
    });
  }

  for (const at of ['settings', 'names', 'constructor', '', '.', '////', '[', 17, undefined]) {
    it(`shows a mistake at ${JSON.stringify(at)} above the form`, () => {
      const problem = problemAt(at);
      assert.deepEqual(failureOf(problem, names), { errors: {}, problem });
    });
  }

  it('shows any other failure above the form', () => {
    const problem = new TypeError('x');
    assert.deepEqual(failureOf(problem, names), { errors: {}, problem });
  });

  it('takes a path of a megabyte', () => {
    const problem = problemAt('a.'.repeat(5000));
    assert.deepEqual(failureOf(problem, names), { errors: {}, problem });
  });
});

describe('changedMembers', () => {
  it('returns what differs by content, and nothing else', () => {
    const stored = { title: 'a', keys: ['x'], span: null };
    assert.deepEqual(changedMembers({ ...stored, keys: ['x'] }, stored), {});
    assert.deepEqual(changedMembers({ title: 'b', keys: [], span: null }, stored), { title: 'b', keys: [] });
  });
});
