import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CaseRow } from './case-api.ts';
import { openTasksOf, tasksQuery } from './tasks-query.ts';

const task = (id: string, assignment: string | undefined, complete = false) => ({
  id,
  summary: id,
  complete,
  ...(assignment === undefined ? {} : { assignment }),
});

it('finds the open tasks of one user', () => {
  const rows = [
    { case_id: 'a', tasks: [task('1', 'ana'), task('2', 'ana', true), task('3', 'bob'), task('4', undefined)] },
    { case_id: 'b' },
    { case_id: 'c', tasks: [task('5', 'ana')] },
  ] as unknown as readonly CaseRow[];
  assert.deepEqual(
    openTasksOf('ana', rows).map((one) => `${one.present.case_id} ${one.task.id}`),
    ['a 1', 'c 5'],
  );
  assert.deepEqual(openTasksOf('eve', rows), []);
});

it('asks for names with every character', () => {
  assert.equal(tasksQuery('a "b" \\'), 'tasks.assignment:"a \\"b\\" \\\\" AND tasks.complete:false');
});
