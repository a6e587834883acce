import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CaseAssignments } from './case-assignment.ts';

const task = (id: string, assignment: string, complete = false) => ({ id, assignment, complete, summary: `Do ${id}` });
const frame = (by: string, members: object) => ({
  ...{ case_id: 'c1', title: 'Phishing', log: [{ user: 'first' }, { user: by }] },
  ...members,
});
const marks = (found: readonly { readonly mark: string }[]) => found.map(({ mark }) => mark);

describe('an assignment of a case', () => {
  it('is a task or the case that another person gave to the reader, once', () => {
    const cases = new CaseAssignments('ana');
    const given = frame('bo', { tasks: [task('t1', 'ana'), task('t2', 'cy')], participants: ['ana'] });
    assert.deepEqual(cases.changed(given), [
      { id: 'c1', title: 'Phishing', by: 'bo', task: 'Do t1', mark: 'c1 t1' },
      { id: 'c1', title: 'Phishing', by: 'bo', task: undefined, mark: 'c1' },
    ]);
    assert.deepEqual(cases.changed(given), []);
    const more = frame('bo', { tasks: [task('t1', 'ana'), task('t2', 'ana')], participants: ['ana'] });
    assert.deepEqual(marks(cases.changed(more)), ['c1 t2']);
  });

  it('is told again when it was taken away and given again', () => {
    const cases = new CaseAssignments('ana');
    const given = frame('bo', { tasks: [task('t1', 'ana')] });
    assert.equal(cases.changed(given).length, 1);
    assert.equal(cases.changed(frame('bo', { tasks: [task('t1', 'bo')] })).length, 0);
    assert.equal(cases.changed(given).length, 1);
  });

  it('is not what was there before, what readers took themselves, what is done, nor what others have', () => {
    const cases = new CaseAssignments('ana');
    cases.note([{ case_id: 'c1', tasks: [task('t1', 'ana')], participants: ['ana'] }]);
    for (const members of [
      frame('bo', { tasks: [task('t1', 'ana')], participants: ['ana'] }),
      frame('ana', { tasks: [task('t1', 'ana'), task('t2', 'ana')] }),
      frame('bo', { tasks: [task('t1', 'ana'), task('t2', 'ana'), task('t3', 'ana', true), task('t4', 'bo')] }),
      frame('bo', { case_id: 'c2', log: 'log', tasks: [task('t1', 'ana')] }),
      frame('bo', { case_id: 'c3', tasks: 7, participants: 'ana', log: [null] }),
      { tasks: [task('t9', 'ana')] },
      undefined,
      'case',
    ]) {
      assert.deepEqual(cases.changed(members), [], JSON.stringify(members));
    }
  });
});
